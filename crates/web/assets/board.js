// @ts-check
// The board: one component for every game, by the server's description of the position.
//
// Layers of SVG, each drawn again only when what it shows has changed; men stay and slide. Pointers and
// keys are in board-input.js.

import { listen } from "./board-input.js";
import { svg } from "./dom.js";
import { NAMES, man } from "./pieces.js";
import * as shapes from "./shapes.js";
import { CELL } from "./shapes.js";
import { allSquares, place } from "./squares.js";
import { showText } from "./text-board.js";

/** @typedef {import("../types").State} State */
/** @typedef {import("../types").Move} Move */

/** From the bottom up. */
const LAYERS = ["ground", "last", "links", "actions", "dominoes", "men", "counted", "ghost", "arrows", "marks", "hits"];
/** More men that move at once are not slid: another position is shown. */
const MOST_SLIDES = 2;
/** Milliseconds until a taken man has faded, as in style.css. */
const FADE = 250;

export class Board {
  /**
   * `onMoves` gets the legal moves that the chosen squares leave: one, or the promotions. While
   * `onEdit` is set, it gets the chosen squares instead.
   * @param {HTMLElement} element
   * @param {(moves: Move[]) => void} onMoves
   */
  constructor(element, onMoves) {
    this.element = element;
    this.onMoves = onMoves;
    /** @type {((square: string) => void) | null} */
    this.onEdit = null;
    /** Gets the squares of an arrow that was drawn by hand; null takes all away. @type {(squares: string[] | null) => void} */
    this.onDraw = () => {};
    /** @type {State | null} */
    this.state = null;
    this.selected = null;
    this.hovered = null;
    this.flipped = false;
    this.interactive = false;
    this.focused = "a1";
    this.arrows = [];
    this.last = null;
    this.root = svg("svg", { role: "group" });
    this.layers = Object.fromEntries(LAYERS.map((name) => [name, { group: svg("g"), inputs: null }]));
    this.root.append(...LAYERS.map((name) => this.layers[name].group));
    /** The men that are shown: where, and their elements. @type {{ square: string, side: number, kind: string, figure: any }[]} */
    this.men = [];
    this.element.append(this.root);
    this.view = {
      state: null,
      corner: (square) => this.corner(square),
      centre: (square) => this.corner(square).map((x) => x + CELL / 2),
    };
    listen(this);
  }

  /**
   * Shows a position. `interactive`: whether its moves may be played.
   * @param {State} state
   * @param {{ interactive?: boolean, arrows?: import("../types").Arrow[], last?: Move | null, preview?: boolean, flipped?: boolean }} [options]
   */
  show(state, { interactive = false, arrows = [], last = null, preview = false, flipped = this.flipped } = {}) {
    const same = this.state?.position === state.position && this.state?.to_move === state.to_move;
    if (!same || !interactive) this.selected = null;
    Object.assign(this, { state, interactive, arrows, last, flipped });
    if (showText(this)) return;
    this.draw();
    this.root.classList.toggle("preview", preview);
  }

  select(/** @type {string | null} */ square) {
    if (this.selected === square) return;
    this.selected = square;
    this.draw();
  }

  // --- What the squares mean ---------------------------------------------------------------

  movesWith(/** @type {string[]} */ ...squares) {
    if (!this.interactive) return [];
    const dominoes = this.state.style === "dominoes";
    return this.state.legal.filter((move) =>
      dominoes
        ? squares.every((square) => move.squares.includes(square))
        : squares.every((square, i) => move.squares[i] === square),
    );
  }

  choose(/** @type {string | null} */ square) {
    if (!square) return;
    this.focused = square;
    if (this.onEdit) {
      this.onEdit(square);
      return;
    }
    const from = this.selected;
    const both = from && from !== square ? this.movesWith(from, square) : [];
    const moves = this.movesWith(square);
    const whole = moves.length && moves[0].squares.length === 1;
    const only = moves.length === 1 && this.state.style === "dominoes";
    if (both.length) this.play(both);
    else if (whole || only) this.play(moves);
    else this.select(moves.length && from !== square ? square : null);
  }

  /** A second click must not play a move of the same position again. */
  play(/** @type {Move[]} */ moves) {
    this.selected = null;
    this.interactive = false;
    if (!showText(this)) this.draw();
    this.onMoves(moves);
  }

  /** The squares on which the stone or domino under the pointer would be put. */
  ghost() {
    const { hovered, state } = this;
    if (!hovered || this.onEdit) return [];
    const moves = this.movesWith(hovered);
    const one = moves.find(({ squares }) => squares.length === 1);
    if (one) return one.squares;
    return state.style === "dominoes" && moves.length ? moves[0].squares : [];
  }

  // --- Drawing -----------------------------------------------------------------------------

  /** The upper left corner of a square. */
  corner(/** @type {string} */ square) {
    const { width, height } = this.state;
    const [file, rank] = place(square);
    return this.flipped
      ? [(width - 1 - file) * CELL, rank * CELL]
      : [file * CELL, (height - 1 - rank) * CELL];
  }

  draw() {
    const { state, view, selected, flipped } = this;
    view.state = state;
    const size = [state.style, state.width, state.height, flipped];
    const turned = this.layer("ground", size, () => [...shapes.ground(view), ...shapes.coordinates(view)]);
    if (turned) this.resize();
    const label = `Board, ${state.sides[state.to_move]} to move`;
    if (this.root.getAttribute("aria-label") !== label) this.root.setAttribute("aria-label", label);
    const moves = selected ? this.movesWith(selected) : [];
    const under = moves.find((move) => move.squares[1] === this.hovered);
    this.layer("last", [this.last, state.check, ...size], () => [
      ...shapes.lastMove(view, this.last?.squares ?? []), ...shapes.check(view)]);
    this.layer("links", [state.connections, ...size], () => shapes.links(view));
    this.layer("actions", [selected, state, ...size], () => shapes.actions(view, moves));
    this.layer("dominoes", [state.men, ...size], () => (state.style === "dominoes" ? shapes.dominoes(view) : []));
    this.layer("counted", [under, ...size], () => shapes.counted(view, under));
    const ghost = this.ghost();
    this.layer("ghost", [ghost.join(), state.to_move, ...size], () => shapes.ghost(view, ghost));
    this.layer("arrows", [JSON.stringify(this.arrows), ...size], () => shapes.arrowShapes(view, this.arrows));
    this.layer("marks", [selected, state, this.interactive, ...size], () => shapes.marks(view, selected, moves));
    this.placeMen(turned);
    this.showHits(moves, turned);
    this.root.classList.toggle("choosing", Boolean(selected));
  }

  /** Draws a layer again if its inputs have changed; whether they have. */
  layer(/** @type {string} */ name, /** @type {any[]} */ inputs, /** @type {() => any[]} */ make) {
    const layer = this.layers[name];
    if (layer.inputs?.every((input, i) => input === inputs[i])) return false;
    layer.inputs = inputs;
    layer.group.replaceChildren(...make());
    return true;
  }

  resize() {
    const { state } = this;
    const [w, h] = [state.width * CELL, state.height * CELL];
    const { margin, edge } = shapes.sizes(state);
    this.root.setAttribute("viewBox", `${-margin} ${-edge} ${w + margin + edge} ${h + margin + edge}`);
    this.root.setAttribute("class", `style-${state.style}`);
    // The row around the board: its shape, and which part of its height the squares take up.
    const row = /** @type {HTMLElement} */ (this.element.closest(".play") ?? this.element);
    row.style.setProperty("--board-ratio", String((w + margin + edge) / (h + margin + edge)));
    row.style.setProperty("--above", `${(100 * edge) / (h + margin + edge)}%`);
    row.style.setProperty("--below", `${(100 * margin) / (h + margin + edge)}%`);
  }

  /** Men stay where they are, slide, come or fade. `instant`: nothing moves, the board was turned. */
  placeMen(/** @type {boolean} */ instant) {
    const { group } = this.layers.men;
    const wanted = this.state.style === "dominoes" ? [] : this.state.men;
    const like = (a, b) => a.side === b.side && a.kind === b.kind;
    const left = new Map(this.men.map((one) => [one.square, one]));
    const look = `${this.state.style} ${this.state.light_first}`;
    if (this.look !== look) {
      group.replaceChildren();
      left.clear();
      this.look = look;
    }
    // 1. Those that stay, 2. those that came from another square, 3. new ones.
    const stay = wanted.filter((one) => left.has(one.square) && like(left.get(one.square), one));
    const figures = new Map(stay.map((one) => [one.square, left.get(one.square).figure]));
    stay.forEach((one) => left.delete(one.square));
    const come = wanted.filter((one) => !figures.has(one.square));
    const slides = come.length <= MOST_SLIDES && !instant;
    for (const one of come) {
      const from = slides && [...left.values()].find((other) => like(other, one));
      if (from) {
        left.delete(from.square);
        figures.set(one.square, from.figure);
        group.append(from.figure);
      } else {
        const figure = man(this.state, one.side, one.kind);
        group.append(figure);
        figures.set(one.square, figure);
      }
    }
    for (const { figure } of left.values()) {
      if (slides && left.size <= MOST_SLIDES) {
        figure.classList.add("taken-away");
        delete figure.dataset.man;
        setTimeout(() => figure.remove(), FADE);
      } else figure.remove();
    }
    group.classList.toggle("instant", !slides);
    this.men = wanted.map((one) => ({ ...one, figure: figures.get(one.square) }));
    for (const { square, figure } of this.men) {
      const [x, y] = this.corner(square);
      const at = `translate(${x}px, ${y}px)`;
      if (figure.style.transform !== at && !figure.classList.contains("dragged")) figure.style.transform = at;
      if (figure.dataset.man !== square) figure.dataset.man = square;
    }
  }

  /** What is clicked and focused: a button for every square, one of them in the tab order. */
  showHits(/** @type {Move[]} */ moves, /** @type {boolean} */ turned) {
    const { state } = this;
    const squares = allSquares(state);
    if (!squares.includes(this.focused)) this.focused = "a1";
    const { group } = this.layers.hits;
    if (turned) {
      const had = group.contains(document.activeElement);
      group.replaceChildren(...squares.map((square) => {
        const [x, y] = this.corner(square);
        return svg("rect", { x, y, width: CELL, height: CELL, role: "button", "data-square": square });
      }));
      if (had) this.hit(this.focused).focus({ preventScroll: true });
    }
    const men = new Map(state.men.map((one) => [one.square, one]));
    const origins = new Set(this.interactive ? state.legal.flatMap((move) =>
      (state.style === "dominoes" ? move.squares : move.squares.slice(0, 1))) : []);
    const targets = new Set(moves.flatMap((move) => move.squares).filter((square) => square !== this.selected));
    squares.forEach((square, i) => {
      const one = men.get(square);
      const words = [square];
      if (one) words.push(`${state.sides[one.side]} ${state.style === "dominoes" ? "domino" : NAMES[one.kind]}`);
      if (square === this.selected) words.push("selected");
      if (targets.has(square)) words.push(one ? "can be taken" : "can go here");
      else if (origins.has(square)) words.push("can move");
      const live = origins.has(square) || targets.has(square) || this.onEdit;
      for (const [key, value] of [
        ["class", `hit${live ? " live" : ""}`],
        ["tabindex", square === this.focused ? "0" : "-1"],
        ["aria-label", words.join(", ")],
      ]) {
        if (group.children[i].getAttribute(key) !== value) group.children[i].setAttribute(key, value);
      }
    });
  }

  hit(/** @type {string} */ square) {
    return this.layers.hits.group.querySelector(`[data-square="${square}"]`);
  }

  /** The element of the man on a square. */
  figure(/** @type {string} */ square) {
    return this.men.find((one) => one.square === square)?.figure ?? null;
  }
}
