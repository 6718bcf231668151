// @ts-check
// Editing a position: men from a palette onto the board, then the text of the position.

import * as api from "./api.js";
import { $, button, element, svg } from "./dom.js";
import { stopThinking } from "./game.js";
import { NAMES, man } from "./pieces.js";
import { store } from "./store.js";
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
    ranks.push(text.replace(/1+/g, (empty) => String(empty.length)));
  }
  const side = letters.turn[toMove];
  const rights = castling.join("") || "-";
  return `${ranks.join("/")} ${side}${style === "chess" ? ` ${rights} - 0 1` : ""}`;
}

export class Editor {
  /**
   * `onDone(text)` gets the new position, once the server has taken it.
   * @param {import("./board.js").Board} board
   * @param {(text: string) => void} onDone
   */
  constructor(board, onDone) {
    this.board = board;
    this.onDone = onDone;
    this.brush = null;
    this.castling = new Set();
    this.problem = "";
    store.view(["editing"], ({ editing }) => this.draw(editing));
  }

  begin() {
    stopThinking();
    const { state } = store.values;
    const { [0]: first } = this.brushes(state);
    this.brush = first;
    this.castling = new Set(state.style === "chess" ? state.position.split(" ")[2] : "");
    this.problem = "";
    store.set({ live: false, hint: null, preview: null, analysing: false });
    this.change({ ...state, legal: [], outcome: null, connections: null });
    requestAnimationFrame(() => $("play").scrollIntoView({ block: "start" }));
  }

  brushes({ style }) {
    const kinds = style === "chess" ? CHESSMEN : ["m"];
    return [0, 1].flatMap((side) => kinds.map((kind) => ({ side, kind })));
  }

  change(/** @type {Partial<import("../types").State>} */ parts) {
    store.set({ editing: { ...store.values.editing, ...parts } });
  }

  /** The text of the position; chess with the rights that are chosen and possible. */
  text() {
    const { editing } = store.values;
    return positionText(editing, castlingAllowed(editing).filter((letter) => this.castling.has(letter)));
  }

  async done() {
    const text = this.text();
    try {
      await api.position({ game: store.values.game.spec, start: text, moves: [] });
      store.set({ editing: null });
      this.onDone(text);
    } catch (error) {
      this.problem = error.message;
      this.draw(store.values.editing);
    }
  }

  put(/** @type {string} */ square) {
    const { men } = store.values.editing;
    const before = men.find((one) => one.square === square);
    const others = men.filter((one) => one !== before);
    const { brush } = this;
    const same = before && brush && before.side === brush.side && before.kind === brush.kind;
    this.problem = "";
    this.change({ men: brush && !same ? [...others, { square, ...brush }] : others });
  }

  draw(/** @type {import("../types").State | null} */ editing) {
    $("palette").hidden = !editing;
    this.board.onEdit = editing ? (square) => this.put(square) : null;
    if (!editing) return;
    $("position").value = this.text();
    const redraw = () => this.draw(store.values.editing);
    const brushes = this.brushes(editing).map((brush) => {
      const look = editing.style === "dominoes" ? { ...editing, style: "marks" } : editing;
      const picture = svg("svg", { viewBox: "0 0 100 100", class: `swatch style-${editing.style}` }, man(look, brush.side, brush.kind));
      const chosen = this.brush && this.brush.side === brush.side && this.brush.kind === brush.kind;
      return button(picture, () => { this.brush = brush; redraw(); }, {
        className: "brush", aria: { pressed: Boolean(chosen), label: `${editing.sides[brush.side]} ${NAMES[brush.kind]}` },
      });
    });
    const erase = button("Erase", () => { this.brush = null; redraw(); }, { aria: { pressed: !this.brush } });
    const { sides, to_move: toMove } = editing;
    const rights = castlingAllowed(editing).map((letter) => {
      const { side, text } = CASTLING[letter];
      const has = this.castling.has(letter);
      return button(`${sides[side]} ${text}`, () => {
        if (!this.castling.delete(letter)) this.castling.add(letter);
        redraw();
      }, { aria: { pressed: has } });
    });
    $("palette").replaceChildren(
      ...brushes, erase,
      button(`${sides[toMove]} to move`, () => this.change({ to_move: 1 - toMove })),
      ...rights,
      button("Clear", () => { this.problem = ""; this.change({ men: [] }); }),
      button("Cancel", () => store.set({ editing: null })),
      button("Done", () => this.done(), { className: "primary" }),
      element("p", { className: "error", role: "alert", hidden: !this.problem }, this.problem),
    );
  }
}
