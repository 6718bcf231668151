// Editing a position: men from a palette onto the board, then the text of the position.

import { NAMES, man, svg } from "./pieces.js";
import { name } from "./squares.js";

const CHESSMEN = ["k", "q", "r", "b", "n", "p"];

/** The ways to castle by their letters in FEN: the side, the place of its king and of the rook. */
const CASTLING = {
  K: { side: 0, king: "e1", rook: "h1", text: "O-O" },
  Q: { side: 0, king: "e1", rook: "a1", text: "O-O-O" },
  k: { side: 1, king: "e8", rook: "h8", text: "O-O" },
  q: { side: 1, king: "e8", rook: "a8", text: "O-O-O" },
};

/** The ways to castle that the places of kings and rooks allow. */
function castlingAllowed({ style, men }) {
  if (style !== "chess") return [];
  const stands = (side, kind, square) =>
    men.some((one) => one.side === side && one.kind === kind && one.square === square);
  return Object.keys(CASTLING).filter((letter) => {
    const { side, king, rook } = CASTLING[letter];
    return stands(side, "k", king) && stands(side, "r", rook);
  });
}

/** The text of a position. `castling` has the letters of rights; the counters of chess start anew. */
export function positionText({ style, letters, width, height, men, to_move: toMove }, castling) {
  const placed = new Map(men.map(({ square, side, kind }) => [
    square,
    style === "chess" ? (side === 0 ? kind.toUpperCase() : kind) : letters.men[side],
  ]));
  const ranks = [];
  for (let rank = height - 1; rank >= 0; rank--) {
    let text = "";
    for (let file = 0; file < width; file++) text += placed.get(name(file, rank)) ?? "1";
    ranks.push(text.replace(/1+/g, (empty) => empty.length));
  }
  const side = letters.turn[toMove];
  const rights = castling.join("") || "-";
  return `${ranks.join("/")} ${side}${style === "chess" ? ` ${rights} - 0 1` : ""}`;
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
    this.castling = new Set(state.style === "chess" ? state.position.split(" ")[2] : "");
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
      picture.append(man(this.state.style === "dominoes" ? { ...this.state, style: "marks" } : this.state, brush.side, brush.kind));
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
    const allowed = castlingAllowed(this.state);
    const rights = allowed.map((letter) => {
      const { side, text } = CASTLING[letter];
      const has = this.castling.has(letter);
      return button(`${sides[side]} ${text}`, () => {
        if (has) this.castling.delete(letter);
        else this.castling.add(letter);
        this.draw();
      }, has);
    });
    const chosen = allowed.filter((letter) => this.castling.has(letter));
    const done = button("Done", () => this.end(positionText(this.state, chosen)));
    done.className = "primary";
    const cancel = button("Cancel", () => this.end(null));
    this.element.replaceChildren(...brushes, turn, ...rights, clear, cancel, done);
  }
}
