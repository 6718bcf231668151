// @ts-check
// The review of a game: every position of a line is searched, and each move is judged by the winning
// chance that it lost.
//
// The winning chance is the expected share of the points, from 0 to 1. A move that loses at least 0.05 of
// it is doubtful (?!), 0.1 a mistake (?), 0.2 a blunder (??). The accuracy of a move follows the curve
// of lichess (103.17 exp(-4.354 loss) - 3.17 percent), that of a side is the mean of its moves.

import * as api from "./api.js";
import { analysisPlayer } from "./analyst.js";
import { percent, proof } from "./analysis.js";
import { firstToMove, goTo, note, place, remember } from "./game.js";
import { complain } from "./notice.js";
import { store } from "./store.js";

/** Milliseconds for a position at most, and for the whole game. */
const LONGEST = 500;
const TOTAL = 25_000;
/** The loss of winning chance from which a judgement holds, the worst first; its number in PGN. */
const JUDGEMENTS = [[0.2, 4], [0.1, 2], [0.05, 6]];
/** Moves of the better line that are kept as a variation. */
const BETTER_MOVES = 5;
const SIGNS = { 4: "??", 2: "?", 6: "?!" };

/** The judgement of a loss; null for a good move. */
export const judge = (/** @type {number} */ loss) => JUDGEMENTS.find(([least]) => loss >= least)?.[1] ?? null;

export const accuracyOf = (/** @type {number} */ loss) =>
  Math.min(100, Math.max(0, 103.1668 * Math.exp(-4.354 * loss) - 3.1669));

/** Reviews the line through the present node, or stops. */
export async function toggleReview() {
  if (store.values.review) {
    stopReview();
    return;
  }
  const controller = new AbortController();
  const { tree } = store.values.game;
  const line = tree.line();
  store.set({ analysing: false, review: { done: 0, total: line.length, controller } });
  const first = firstToMove();
  const time = Math.min(LONGEST, Math.round(TOTAL / line.length));
  /** What was found in the position before. @type {import("../types").Analysis | null} */
  let before = null;
  try {
    for (const [ply, index] of line.entries()) {
      const request = { ...place(tree.moves(index)), player: analysisPlayer(1), limits: { time }, seed: 1 };
      const found = await api.analyse(request, () => {}, controller.signal);
      if (controller.signal.aborted) return;
      note(index, { ...found, simulations: 1 }, (first + ply) % 2);
      if (before) await judgeMove(tree, index, before, found);
      before = found;
      store.set({ review: { done: ply + 1, total: line.length, controller } });
    }
    remember();
  } catch (error) {
    if (!controller.signal.aborted) complain(error);
  }
  if (store.values.review?.controller === controller) store.set({ review: null });
}

export function stopReview() {
  store.values.review?.controller.abort();
  store.set({ review: null });
}

/** Notes what a move has lost. Values are those of the side to move, before it and after it. */
async function judgeMove(tree, index, before, after) {
  const node = tree.nodes[index];
  const played = -after.value;
  const loss = before.best === node.move ? 0 : Math.max(0, (before.value - played) / 2);
  node.loss = loss;
  const nag = judge(loss);
  const judgedByOthers = node.nags.length > 0 && !node.reviewed;
  if (judgedByOthers) return;
  node.reviewed = true;
  node.nags = nag ? [nag] : [];
  node.comment = "";
  if (nag) {
    const parent = node.parent;
    const better = await betterLine(tree, parent, before);
    const missed = before.proven === "win" && after.proven !== "loss" ? ` A forced ${proof(before)} was missed.` : "";
    const chances = `${percent(before.value)} → ${percent(played)}`;
    node.comment = `${SIGNS[nag]} ${chances}.${missed}${better ? ` Better: ${better}.` : ""}`;
  }
  store.touch("game");
}

/** Adds the better line as a variation; the label of its first move. */
async function betterLine(tree, parent, { best, pv }) {
  const moves = pv[0] === best ? pv.slice(0, BETTER_MOVES) : [best];
  const after = await api.position(place([...tree.moves(parent), ...moves])).catch(() => null);
  if (!after) return "";
  let at = parent;
  for (const { move, label } of after.played.slice(-moves.length)) {
    at = tree.nodes[at].children.find((i) => tree.nodes[i].move === move) ?? tree.add(at, { move, label });
  }
  return after.played.at(-moves.length).label;
}

/** The accuracy and the judgements of each side; null if nothing was reviewed. */
export function summary({ game, state } = store.values) {
  const sides = [0, 1].map(() => ({ losses: [], counts: { 6: 0, 2: 0, 4: 0 } }));
  game.tree.line().slice(1).forEach((index, ply) => {
    const { loss, nags } = game.tree.nodes[index];
    if (loss == null) return;
    const side = sides[(firstToMove({ ...store.values, state }) + ply) % 2];
    side.losses.push(loss);
    for (const nag of nags) if (nag in side.counts) side.counts[nag] += 1;
  });
  if (!sides.some(({ losses }) => losses.length)) return null;
  return sides.map(({ losses, counts }) => ({
    accuracy: losses.length ? losses.reduce((sum, loss) => sum + accuracyOf(loss), 0) / losses.length : null,
    counts,
  }));
}

/** The next mistake after the present node, or the first. */
export function nextMistake() {
  const { tree } = store.values.game;
  const line = tree.line();
  const bad = line.filter((index) => tree.nodes[index].nags.some((nag) => nag in SIGNS));
  const at = line.indexOf(tree.at);
  const next = bad.find((index) => line.indexOf(index) > at) ?? bad[0];
  if (next != null) goTo(next);
}
