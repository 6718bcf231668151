// @ts-check
// What happens in a game, in words: for the status line and for screen readers.

/** @typedef {import("../types").State} State */
/** @typedef {import("../types").Ending} Ending */

/** The last move, and what comes next. `ending` is a resignation or a lost clock. */
export function wordsFor(/** @type {State} */ state, /** @type {Ending | null} */ ending) {
  const words = [];
  const last = state.played.at(-1);
  const mover = state.sides[1 - state.to_move];
  if (last) words.push(last.squares.length ? `${mover} played ${last.label}.` : `${mover} had no move and passed.`);
  if (state.outcome || ending) words.push(endText(state, ending));
  else if (state.legal.length === 1 && state.legal[0].squares.length === 0) {
    words.push(`${state.sides[state.to_move]} has no move and must pass.`);
  } else {
    words.push(`${state.sides[state.to_move]} to move.`);
    const groups = state.connections?.groups;
    if (groups) words.push(`Groups: ${state.sides[0]} ${groups[0]}, ${state.sides[1]} ${groups[1]}.`);
  }
  return words.join(" ");
}

/** Who wins and why. What ended it on the board goes before what the record says. */
export function endText(/** @type {State} */ state, /** @type {Ending | null} */ ending) {
  const { winner, how } = state.outcome ?? ending;
  const result = winner == null ? "Draw" : `${state.sides[winner]} wins`;
  if (!how) return `${result}.`;
  return state.outcome ? `${result}: ${how}.` : `${result} ${how}.`;
}
