// What a pawn becomes.

import { NAMES, man, svg } from "./pieces.js";

const ORDER = ["queen", "rook", "bishop", "knight"];

/** Asks which of several moves with the same squares is meant; resolves with it, or nothing. */
export function askPromotion(moves, side) {
  const dialog = document.getElementById("promotion");
  const choices = moves.map((move) => {
    const kind = move.move.at(-1);
    const button = document.createElement("button");
    button.value = move.move;
    button.className = "promote";
    button.setAttribute("aria-label", NAMES[kind] ?? move.label);
    const picture = svg("svg", { viewBox: "0 0 100 100" });
    picture.append(man({ style: "chess", light_first: true }, side, kind));
    button.append(picture);
    return button;
  });
  choices.sort((a, b) => ORDER.indexOf(a.ariaLabel) - ORDER.indexOf(b.ariaLabel));
  document.getElementById("promotion-choices").replaceChildren(...choices);
  dialog.returnValue = "";
  dialog.showModal();
  return new Promise((resolve) => {
    dialog.addEventListener("close", () => {
      resolve(moves.find((move) => move.move === dialog.returnValue));
    }, { once: true });
  });
}
