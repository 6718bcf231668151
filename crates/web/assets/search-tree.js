// @ts-check
// The tree of a search, opened node by node while it grows and afterwards.

import * as api from "./api.js";
import { count, hearLines, valueOf } from "./analysis.js";
import { button, element } from "./dom.js";

/** Moves of a node that are shown at first. */
const FEW = 8;
/** Milliseconds between two looks at a tree that grows. */
const INTERVAL = 1000;

const NO_TREE = "This player keeps no tree to look into. Monte Carlo players do, such as uct.";

export class SearchTree {
  /** `box` is the disclosure around it; `onLine(moves, play)` hears which node is hovered or clicked. */
  constructor(box, onLine) {
    this.box = box;
    /** The number of the search. @type {number | null} */
    this.search = null;
    /** Aborted when the search goes. @type {AbortSignal | null} */
    this.signal = null;
    this.busy = false;
    /** When to look again. */
    this.next = 0;
    this.sides = [];
    this.element = box.querySelector(".search-tree");
    this.note = box.querySelector(".tree-note");
    this.head = box.querySelector(".tree-head");
    box.addEventListener("toggle", () => this.update(true));
    hearLines(this.element, onLine);
    this.forget();
  }

  /** No search, no tree. */
  forget() {
    Object.assign(this, { search: null, signal: null, busy: false, next: 0 });
    this.element.replaceChildren();
    this.head.hidden = true;
    this.say("Analyse to grow a tree.");
  }

  /** The tree of another search. `signal` is aborted when it goes. */
  begin(search, signal, sides) {
    this.forget();
    Object.assign(this, { search, signal, sides });
    this.say(search == null ? NO_TREE : "");
    this.update(true);
  }

  say(text) {
    this.note.textContent = text;
    this.note.hidden = !text;
  }

  /** Looks again at all open nodes, now or if the last look was some time ago. */
  async update(now = false) {
    if (!this.box.open || this.search == null || this.busy || (!now && performance.now() < this.next)) return;
    const { signal } = this;
    this.busy = true;
    let wait = INTERVAL;
    try {
      await this.fill(this.element, []);
      const open = [...this.element.querySelectorAll(".tree-moves:not([hidden])")];
      for (const list of open) {
        if (list.isConnected) await this.fill(list, JSON.parse(list.dataset.path));
      }
      this.say("");
    } catch (error) {
      if (!signal.aborted) this.say(error.message);
      // A tree that is shown only when its search has ended: the end calls again.
      if (error.status === 409) wait = Infinity;
    } finally {
      if (this.signal === signal) Object.assign(this, { busy: false, next: performance.now() + wait });
    }
  }

  /**
   * Shows the moves of a node in a list. Rows stay where they are known, so that they stay open; while
   * the pointer is on the tree they also keep their order.
   */
  async fill(list, path, inOrder) {
    const { signal } = this;
    const { moves } = await api.openNode(this.search, path, signal);
    if (signal.aborted) return;
    // Now, not before the answer: the pointer may have come in between.
    inOrder ??= !this.element.matches(":hover");
    this.head.hidden = false;
    if (moves.length) this.head.querySelector(".tree-counts").textContent = moves[0].numbers ? "Proof / disproof" : "Visits";
    const known = new Map([...list.children].map((row) => [row.dataset.move, row]));
    const isOpen = ({ move }) => Boolean(known.get(move)?.querySelector(".tree-moves:not([hidden])"));
    const byName = new Map(moves.map((move) => [move.move, move]));
    const before = [...known.keys()].filter((move) => byName.has(move)).map((move) => byName.get(move));
    const shown = before.length && !inOrder
      ? before
      : moves.filter((move, i) => list.dataset.all || i < FEW || isOpen(move));
    const rows = shown.map((move) => this.row(known.get(move.move), move, [...path, move.move]));
    if (shown.length < moves.length) rows.push(this.more(list, path, moves.length - shown.length));
    if (!moves.length) rows.push(element("li", { className: "quiet" }, "Nothing has grown here yet."));
    // What is in its place is not touched: it may have the focus.
    rows.forEach((row, i) => {
      if (list.children[i] !== row) list.insertBefore(row, list.children[i] ?? null);
    });
    while (list.children.length > rows.length) list.lastChild.remove();
  }

  row(known, move, path) {
    const opens = move.children > 0;
    const same = known && Boolean(known.querySelector(".tree-toggle")) === opens;
    const row = same ? known : this.emptyRow(move, path, opens);
    const cells = row.querySelector(".tree-cells");
    const numbers = move.numbers ? `${number(move.numbers.proof)} / ${number(move.numbers.disproof)}` : "";
    const visited = move.visits > 0 || move.proven;
    cells.querySelector(".value").replaceChildren(visited ? valueOf(move) : "–");
    cells.querySelector(".visits").textContent = move.numbers ? numbers : count(move.visits);
    cells.querySelector(".visits").title = move.numbers ? numbersTitle(this.sides[move.numbers.attacker]) : "visits";
    return row;
  }

  emptyRow(move, path, opens) {
    const line = JSON.stringify(path);
    const label = element("button", { className: "ply", title: "Show this position", data: { line } }, move.label);
    const cells = element("div", { className: "tree-cells" });
    const row = element("li", { data: { move: move.move } }, cells);
    if (opens) {
      const moves = element("ul", { className: "tree-moves", hidden: true, data: { path: line } });
      const toggle = button("", () => {
        moves.hidden = !moves.hidden;
        toggle.setAttribute("aria-expanded", String(!moves.hidden));
        if (!moves.hidden) this.look(moves, path);
      }, { className: "tree-toggle", aria: { label: `Moves after ${move.label}`, expanded: false } });
      cells.append(toggle);
      row.append(moves);
    }
    cells.append(label, element("span", { className: "value" }), element("span", { className: "visits" }));
    return row;
  }

  /** Opens one node at once. */
  async look(list, path, inOrder) {
    const { signal } = this;
    try {
      await this.fill(list, path, inOrder);
    } catch (error) {
      if (!signal.aborted) this.say(error.message);
    }
  }

  more(list, path, left) {
    return element("li", {}, button(`${left} more`, () => {
      list.dataset.all = "yes";
      this.look(list, path, true);
    }, { className: "small" }));
  }
}

const numbersTitle = (side) => `open positions to decide until it is proven / disproven that ${side} wins`;
const number = (value) => (value == null ? "∞" : count(value));
