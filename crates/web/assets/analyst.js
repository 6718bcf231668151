// Who analyses: the live analysis with its tree, the hint, and the review of a whole game.

import * as api from "./api.js";
import { arrowsOf, count, forFirst, percent, proof, showTable } from "./analysis.js";
import { SearchTree } from "./search-tree.js";
import { usualPlayer } from "./setup.js";

const $ = (id) => document.getElementById(id);

/** Milliseconds for a hint, and for each position when a whole game is analysed. */
const HINT_TIME = 1000;
const REVIEW_TIME = 500;
/** How many lines an analysis shows, for players that must be told. */
const LINES = 3;

export class Analyst {
  /**
   * `page` has the `game` and the `board`; `state()`, `isOver()`, `place(moves)` and `firstToMove()`
   * say where the game stands; `showBoard()`, `showValues()`, `say(text)` and `remember()` show what is
   * new; `playLine(moves)` plays moves.
   */
  constructor(page) {
    this.page = page;
    this.players = [];
    /** Whether every position that is shown is analysed. */
    this.wanted = false;
    /** The search that runs, or whose tree is still there. */
    this.controller = null;
    /** A hint that is looked for, or the review of the game. */
    this.reviewing = null;
    this.shown = null;
    this.hintArrows = null;
    this.lookedAt = 0;
    this.tree = new SearchTree($("tree-box"), (moves, playIt) => this.showLine(moves, playIt));
  }

  // --- Who ---------------------------------------------------------------------------------

  /** Offers the players of a game. */
  async offer(spec) {
    this.players = await api.players(spec);
    const before = $("analysis-player").value;
    $("analysis-player").replaceChildren(...this.players.map(({ name, summary }) => {
      const option = document.createElement("option");
      Object.assign(option, { value: name, textContent: name, title: summary });
      return option;
    }));
    const known = this.players.some(({ name }) => name === before);
    $("analysis-player").value = known ? before : usualPlayer(this.players);
  }

  /** The chosen player, with several lines if it can. */
  spec() {
    const player = this.players.find(({ name }) => name === $("analysis-player").value);
    return player.options.some(({ key }) => key === "lines") ? `${player.name}:lines=${LINES}` : player.name;
  }

  // --- The live analysis -------------------------------------------------------------------

  toggle() {
    if (this.wanted) {
      this.want(false);
      // The tree stays; a search without one just ends.
      if (this.tree.search != null) api.stopSearch(this.tree.search).catch(() => {});
      else this.controller?.abort();
    } else {
      this.stopReview();
      this.want(true);
      this.start();
    }
  }

  want(yes) {
    this.wanted = yes;
    $("analyse").setAttribute("aria-pressed", yes);
    $("analyse").textContent = yes ? "Stop" : "Analyse";
  }

  /** Analyses the position that is shown, if it is wanted. */
  async start() {
    this.end();
    if (!this.wanted || this.page.isOver()) return;
    const controller = (this.controller = new AbortController());
    const unlessGone = (action) => (value) => {
      if (!controller.signal.aborted) action(value);
    };
    try {
      const request = { ...this.page.place(), player: this.spec(), limits: {}, tree: true };
      const show = unlessGone((analysis) => this.show(analysis));
      const grow = unlessGone((search) => this.tree.begin(search, controller.signal, this.page.state().sides));
      show(await api.analyse(request, show, controller.signal, grow));
      unlessGone(() => this.tree.update(true))();
    } catch (error) {
      if (!controller.signal.aborted) $("analysis-summary").textContent = error.message;
    }
  }

  /** Ends the search and forgets its tree. */
  end() {
    this.controller?.abort();
    this.controller = null;
    this.tree.forget();
  }

  /** Another position comes: nothing is known of it. */
  forget() {
    this.end();
    this.shown = null;
    this.hintArrows = null;
  }

  /** Another game comes. */
  reset() {
    this.stopReview();
    this.want(false);
    this.forget();
    $("analysis-summary").textContent = "What the search thinks of the position, while it thinks.";
  }

  show(analysis) {
    const { page } = this;
    const state = page.state();
    this.shown = analysis;
    this.note(page.game.tree.at, analysis);
    const proven = proof(analysis);
    $("analysis-summary").textContent =
      `${state.sides[state.to_move]} ${proven ? `has a proven ${proven}` : percent(analysis.value)} · ` +
      `${count(analysis.nodes)} nodes · ${analysis.seconds.toFixed(1)} s`;
    showTable($("candidates"), analysis, state, (moves, playIt) => this.showLine(moves, playIt));
    this.tree.update();
    if (!page.board.selected && !page.board.drag && !page.board.preview) page.showBoard();
    page.showValues();
  }

  /** Remembers the value of the node with this number, whose side is to move now. */
  note(index, analysis) {
    const { game, state } = this.page;
    if (analysis.simulations || analysis.proven) game.tree.nodes[index].value = forFirst(analysis.value, state().to_move);
  }

  /** What is proven of the position that is shown. */
  proof() {
    return this.shown && proof(this.shown);
  }

  arrows() {
    if (this.hintArrows) return this.hintArrows;
    const { page } = this;
    return this.shown && !page.isOver() ? arrowsOf(this.shown, page.state().legal) : [];
  }

  /** A line is hovered, left or clicked. */
  async showLine(moves, playIt) {
    const { page } = this;
    const mine = ++this.lookedAt;
    if (!moves) {
      page.board.preview = false;
      page.showBoard();
      return;
    }
    const after = await api.position(page.place([...page.game.tree.moves(), ...moves])).catch(() => null);
    if (mine !== this.lookedAt || !after) return;
    if (playIt) {
      page.board.preview = false;
      page.playLine(after.played.slice(-moves.length));
    } else page.board.show(after, { last: after.played.at(-1), preview: true });
  }

  // --- Hints and reviews -------------------------------------------------------------------

  async hint() {
    const { page } = this;
    const index = page.game.tree.at;
    const controller = (this.reviewing = new AbortController());
    page.say("Looking for a move…");
    try {
      const request = { ...page.place(), player: this.spec(), limits: { time: HINT_TIME } };
      const analysis = await api.analyse(request, () => {}, controller.signal);
      if (page.game.tree.at !== index || controller.signal.aborted) return;
      const state = page.state();
      this.hintArrows = arrowsOf({ candidates: [], best: analysis.best }, state.legal);
      const label = state.legal.find(({ move }) => move === analysis.best)?.label ?? analysis.best;
      page.say(`Hint: ${label}, ${percent(analysis.value)} for ${state.sides[state.to_move]}.`);
      page.showBoard();
    } catch (error) {
      if (!controller.signal.aborted) page.say(error.message);
    } finally {
      if (this.reviewing === controller) this.reviewing = null;
    }
  }

  /** Searches every position of the line that is shown, for the graph. */
  async review() {
    const { page } = this;
    if (this.reviewing) {
      this.stopReview();
      return;
    }
    const controller = (this.reviewing = new AbortController());
    $("analyse-game").textContent = "Stop";
    const { tree } = page.game;
    for (const [ply, index] of tree.line().entries()) {
      try {
        const request = { ...page.place(tree.moves(index)), player: this.spec(), limits: { time: REVIEW_TIME } };
        const analysis = await api.analyse(request, () => {}, controller.signal);
        tree.nodes[index].value = forFirst(analysis.value, (page.firstToMove() + ply) % 2);
        page.showValues();
      } catch (error) {
        if (!controller.signal.aborted) page.say(error.message);
        break;
      }
    }
    if (this.reviewing === controller) this.stopReview();
    page.remember();
  }

  stopReview() {
    this.reviewing?.abort();
    this.reviewing = null;
    $("analyse-game").textContent = "Analyse all moves";
  }
}
