// @ts-check
// The live analysis of the position that is shown, with its tree; and the hint.

import * as api from "./api.js";
import { arrowsOf, count, percent, proof, showTable } from "./analysis.js";
import { $, element } from "./dom.js";
import { isOver, note, place, playLine, say } from "./game.js";
import { complain } from "./notice.js";
import { SearchTree } from "./search-tree.js";
import { store } from "./store.js";

/** Milliseconds for a hint. */
const HINT_TIME = 1000;
/** How many lines an analysis shows, for players that must be told. */
const LINES = 3;
const NOTHING = "What the search thinks of the position, while it thinks.";

/** The players of the game. @type {import("../types").Player[]} */
let players = [];
let playersOf = "";
/** The search that runs, or whose tree is still there. @type {AbortController | null} */
let controller = null;
/** Only the last line that was hovered is shown. */
let lookedAt = 0;
const searchTree = new SearchTree($("tree-box"), showLine);

/** The player of a game that needs no thought to choose. */
export const usualPlayer = (/** @type {import("../types").Player[]} */ known) =>
  (known.find((player) => player.default) ?? known[0]).name;

/** Offers the players of the game that is shown. */
async function offer() {
  const { spec } = store.values.game;
  if (playersOf === spec) return;
  players = await api.players(spec);
  playersOf = spec;
  const before = $("analysis-player").value;
  $("analysis-player").replaceChildren(...players.map(({ name, summary }) =>
    element("option", { value: name, title: summary }, name)));
  $("analysis-player").value = players.some(({ name }) => name === before) ? before : usualPlayer(players);
}

/** The chosen player, with several lines if it can and should. */
export function analysisPlayer(lines = LINES) {
  const player = players.find(({ name }) => name === $("analysis-player").value);
  return lines > 1 && player.options.some(({ key }) => key === "lines") ? `${player.name}:lines=${lines}` : player.name;
}

export function toggle() {
  const { analysing } = store.values;
  store.set({ analysing: !analysing });
  if (!analysing) start();
  // The tree stays; a search without one just ends.
  else if (searchTree.search != null) api.stopSearch(searchTree.search).catch(() => {});
  else controller?.abort();
}

/** Analyses the position that is shown, if it is wanted. */
export async function start() {
  end();
  if (!store.values.analysing || isOver()) return;
  const mine = (controller = new AbortController());
  const { game, state } = store.values;
  const index = game.tree.at;
  const unlessGone = (action) => (value) => {
    if (!mine.signal.aborted) action(value);
  };
  const show = unlessGone((analysis) => {
    store.set({ analysis });
    note(index, analysis, state.to_move);
    searchTree.update();
  });
  const grow = unlessGone((search) => searchTree.begin(search, mine.signal, state.sides));
  try {
    await offer();
    const request = { ...place(), player: analysisPlayer(), limits: {}, tree: true };
    show(await api.analyse(request, show, mine.signal, grow));
    unlessGone(() => searchTree.update(true))();
  } catch (error) {
    if (mine.signal.aborted) return;
    store.set({ analysing: false });
    searchTree.forget();
    complain(error);
  }
}

/** Ends the search and forgets its tree. */
function end() {
  controller?.abort();
  controller = null;
  searchTree.forget();
}

/** A line is hovered, left or clicked. */
async function showLine(moves, playIt) {
  const mine = ++lookedAt;
  if (!moves) {
    store.set({ preview: null });
    return;
  }
  const after = await api.position(place([...store.values.game.tree.moves(), ...moves])).catch(() => null);
  if (mine !== lookedAt || !after) return;
  if (playIt) playLine(after.played.slice(-moves.length));
  else store.set({ preview: after });
}

export async function hint() {
  const { state } = store.values;
  say("Looking for a move…");
  try {
    await offer();
    const request = { ...place(), player: analysisPlayer(), limits: { time: HINT_TIME } };
    const analysis = await api.analyse(request, () => {}, new AbortController().signal);
    if (store.values.state !== state) return;
    store.set({ hint: arrowsOf({ candidates: [], best: analysis.best, value: analysis.value, proven: analysis.proven }, state.legal) });
    const label = state.legal.find(({ move }) => move === analysis.best)?.label ?? analysis.best;
    say(`Hint: ${label}, ${percent(analysis.value)} for ${state.sides[state.to_move]}.`);
  } catch (error) {
    say("");
    complain(error);
  }
}

/** Shows what the other side would play if it were its turn, or takes it away. */
export async function threat() {
  const { state, threat: shown } = store.values;
  if (shown || isOver()) {
    store.set({ threat: null });
    return;
  }
  const [place, turn] = [state.letters.turn[state.to_move], state.letters.turn[1 - state.to_move]];
  const words = state.position.split(" ");
  const start = words.map((word, i) => (i === 1 && word === place ? turn : i === 3 && state.style === "chess" ? "-" : word)).join(" ");
  say("Looking for a threat…");
  try {
    await offer();
    const where = { game: store.values.game.spec, start, moves: [] };
    const { legal } = await api.position(where);
    const request = { ...where, player: analysisPlayer(1), limits: { time: HINT_TIME } };
    const found = await api.analyse(request, () => {}, new AbortController().signal);
    if (store.values.state !== state) return;
    const [arrow] = arrowsOf({ candidates: [], best: found.best, value: found.value, proven: found.proven }, legal);
    store.set({ threat: arrow ? [{ ...arrow, kind: "threat" }] : null });
    const label = legal.find(({ move }) => move === found.best)?.label ?? found.best;
    const side = state.sides[1 - state.to_move];
    say(found.proven === "win" ? `${side} threatens ${label}: ${proof(found)}.` : `${side} would play ${label}: ${percent(found.value)}.`);
  } catch (error) {
    say("");
    if (store.values.state === state) say(error.status === 422 ? "Nothing can be threatened here." : error.message);
  }
}

store.view(["game"], () => offer().catch(complain));
store.view(["state"], start);
store.view(["analysing"], ({ analysing }) => {
  $("analyse").setAttribute("aria-pressed", analysing);
  $("analyse").textContent = analysing ? "Stop" : "Analyse";
});
store.view(["analysis", "state", "analysing"], ({ analysis, state, analysing }) => {
  const show = analysis && !isOver();
  // The room stays while the next position is searched, so that nothing below it moves.
  $("lines").hidden = !show && !analysing;
  if (!analysis) $("candidates").tBodies[0].replaceChildren();
  if (!show) {
    $("analysis-summary").textContent = NOTHING;
    return;
  }
  const proven = proof(analysis);
  const parts = [
    `${state.sides[state.to_move]} ${proven ? `has a proven ${proven}` : percent(analysis.value)}`,
    ...(analysis.depth ? [`depth ${analysis.depth}`] : []),
    `${count(analysis.nodes)} nodes`, `${analysis.seconds.toFixed(1)} s`,
  ];
  $("analysis-summary").textContent = parts.join(" · ");
  showTable($("candidates"), analysis, state, showLine);
});
