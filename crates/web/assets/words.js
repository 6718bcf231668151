// What happens in a game, in words: for the status line and for screen readers.

import { groups } from "./squares.js";

/** The last move, and what comes next. `ended` of the game is a resignation or a lost clock. */
export function wordsFor(state, game) {
  const words = [];
  const last = state.played.at(-1);
  const mover = state.sides[1 - state.to_move];
  if (last) words.push(last.squares.length ? `${mover} played ${last.label}.` : `${mover} had no move and passed.`);
  if (state.outcome || (game.ended && !game.tree.node.children.length)) words.push(endText(state, game));
  else if (state.legal.length === 1 && state.legal[0].squares.length === 0) {
    words.push(`${state.sides[state.to_move]} has no move and must pass.`);
  } else {
    words.push(`${state.sides[state.to_move]} to move.`);
    if (state.style === "loa") words.push(groupText(state));
  }
  return words.join(" ");
}

function groupText(state) {
  const numbers = [0, 1].map((side) =>
    groups(state.men.filter((one) => one.side === side).map((one) => one.square)).count);
  return `Groups: ${state.sides[0]} ${numbers[0]}, ${state.sides[1]} ${numbers[1]}.`;
}

export function endText(state, game) {
  if (state.outcome) {
    const { winner, how } = state.outcome;
    const result = winner == null ? "Draw" : `${state.sides[winner]} wins`;
    return how ? `${result}: ${how}.` : `${result}.`;
  }
  return `${state.sides[game.ended.winner]} wins ${game.ended.how}.`;
}
