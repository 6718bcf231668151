// Editing a position: men from a palette onto the board, then the text of the position.

import { NAMES, man, svg } from "./pieces.js";
import { name } from "./squares.js";

/** The letters of positions: those of the men, and those of the side to move. */
const LETTERS = {
  loa: [["x", "o"], ["b", "w"]],
  stones: [["x", "o"], ["b", "w"]],
  men: [["o", "x"], ["w", "b"]],
  knights: [["o", "x"], ["w", "b"]],
  dominoes: [["x", "o"], ["v", "h"]],
  marks: [["x", "o"], ["x", "o"]],
};
const CHESSMEN = ["k", "q", "r", "b", "n", "p"];

/** The text of a position. Chess castles no more, and its counters start anew. */
export function positionText({ style, width, height, men, to_move: toMove }) {
  const letters = new Map(men.map(({ square, side, kind }) => [
    square,
    style === "chess" ? (side === 0 ? kind.toUpperCase() : kind) : LETTERS[style][0][side],
  ]));
  const ranks = [];
  for (let rank = height - 1; rank >= 0; rank--) {
    let text = "";
    for (let file = 0; file < width; file++) text += letters.get(name(file, rank)) ?? "1";
    ranks.push(text.replace(/1+/g, (empty) => empty.length));
  }
  const side = style === "chess" ? "wb"[toMove] : LETTERS[style][1][toMove];
  return `${ranks.join("/")} ${side}${style === "chess" ? " - - 0 1" : ""}`;
}

export class Editor {
  /** `onDone(text)` gets the new position, or null if it was given up. */
  constructor(element, board, onDone) {
    Object.assign(this, { element, board, onDone, state: null });
  }

  get active() {
    return this.state != null;
  }

  begin(state) {
    this.state = { ...state, men: [...state.men], legal: [], outcome: null };
    const kinds = state.style === "chess" ? CHESSMEN : ["m"];
    this.brushes = [
      ...[0, 1].flatMap((side) => kinds.map((kind) => ({ side, kind }))),
      null,
    ];
    this.brush = this.brushes[0];
    this.board.onEdit = (square) => this.put(square);
    this.element.hidden = false;
    this.draw();
  }

  end(text) {
    this.state = null;
    this.board.onEdit = null;
    this.element.hidden = true;
    this.onDone(text);
  }

  put(square) {
    const before = this.state.men.find((one) => one.square === square);
    const men = this.state.men.filter((one) => one !== before);
    const same = before && this.brush && before.side === this.brush.side && before.kind === this.brush.kind;
    if (this.brush && !same) men.push({ square, ...this.brush });
    this.state.men = men;
    this.draw();
  }

  draw() {
    this.board.show(this.state);
    const button = (text, action, pressed) => {
      const element = document.createElement("button");
      element.append(text);
      element.addEventListener("click", () => action());
      if (pressed != null) element.setAttribute("aria-pressed", pressed);
      return element;
    };
    const brushes = this.brushes.map((brush) => {
      const choose = () => {
        this.brush = brush;
        this.draw();
      };
      if (!brush) return button("Erase", choose, this.brush === null);
      const picture = svg("svg", { viewBox: "0 0 100 100", class: `swatch style-${this.state.style}` });
      picture.append(man(this.state.style === "dominoes" ? "marks" : this.state.style, brush.side, brush.kind));
      const element = button(picture, choose, this.brush === brush);
      element.classList.add("brush");
      element.setAttribute("aria-label", `${this.state.sides[brush.side]} ${NAMES[brush.kind]}`);
      return element;
    });
    const { sides, to_move: toMove } = this.state;
    const turn = button(`${sides[toMove]} to move`, () => {
      this.state.to_move = 1 - toMove;
      this.draw();
    });
    const clear = button("Clear", () => {
      this.state.men = [];
      this.draw();
    });
    const done = button("Done", () => this.end(positionText(this.state)));
    done.className = "primary";
    const cancel = button("Cancel", () => this.end(null));
    this.element.replaceChildren(...brushes, turn, clear, cancel, done);
  }
}
