// The board: one component for every game, by the server's description of the position.
//
// A move is played by its squares: one click for a stone, origin and target for a man (clicked or
// dragged), both squares for a domino.

import { NAMES, man, svg } from "./pieces.js";
import { groups, lineOfAction, name, neighbours, place } from "./squares.js";

const CELL = 100;
/** On a board of eight squares: room for coordinates on two sides, and for the frame on the others. */
const MARGIN = 34;
const EDGE = 12;
const LETTER = 22;
/** Pixels a pointer may tremble without dragging. */
const TREMBLE = 5;

export class Board {
  /**
   * `onMoves` gets the legal moves that the chosen squares leave: one, or the promotions. While
   * `onEdit` is set, it gets the chosen squares instead.
   */
  constructor(element, onMoves) {
    this.element = element;
    this.onMoves = onMoves;
    this.onEdit = null;
    this.selected = null;
    this.flipped = false;
    this.focused = "a1";
    element.addEventListener("keydown", (event) => this.onKey(event));
    element.addEventListener("pointerdown", (event) => this.onDown(event));
    element.addEventListener("pointermove", (event) => this.onPointerMove(event));
    element.addEventListener("pointerup", (event) => this.onUp(event));
    element.addEventListener("pointercancel", () => this.endDrag());
    element.addEventListener("click", (event) => {
      // A press of the keyboard or of a screen reader; pointers are done with by now.
      if (event.detail === 0) this.choose(this.squareOf(event));
    });
  }

  /** Shows a position. `interactive`: whether its moves may be played. */
  show(state, { interactive = false, arrows = [], last = null, preview = false } = {}) {
    const same = this.state?.position === state.position && this.state?.to_move === state.to_move;
    if (!same || !interactive) this.selected = null;
    Object.assign(this, { state, interactive, arrows, last, preview });
    this.draw();
  }

  select(square) {
    this.selected = square;
    this.draw();
  }

  // --- What the squares mean ---------------------------------------------------------------

  movesWith(...squares) {
    if (!this.interactive) return [];
    const dominoes = this.state.style === "dominoes";
    return this.state.legal.filter((move) =>
      dominoes
        ? squares.every((square) => move.squares.includes(square))
        : squares.every((square, i) => move.squares[i] === square),
    );
  }

  /** The squares that complete a move with the selected one. */
  targets(from) {
    return this.movesWith(from).map((move) => move.squares.find((square) => square !== from));
  }

  choose(square) {
    if (!square) return;
    this.focused = square;
    if (this.onEdit) {
      this.onEdit(square);
      return;
    }
    const from = this.selected;
    if (from && from !== square) {
      const moves = this.movesWith(from, square);
      if (moves.length) {
        this.selected = null;
        this.onMoves(moves);
        return;
      }
    }
    const moves = this.movesWith(square);
    const whole = moves.length && moves[0].squares.length === 1;
    const only = moves.length === 1 && this.state.style === "dominoes";
    if (whole || only) {
      this.onMoves(moves);
      return;
    }
    this.select(moves.length && from !== square ? square : null);
  }

  // --- Pointer and keyboard ----------------------------------------------------------------

  squareOf(event) {
    return event.target.closest?.("[data-square]")?.dataset.square ?? null;
  }

  squareAt(event) {
    const element = document.elementFromPoint(event.clientX, event.clientY);
    return element?.closest("#board [data-square]")?.dataset.square ?? null;
  }

  onDown(event) {
    if (event.button !== 0) return;
    const square = this.squareOf(event);
    if (!square) return;
    const start = { square, x: event.clientX, y: event.clientY, was: this.selected };
    const moves = this.movesWith(square);
    const draggable = moves.length && moves[0].squares.length === 2 && this.state.style !== "dominoes";
    this.drag = start;
    if (draggable && this.selected !== square) {
      event.preventDefault();
      this.focused = square;
      this.select(square);
      this.drag.picked = true;
    }
  }

  onPointerMove(event) {
    const { drag } = this;
    const hovered = this.squareAt(event);
    if (hovered !== this.hovered) {
      this.hovered = hovered;
      if (this.selected && !drag?.moving) this.draw();
    }
    if (!drag || this.selected !== drag.square) return;
    const [dx, dy] = [event.clientX - drag.x, event.clientY - drag.y];
    if (!drag.moving && Math.hypot(dx, dy) < TREMBLE) return;
    const figure = this.element.querySelector(`[data-man="${drag.square}"]`);
    if (!figure) return;
    if (!drag.moving) {
      drag.moving = true;
      figure.parentNode.append(figure);
      figure.classList.add("dragged");
    }
    const scale = this.root.viewBox.baseVal.width / this.root.getBoundingClientRect().width;
    const [x, y] = this.corner(drag.square);
    figure.setAttribute("transform", `translate(${x + dx * scale} ${y + dy * scale})`);
  }

  onUp(event) {
    const { drag } = this;
    this.drag = null;
    if (!drag) return;
    const square = this.squareAt(event);
    if (drag.moving) {
      if (square && square !== drag.square && this.movesWith(drag.square, square).length) this.choose(square);
      else this.draw();
    } else if (square === drag.square && !drag.picked) {
      this.choose(square);
    }
  }

  endDrag() {
    this.drag = null;
    if (this.state) this.draw();
  }

  onKey(event) {
    const step = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] }[event.key];
    const square = this.squareOf(event);
    if (!square) return;
    if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      this.choose(square);
    } else if (event.key === "Escape") {
      this.select(null);
    } else if (step) {
      event.preventDefault();
      event.stopPropagation();
      const turn = this.flipped ? -1 : 1;
      const [file, rank] = place(square);
      const next = [file + turn * step[0], rank + turn * step[1]];
      if (next[0] < 0 || next[1] < 0 || next[0] >= this.state.width || next[1] >= this.state.height) return;
      this.focused = this.hovered = name(...next);
      this.draw();
      this.element.querySelector(`[data-square="${this.focused}"]`).focus();
    }
  }

  // --- Drawing -----------------------------------------------------------------------------

  /** The upper left corner of a square. */
  corner(square) {
    const { width, height } = this.state;
    const [file, rank] = place(square);
    return this.flipped
      ? [(width - 1 - file) * CELL, rank * CELL]
      : [file * CELL, (height - 1 - rank) * CELL];
  }

  centre(square) {
    return this.corner(square).map((x) => x + CELL / 2);
  }

  /** What keeps letters and edges the same on the screen, however few the squares. */
  scale() {
    return Math.max(this.state.width, this.state.height) / 8;
  }

  draw() {
    const { state } = this;
    const [w, h] = [state.width * CELL, state.height * CELL];
    const [margin, edge] = [MARGIN, EDGE].map((size) => size * this.scale());
    const hadFocus = this.element.contains(document.activeElement);
    this.root = svg("svg", {
      viewBox: `${-margin} ${-edge} ${w + margin + edge} ${h + margin + edge}`,
      class: `style-${state.style}${this.preview ? " preview" : ""}`,
      role: "group",
      "aria-label": `Board, ${state.sides[state.to_move]} to move`,
    });
    this.root.append(...this.ground(w, h), ...this.coordinates(w, h), ...this.lastMove());
    if (state.style === "loa") this.root.append(...this.links(), ...this.line());
    this.root.append(...this.men(), ...this.counted(), ...this.marks(), ...this.arrowShapes(), ...this.hits());
    this.element.replaceChildren(this.root);
    this.element.style.setProperty("--board-ratio", (w + margin + edge) / (h + margin + edge));
    if (hadFocus) this.element.querySelector(`[data-square="${this.focused}"]`)?.focus({ preventScroll: true });
  }

  *allSquares() {
    for (let rank = 0; rank < this.state.height; rank++) {
      for (let file = 0; file < this.state.width; file++) yield name(file, rank);
    }
  }

  ground(w, h) {
    const edge = 10 * this.scale();
    const shapes = [svg("rect", { x: -edge, y: -edge, width: w + 2 * edge, height: h + 2 * edge, rx: edge, class: "frame" })];
    if (this.state.style === "stones") {
      shapes.push(svg("rect", { x: 0, y: 0, width: w, height: h, class: "light" }));
      for (const square of this.allSquares()) {
        const [x, y] = this.centre(square);
        const [left, right] = [x > CELL / 2 ? x - 50 : x, x < w - CELL / 2 ? x + 50 : x];
        const [up, down] = [y > CELL / 2 ? y - 50 : y, y < h - CELL / 2 ? y + 50 : y];
        shapes.push(svg("path", { d: `M${left} ${y}H${right}M${x} ${up}V${down}`, class: "grid-line" }));
      }
      return shapes;
    }
    for (const square of this.allSquares()) {
      const [x, y] = this.corner(square);
      const [file, rank] = place(square);
      const plain = this.state.style === "dominoes" || this.state.style === "marks";
      const shade = plain || (file + rank) % 2 ? "light" : "dark";
      shapes.push(svg("rect", { x, y, width: CELL, height: CELL, class: `${shade}${plain ? " plain" : ""}` }));
    }
    return shapes;
  }

  coordinates(w, h) {
    const texts = [];
    const [margin, letter] = [MARGIN, LETTER].map((size) => size * this.scale());
    const text = (x, y, value) =>
      texts.push(svg("text", { x, y, "font-size": letter, class: "coordinate", "aria-hidden": "true" }, value));
    for (let file = 0; file < this.state.width; file++) {
      text(this.centre(name(file, 0))[0], h + margin * 0.8, name(file, 0)[0]);
    }
    for (let rank = 0; rank < this.state.height; rank++) {
      text(-margin * 0.65, this.centre(name(0, rank))[1] + letter * 0.35, rank + 1);
    }
    return texts;
  }

  lastMove() {
    return (this.last?.squares ?? []).map((square) => {
      const [x, y] = this.corner(square);
      return svg("rect", { x: x + 3, y: y + 3, width: CELL - 6, height: CELL - 6, rx: 4, class: "last" });
    });
  }

  /** LOA: a bar between men of one side that stand together. */
  links() {
    const [edges, shapes] = [[], []];
    for (const side of [0, 1]) {
      const men = this.state.men.filter((one) => one.side === side).map((one) => one.square);
      const own = new Set(men);
      const whole = groups(men).count === 1;
      for (const square of men) {
        for (const next of neighbours(square)) {
          if (!own.has(next) || next < square) continue;
          const [[x1, y1], [x2, y2]] = [this.centre(square), this.centre(next)];
          const size = whole ? " whole" : "";
          if (side === 1) edges.push(svg("line", { x1, y1, x2, y2, class: `link link-edge${size}` }));
          shapes.push(svg("line", { x1, y1, x2, y2, class: `link link-${side === 0 ? "black" : "white"}${size}` }));
        }
      }
    }
    return [...edges, ...shapes];
  }

  /** LOA: the lines of the selected man, with the number of men that tells how far it moves. */
  line() {
    if (!this.selected) return [];
    const shapes = [];
    for (const to of this.targets(this.selected)) {
      const { men } = lineOfAction(this.selected, to, this.state);
      const [[x1, y1], [x2, y2]] = [this.centre(this.selected), this.centre(to)];
      shapes.push(svg("line", { x1, y1, x2, y2, class: "action" }));
      // Just before the target, where no other line passes.
      const [dx, dy] = [Math.sign(x2 - x1), Math.sign(y2 - y1)];
      const [x, y] = [x2 - dx * 34, y2 - dy * 34];
      this.counts ??= [];
      this.counts.push([x, y, men.length]);
    }
    return shapes;
  }

  /** LOA: the men that count on the line to the square under the pointer. */
  counted() {
    if (this.state.style !== "loa" || !this.selected || !this.targets(this.selected).includes(this.hovered)) return [];
    const { squares, men } = lineOfAction(this.selected, this.hovered, this.state);
    const [[x1, y1], [x2, y2]] = [this.centre(squares[0]), this.centre(squares.at(-1))];
    return [
      svg("line", { x1, y1, x2, y2, class: "action counted" }),
      ...men.map((square) => {
        const [cx, cy] = this.centre(square);
        return svg("circle", { cx, cy, r: 41, class: "counted-man" });
      }),
    ];
  }

  men() {
    if (this.state.style === "dominoes") return this.dominoes();
    return this.state.men.map((one) => {
      const figure = man(this.state, one.side, one.kind);
      const [x, y] = this.corner(one.square);
      figure.setAttribute("transform", `translate(${x} ${y})`);
      figure.dataset.man = one.square;
      if (one.square === this.selected) figure.classList.add("picked");
      return figure;
    });
  }

  /** Dominoes: covered squares pair up from the end of each row of them. */
  dominoes() {
    const shapes = [];
    const left = new Map(this.state.men.map((one) => [one.square, one.side]));
    for (const square of [...left.keys()].sort()) {
      if (!left.has(square)) continue;
      const side = left.get(square);
      const [file, rank] = place(square);
      const next = side === 0 ? name(file, rank + 1) : name(file + 1, rank);
      const both = left.get(next) === side ? [square, next] : [square];
      both.forEach((one) => left.delete(one));
      shapes.push(this.domino(both, `domino side-${side}`));
    }
    return shapes;
  }

  domino(squares, kind) {
    const corners = squares.map((square) => this.corner(square));
    const [x, y] = [0, 1].map((i) => Math.min(...corners.map((corner) => corner[i])));
    const [x2, y2] = [0, 1].map((i) => Math.max(...corners.map((corner) => corner[i])) + CELL);
    const group = svg("g", { class: kind });
    group.append(svg("rect", { x: x + 9, y: y + 9, width: x2 - x - 18, height: y2 - y - 18, rx: 14 }));
    const [cx, cy] = [(x + x2) / 2, (y + y2) / 2];
    const d = y2 - y > x2 - x ? `M${cx - 24} ${cy}h48` : `M${cx} ${cy - 24}v48`;
    group.append(svg("path", { d, class: "domino-line" }));
    return group;
  }

  /** Where the selected man may go: a dot, or a ring around a man that would be taken. */
  marks() {
    const counts = this.counts ?? [];
    this.counts = null;
    if (!this.selected) return [];
    const [sx, sy] = this.corner(this.selected);
    const shapes = [svg("rect", { x: sx + 3, y: sy + 3, width: 94, height: 94, rx: 6, class: "selected" })];
    const taken = new Set(this.state.men.map((one) => one.square));
    for (const to of new Set(this.targets(this.selected))) {
      const [cx, cy] = this.centre(to);
      shapes.push(
        taken.has(to)
          ? svg("circle", { cx, cy, r: 43, class: "target taken" })
          : svg("circle", { cx, cy, r: 15, class: "target" }),
      );
    }
    for (const [x, y, count] of counts) {
      shapes.push(svg("circle", { cx: x, cy: y, r: 15, class: "count-disc" }));
      shapes.push(svg("text", { x, y: y + 8, class: "count" }, count));
    }
    return shapes;
  }

  /** Arrows: `{ squares, rank, share }`, the best with rank 1; the wider, the more visits. */
  arrowShapes() {
    const shapes = [];
    for (const { squares, rank, share } of [...this.arrows].reverse()) {
      if (!squares.length) continue;
      const group = svg("g", { class: `arrow rank-${rank}`, "aria-hidden": "true" });
      let [lx, ly] = this.centre(squares.at(-1));
      if (this.state.style === "dominoes") {
        group.append(this.domino(squares, "arrow-domino"));
        [lx, ly] = [0, 1].map((i) => (this.centre(squares[0])[i] + this.centre(squares[1])[i]) / 2);
      } else if (squares.length === 1) {
        group.append(svg("circle", { cx: lx, cy: ly, r: 34, class: "arrow-ring" }));
      } else {
        const [x1, y1] = this.centre(squares[0]);
        const length = Math.hypot(lx - x1, ly - y1);
        const [ux, uy] = [(lx - x1) / length, (ly - y1) / length];
        const half = 4 + 7 * share;
        const [hx, hy] = [lx - ux * 34, ly - uy * 34];
        const [sx, sy] = [x1 + ux * 26, y1 + uy * 26];
        const point = (x, y, side) => `${x - uy * side} ${y + ux * side}`;
        const d = `M${point(sx, sy, half)}L${point(hx, hy, half)}L${point(hx, hy, half + 12)}L${lx} ${ly}` +
          `L${point(hx, hy, -half - 12)}L${point(hx, hy, -half)}L${point(sx, sy, -half)}Z`;
        group.append(svg("path", { d, class: "arrow-shape" }));
        [lx, ly] = [x1 + ux * Math.max(30, length * 0.5), y1 + uy * Math.max(30, length * 0.5)];
      }
      group.append(svg("circle", { cx: lx, cy: ly, r: 15, class: "arrow-disc" }));
      group.append(svg("text", { x: lx, y: ly + 8, class: "arrow-rank" }, rank));
      shapes.push(group);
    }
    return shapes;
  }

  /** What is clicked and focused: a button for every square, one of them in the tab order. */
  hits() {
    const men = new Map(this.state.men.map((one) => [one.square, one]));
    const targets = new Set(this.selected ? this.targets(this.selected) : []);
    return [...this.allSquares()].map((square) => {
      const [x, y] = this.corner(square);
      const one = men.get(square);
      const movable = this.movesWith(square).length > 0;
      const words = [square];
      if (one) words.push(`${this.state.sides[one.side]} ${this.state.style === "dominoes" ? "domino" : NAMES[one.kind]}`);
      if (square === this.selected) words.push("selected");
      if (targets.has(square)) words.push(one ? "can be taken" : "can go here");
      else if (movable) words.push("can move");
      return svg("rect", {
        x, y, width: CELL, height: CELL,
        class: `hit${movable || targets.has(square) ? " live" : ""}`,
        "data-square": square,
        role: "button",
        tabindex: square === this.focused ? 0 : -1,
        "aria-label": words.join(", "),
      });
    });
  }
}
