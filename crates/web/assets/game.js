// @ts-check
// The game that is shown: its present position, who moves, how it ends.

import * as api from "./api.js";
import { Clock } from "./clock.js";
import { complain } from "./notice.js";
import { PERSON, limitsOf, specOf } from "./seats.js";
import { keep, link, save } from "./saved.js";
import { store } from "./store.js";
import { Tree } from "./tree.js";
import { endText, wordsFor } from "./words.js";

/** @typedef {import("../types").Move} Move */

export const clock = new Clock(() => store.set({ ticks: store.values.ticks + 1 }), (side) => end(1 - side, "on time"));

/** Only the newest request for a position is shown. */
let request = 0;

// --- The present position ------------------------------------------------------------------

/** What a request says of the game. */
export function place(moves = store.values.game.tree.moves()) {
  const { spec, start } = store.values.game;
  return { game: spec, start, moves };
}

/** The result that the record tells, at the end of its main line: a resignation, a lost clock. */
export function endedByRecord({ game } = store.values) {
  const { about, tree } = game;
  return about.ending && tree.at === tree.end ? about.ending : null;
}

export function isOver({ game, state } = store.values) {
  return Boolean(state && (state.outcome || endedByRecord({ ...store.values, game })));
}

export const seatToMove = ({ game, state } = store.values) => game.seats[state.to_move];

/** Whose move the first of the game is. */
export const firstToMove = ({ state } = store.values) => (state.to_move + state.played.length) % 2;

export const say = (/** @type {string} */ text) => store.set({ status: text });

/**
 * Fetches and shows the position of the present node, then lets whoever is to move begin. False if
 * the server refuses; null if another request came first.
 */
export async function refresh() {
  const mine = ++request;
  store.set({ busy: true, editing: null, preview: null });
  stopThinking();
  let state = null;
  try {
    state = await api.position(place());
  } catch (error) {
    if (mine === request) complain(error);
  }
  if (mine !== request) return null;
  store.set({ busy: false });
  if (!state) return false;
  const { game } = store.values;
  game.tree.node.key = state.key;
  if (state.outcome) game.tree.node.value ??= outcomeValue(state.outcome);
  if (game.tree.at === game.tree.end) game.outcome = state.outcome;
  store.set({ state, analysis: null, hint: null, drawn: [], threat: null });
  store.touch("game");
  say(wordsFor(state, endedByRecord()));
  remember();
  runClock();
  think();
  return true;
}

const outcomeValue = ({ winner }) => (winner == null ? 0 : winner === 0 ? 1 : -1);

// --- Playing -------------------------------------------------------------------------------

export async function play(/** @type {Move} */ move) {
  const { game, state } = store.values;
  clock.moved(state.to_move);
  store.set({ live: true });
  game.tree.play(move);
  if ((await refresh()) === false) {
    game.tree.remove();
    store.touch("game", "state");
  }
}

function runClock() {
  const { game, state, live } = store.values;
  const playing = live && !isOver() && game.tree.at !== 0 && !game.tree.node.children.length;
  clock.run(playing ? state.to_move : null);
}

/** Lets an engine move, if it is its turn. */
async function think() {
  const { live, thinking, state, game } = store.values;
  if (!live || isOver() || !seatToMove().player || thinking) return;
  const seat = seatToMove();
  const mine = new AbortController();
  store.set({ thinking: mine });
  const index = game.tree.at;
  try {
    const seed = Math.floor(Math.random() * 1e9);
    const request = { ...place(), player: specOf(seat), limits: limitsOf(seat), seed };
    const analysis = await api.analyse(request, () => {}, mine.signal);
    if (store.values.thinking !== mine) return;
    store.set({ thinking: null });
    note(index, analysis, state.to_move, state.to_move);
    const move = state.legal.find(({ move }) => move === analysis.best);
    if (move) await play(move);
  } catch (error) {
    if (store.values.thinking !== mine) return;
    store.set({ thinking: null, live: false });
    clock.run(null);
    complain(error);
  }
}

export function stopThinking() {
  store.values.thinking?.abort();
  store.set({ thinking: null });
}

/**
 * Remembers the value of a node for the graph. `by` is the side of an engine that plays, whose opinion
 * counts less than that of an analysis.
 */
export function note(index, analysis, toMove, by = null) {
  const node = store.values.game.tree.nodes[index];
  if (!(analysis.simulations || analysis.proven) || (by != null && node.value != null && node.by == null)) return;
  Object.assign(node, { value: toMove === 0 ? analysis.value : -analysis.value, by });
  store.set({ values: store.values.values + 1 });
}

function end(winner, how) {
  const { game, state } = store.values;
  stopThinking();
  clock.run(null);
  game.about.ending = { winner, how };
  store.touch("game", "state");
  say(endText(state, game.about.ending));
  remember();
}

/** The person to move resigns, or the only one if an engine thinks. */
export function resign() {
  const { state } = store.values;
  end(seatToMove().player ? state.to_move : 1 - state.to_move, "by resignation");
}

/** Takes moves back until a person is to move. */
export async function takeBack() {
  const { game } = store.values;
  game.about.ending = null;
  const engines = game.seats.map((seat) => Boolean(seat.player));
  const first = firstToMove();
  do game.tree.remove();
  while (game.tree.at !== 0 && !engines.every(Boolean) && engines[(first + game.tree.path().length) % 2]);
  store.set({ live: game.tree.at !== 0 || !engines[first] });
  await refresh();
}

export async function goTo(/** @type {number} */ index) {
  store.set({ live: false });
  store.values.game.tree.at = index;
  await refresh();
}

/** Plays several moves at once, as variations where they are new. */
export async function playLine(/** @type {Move[]} */ moves) {
  store.set({ live: false });
  moves.forEach((move) => store.values.game.tree.play(move));
  await refresh();
}

/** Takes the present node out, with all that follows it. */
export async function removeNode() {
  const { game } = store.values;
  game.about.ending = null;
  game.tree.remove();
  store.set({ live: false });
  await refresh();
}

/** Makes the line that is shown the main line. */
export function promote() {
  store.values.game.tree.promote();
  store.touch("game");
  remember();
}

/** Writes a comment on the present node, or on the start. */
export function annotate(/** @type {string} */ text) {
  const { about, tree } = store.values.game;
  if (tree.at === 0) about.comment = text;
  else Object.assign(tree.node, { comment: text, reviewed: false });
  store.touch("game");
  remember();
}

/** One step through the game: `first`, `back`, `forward` or `last`. */
export async function walk(/** @type {"first" | "back" | "forward" | "last"} */ step) {
  const { tree } = store.values.game;
  const before = tree.at;
  tree[step]();
  if (tree.at !== before) await goTo(tree.at);
}

/** Lets engines play on, or stops them. */
export function resume() {
  store.set({ live: !store.values.live });
  if (!store.values.live) stopThinking();
  runClock();
  remember();
  think();
}

// --- Games ---------------------------------------------------------------------------------

/** What a record may say of a game. @returns {import("../types").About} */
export const nothing = () => ({
  name: "", event: "", date: "", players: ["", ""], notes: "", comment: "", ending: null,
});

export const people = () => [{ ...PERSON }, { ...PERSON }];

/** Shows another game. Missing parts are those of a game between two people. */
export async function open({ spec, start = null, about = {}, tree = new Tree(), seats = people(), clock: control = null, outcome = null, id = Date.now() }) {
  stopThinking();
  const game = { spec, start, about: { ...nothing(), ...about }, tree, seats, clock: control, outcome, id };
  store.set({ game, analysing: false, review: null, lesson: null, puzzle: null, welcome: false });
  clock.set(control);
  return refresh();
}

/** The game as it is kept and saved. */
export function recorded() {
  const { spec, start, about, outcome, tree, seats, id } = store.values.game;
  return { spec, start, about, outcome, seats, id, ...tree.record(), clock: clock.saved() };
}

/** Keeps the game for a reload, in the list of games and in the address. */
export function remember() {
  const { flipped, live, state } = store.values;
  if (!state) return;
  const hash = link(place());
  const game = recorded();
  save({ ...game, flipped, hash, live, theme: document.documentElement.dataset.theme });
  if (game.nodes.length && game.id) keep({ ...game, title: state.title, sides: state.sides });
  history.replaceState(null, "", hash);
}
