// @ts-check
// Puzzles: positions in which exactly one move wins. On the main line the file knows every move that
// wins, proven beforehand; elsewhere the engine is asked.

import * as api from "./api.js";
import { $, button, element } from "./dom.js";
import { goTo, open, people, place, play, say } from "./game.js";
import { complain } from "./notice.js";
import * as saved from "./saved.js";
import { store } from "./store.js";

/** @typedef {import("../types").Puzzle} Puzzle */

/** Who judges where the file says nothing, and how long it may take. */
const JUDGE = { player: "spinney", limits: { nodes: 2_000_000, time: 5000 } };
/** Milliseconds before the other side answers. */
const PAUSE = 350;

/** @type {Puzzle[] | null} */
let puzzles = null;

/** All puzzles, the easiest first. */
async function all() {
  if (!puzzles) {
    const lines = (await api.puzzles()).split("\n").filter(Boolean);
    puzzles = lines.map((line) => JSON.parse(line)).sort((a, b) => a.plies - b.plies || a.index - b.index);
  }
  return puzzles;
}

const lengthOf = ({ plies }) => Math.ceil(plies / 2);

/** Shows the first puzzle that was not solved yet, of this length if one is given. */
export async function nextPuzzle(length = 0) {
  const known = await all();
  const solved = saved.solvedPuzzles();
  const wanted = known.filter((puzzle) => !length || lengthOf(puzzle) === length);
  const now = store.values.puzzle?.puzzle;
  const after = now ? wanted.slice(wanted.indexOf(now) + 1) : wanted;
  const isNew = ({ index }) => !(index in solved);
  await show(after.find(isNew) ?? wanted.find(isNew) ?? after[0] ?? wanted[0]);
}

async function show(/** @type {Puzzle} */ puzzle) {
  store.set({ live: false, analysing: false });
  await open({ spec: "loa", start: puzzle.position, seats: people(), about: { name: `Win in ${lengthOf(puzzle)}` }, id: 0 });
  const side = store.values.state.to_move;
  store.set({ flipped: side === 1, puzzle: { puzzle, verdict: "", text: "", helped: false } });
  say(`${store.values.state.sides[side]} to move wins in ${lengthOf(puzzle)}.`);
}

function set(/** @type {Partial<NonNullable<import("../types").Page["puzzle"]>>} */ values) {
  if (store.values.puzzle) store.set({ puzzle: { ...store.values.puzzle, ...values } });
}

/** Whether the moves so far are those of the main line. */
const onLine = (/** @type {Puzzle} */ { line }, /** @type {string[]} */ moves) => moves.every((move, i) => line[i] === move);

const judged = () => api.analyse({ ...place(), ...JUDGE }, () => {}, new AbortController().signal);

/** The person plays a move: it is judged and answered. */
export async function answer(/** @type {import("../types").Move} */ move) {
  const { puzzle } = /** @type {NonNullable<typeof store.values.puzzle>} */ (store.values.puzzle);
  const before = store.values.game.tree.moves();
  const known = onLine(puzzle, before) ? puzzle.wins[before.length / 2] : null;
  await play(move);
  const isShown = () => store.values.puzzle?.puzzle === puzzle && store.values.state.played.length === before.length + 1;
  const { outcome } = store.values.state;
  const solver = puzzle.position.endsWith("b") ? 0 : 1;
  try {
    // 1. Does it win? What a solver cannot prove does not count.
    const found = known || outcome ? null : await judged();
    const wins = known?.includes(move.move) ?? (outcome ? outcome.winner === solver : found?.proven === "loss");
    if (!isShown()) return;
    if (!wins) {
      set({ verdict: "wrong", text: `${move.label} does not win.`, helped: true });
      return;
    }
    if (outcome) {
      solved(puzzle);
      return;
    }
    // 2. The defence that lasts longest.
    set({ verdict: "right", text: "Right. And now?" });
    const moves = [...before, move.move];
    const reply = onLine(puzzle, moves) ? puzzle.line[moves.length] : (found ?? await judged()).best;
    await new Promise((resolve) => setTimeout(resolve, PAUSE));
    if (!isShown()) return;
    const legal = store.values.state.legal.find((one) => one.move === reply);
    if (legal) await play(legal);
    if (store.values.state.outcome) solved(puzzle);
  } catch (error) {
    complain(error);
  }
}

function solved(/** @type {Puzzle} */ puzzle) {
  const helped = store.values.puzzle?.helped ?? false;
  saved.solvedPuzzle(puzzle.index, !helped);
  set({ verdict: "solved", text: helped ? "Solved, with help." : "Solved." });
}

/** First the man that moves, then its move. */
function hint() {
  const { puzzle, game, state, hint: shown } = store.values;
  const moves = game.tree.moves();
  const best = onLine(puzzle.puzzle, moves) ? puzzle.puzzle.line[moves.length] : null;
  const move = state.legal.find((one) => one.move === best);
  if (!move) return;
  const squares = shown ? move.squares : move.squares.slice(0, 1);
  store.set({ hint: [{ squares, rank: 1, share: 1 }] });
  set({ helped: true });
}

async function tryAgain() {
  const { tree } = store.values.game;
  await goTo(tree.node.parent ?? 0);
  set({ verdict: "", text: "" });
}

/** A choice of lengths, with the number solved of each. */
function lengths(/** @type {Puzzle[]} */ known, /** @type {Puzzle} */ now) {
  const done = saved.solvedPuzzles();
  const kinds = [...new Set(known.map(lengthOf))];
  const options = kinds.map((length) => {
    const these = known.filter((puzzle) => lengthOf(puzzle) === length);
    const count = these.filter(({ index }) => index in done).length;
    return element("option", { value: length, selected: length === lengthOf(now) }, `Win in ${length} (${count} of ${these.length} solved)`);
  });
  const select = element("select", { aria: { label: "Length of the puzzles" } }, ...options);
  select.addEventListener("change", () => nextPuzzle(Number(select.value)).catch(complain));
  return select;
}

store.view(["puzzle", "state"], ({ puzzle: shown, state }) => {
  $("puzzle").hidden = !shown;
  if (!shown || !state || !puzzles) return;
  const { puzzle, verdict, text } = shown;
  const side = state.sides[puzzle.position.endsWith("b") ? 0 : 1];
  const next = () => nextPuzzle(lengthOf(puzzle)).catch(complain);
  const wrong = verdict === "wrong";
  const done = verdict === "solved";
  $("puzzle").replaceChildren(
    element("div", { className: "card-head" },
      element("h2", {}, `${side} wins in ${lengthOf(puzzle)}`), lengths(puzzles, puzzle)),
    element("p", { role: "status", className: wrong ? "error" : done ? "solved" : "" },
      text || (lengthOf(puzzle) === 1 ? "Find the move that connects all men." : "Only one move wins. Find it.")),
    element("div", { className: "buttons" },
      ...(wrong ? [button("Try again", () => tryAgain().catch(complain), { className: "primary" })] : []),
      ...(wrong || done ? [] : [button("Hint", hint)]),
      button("Next puzzle", next, { className: done ? "primary" : "" })),
  );
});
