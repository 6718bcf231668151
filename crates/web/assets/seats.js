// Who sits at the board: the line above it and the one below.

import { man, svg } from "./pieces.js";

/** Shows a side: its man, its name, who plays it, whose turn it is, the time left. */
export function showSeat(element, state, side, { turn, note, who, time }) {
  const swatch = svg("svg", { viewBox: "0 0 100 100", class: "swatch", "aria-hidden": "true" });
  const plain = { chess: "men", knights: "men", stones: "loa" }[state.style] ?? state.style;
  if (plain === "dominoes") {
    const shape = side === 0 ? { x: 30, y: 8, width: 40, height: 84 } : { x: 8, y: 30, width: 84, height: 40 };
    swatch.append(svg("g", { class: `domino side-${side}` }, svg("rect", { ...shape, rx: 10 })));
  } else swatch.append(man({ ...state, style: plain }, side, "m"));
  const name = document.createElement("strong");
  name.textContent = state.sides[side];
  const span = (kind, text) => {
    const element = document.createElement("span");
    Object.assign(element, { className: kind, textContent: text });
    return element;
  };
  element.classList.toggle("turn", turn);
  element.replaceChildren(swatch, name, span("quiet who-text", who), span("note", note), span("time", time));
}
