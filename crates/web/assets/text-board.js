// @ts-check
// A board without squares, of a game whose rules come from elsewhere: its text, and its moves as buttons.

import { button, element } from "./dom.js";

/** Whether there is a text to show in place of squares. */
export function showText(/** @type {import("./board.js").Board} */ board) {
  const { state, interactive } = board;
  board.element.querySelector(".text-board")?.remove();
  board.root.style.display = state.text == null ? "" : "none";
  if (state.text == null) return false;
  const moves = state.legal.map((move) => button(move.label, () => board.play([move]), { disabled: !interactive }));
  const text = element("pre", {}, state.text);
  board.element.append(element("div", { class: "text-board" }, text, element("div", { class: "text-moves" }, ...moves)));
  return true;
}
