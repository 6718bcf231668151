// @ts-check
// What a pawn becomes.

import { $, ask, element, svg } from "./dom.js";
import { NAMES, man } from "./pieces.js";

const ORDER = ["queen", "rook", "bishop", "knight"];

/** Asks which of several moves with the same squares is meant; resolves with it, or nothing. */
export async function askPromotion(/** @type {import("../types").Move[]} */ moves, /** @type {number} */ side) {
  const choices = moves.map((move) => {
    const kind = move.move.at(-1);
    const picture = svg("svg", { viewBox: "0 0 100 100" }, man({ style: "chess", light_first: true }, side, kind));
    return element("button", { value: move.move, className: "promote", aria: { label: NAMES[kind] ?? move.label } }, picture);
  });
  choices.sort((a, b) => ORDER.indexOf(a.ariaLabel) - ORDER.indexOf(b.ariaLabel));
  $("promotion-choices").replaceChildren(...choices);
  const chosen = await ask($("promotion"));
  return moves.find((move) => move.move === chosen);
}
