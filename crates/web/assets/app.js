// @ts-check
// The page: buttons, keys, links, and what is shown first.

import * as api from "./api.js";
import * as analyst from "./analyst.js";
import { Board } from "./board.js";
import { $, ask } from "./dom.js";
import { Editor } from "./edit.js";
import "./explorer.js";
import { annotate, goTo, open, play, promote, remember, removeNode, resign, resume, takeBack, walk } from "./game.js";
import { showGames } from "./games.js";
import { listenToLesson, showRules, showStep } from "./learn.js";
import { complain, confirmed, notice } from "./notice.js";
import { askPromotion } from "./promotion.js";
import { answer, nextPuzzle } from "./puzzles.js";
import { copy, listenForRecords, loadRecord, saveRecord } from "./records.js";
import { nextMistake, stopReview, toggleReview } from "./review.js";
import * as saved from "./saved.js";
import { PERSON, levelSeat } from "./seats.js";
import { Setup } from "./setup.js";
import { store } from "./store.js";
import { Tree } from "./tree.js";
import { showViews } from "./views.js";

const board = new Board($("board"), chooseMove);
const editor = new Editor(board, loadRecord);
/** @type {Setup} */
let setup;

async function chooseMove(moves) {
  const move = moves.length === 1 ? moves[0] : await askPromotion(moves, store.values.state.to_move);
  if (!move) store.touch("state");
  else if (store.values.puzzle) await answer(move);
  else await play(move);
}

// --- New games and links -------------------------------------------------------------------

async function newGame() {
  const { game } = store.values;
  const wanted = await setup.ask({ game: game.spec, seats: game.seats });
  if (!wanted) return;
  await begin(wanted.game, wanted.seats, wanted.clock);
}

/** Starts a game; the one before is among the games that are kept. */
async function begin(spec, seats, clock = null) {
  const before = saved.games().find(({ id }) => id === store.values.game?.id);
  stopReview();
  store.set({ live: true, flipped: Boolean(seats[0].player && !seats[1].player) });
  const date = new Date().toISOString().slice(0, 10);
  await open({ spec, seats, clock, about: { date } });
  if (before && !(before.about.ending ?? before.outcome)) {
    const back = () => open({ ...before, tree: Tree.from(before.nodes, before.at, before.key) });
    notice("Your last game is kept under Games.", { action: { text: "Back to it", run: back } });
  }
}

/** The same again with sides changed. */
function rematch() {
  const { spec, seats, clock } = store.values.game;
  const control = clock && { minutes: clock.minutes, increment: clock.increment };
  return begin(spec, [seats[1], seats[0]], control);
}

/** The game that a link names, or the one that was left, or a new one. */
async function restore() {
  const left = saved.load();
  const linked = saved.parseLink(location.hash);
  store.set({ live: false });
  if (linked && left?.hash !== location.hash) {
    const state = await api.position(linked).catch((error) => {
      notice(`This link cannot be opened. ${error.message}`, { error: true });
      return null;
    });
    if (state) {
      const nodes = state.played.map(({ move, label }, i) => ({ move, label, parent: i ? i - 1 : null }));
      await open({ spec: linked.game, start: linked.start, tree: Tree.from(nodes, nodes.length ? nodes.length - 1 : null) });
      return;
    }
  }
  if (left?.nodes) {
    // A game that was being played continues; its clock stood still meanwhile.
    store.set({ live: Boolean(left.live), flipped: Boolean(left.flipped) });
    if (await open({ ...left, tree: Tree.from(left.nodes, left.at, left.key) })) return;
  }
  // A newcomer: a game against the easiest opponent.
  const [first] = setup.games;
  const engine = first.levels.length
    ? levelSeat(first.levels, 1)
    : { player: first.default_player, options: "", limit: "time", amount: 1 };
  await begin(first.name, [{ ...PERSON }, engine], null);
  store.set({ welcome: true });
}

/** An arrow more, or less if it is there; none without an arrow. @returns {import("../types").Arrow[]} */
function drawnWith(/** @type {import("../types").Arrow[]} */ drawn, /** @type {string[] | null} */ squares) {
  if (!squares) return [];
  const others = drawn.filter((one) => one.squares.join() !== squares.join());
  return others.length < drawn.length ? others : [...drawn, { squares, rank: 1, share: 0.6, label: "", kind: "drawn" }];
}

// --- Buttons and keys ----------------------------------------------------------------------

function setTheme(/** @type {string | undefined} */ theme) {
  if (theme) document.documentElement.dataset.theme = theme;
}

function toggleTheme() {
  const dark = matchMedia("(prefers-color-scheme: dark)").matches;
  const now = document.documentElement.dataset.theme ?? (dark ? "dark" : "light");
  setTheme(now === "dark" ? "light" : "dark");
  remember();
}

function flip() {
  store.set({ flipped: !store.values.flipped });
  remember();
}

async function askToResign() {
  const { state } = store.values;
  if ((await confirmed("Resign this game?", "Resign")) && store.values.state === state) resign();
}

/** Asks for a comment on the present move, or on the start. */
async function comment() {
  const { about, tree } = store.values.game;
  $("comment-text").value = tree.at === 0 ? about.comment : tree.node.comment;
  if ((await ask($("comment-dialog"))) === "keep") annotate($("comment-text").value.trim());
}

const KEYS = {
  ArrowLeft: () => walk("back"), ArrowRight: () => walk("forward"), Home: () => walk("first"), End: () => walk("last"),
  f: flip, F: flip, x: analyst.threat, X: analyst.threat, Escape: () => board.select(null), "?": () => $("help").showModal(),
};

const ACTIONS = {
  new: newGame, theme: toggleTheme, flip, hint: analyst.hint, undo: takeBack, resume, resign: askToResign,
  first: () => walk("first"), back: () => walk("back"), forward: () => walk("forward"), last: () => walk("last"),
  pass: () => chooseMove([store.values.state.legal[0]]),
  analyse: analyst.toggle, review: toggleReview, "next-mistake": nextMistake,
  "try-again": () => goTo(store.values.game.tree.node.parent),
  threat: analyst.threat, "edit-comment": comment, promote, remove: removeNode,
  "show-puzzles": () => nextPuzzle(), "welcome-opponent": newGame, "welcome-rules": () => showRules(setup.games),
  "show-rules": () => showRules(setup.games), "start-lesson": () => showStep(0),
  rematch, "banner-review": toggleReview, "banner-new": newGame, "show-games": showGames,
  load: () => loadRecord($("record").value),
  "open-file": () => $("file").click(),
  copy: () => copy(store.values.state.position, "Position"),
  link: () => copy(location.href, "Link"),
  edit: () => editor.begin(),
  "save-sgf": () => saveRecord("sgf"), "save-pgn": () => saveRecord("pgn"),
};

function listen() {
  for (const [id, action] of Object.entries(ACTIONS)) {
    $(id).addEventListener("click", () => Promise.resolve(action()).catch(complain));
  }
  document.addEventListener("keydown", (event) => {
    const target = /** @type {HTMLElement} */ (event.target);
    if (target.closest("input, textarea, select, dialog") || event.ctrlKey || event.metaKey || event.altKey) return;
    const action = KEYS[event.key];
    if (!action) return;
    event.preventDefault();
    Promise.resolve(action()).catch(complain);
  });
  $("position").addEventListener("change", () => loadRecord($("position").value));
  board.onDraw = (arrow) => store.set({ drawn: drawnWith(store.values.drawn, arrow) });
  $("analysis-player").addEventListener("change", analyst.start);
  addEventListener("hashchange", restore);
  addEventListener("pagehide", remember);
  listenForRecords();
  listenToLesson(() => begin("loa", [{ ...PERSON }, levelSeat(setup.levelsOf("loa"), 1)]));
}

setTheme(saved.load()?.theme);
showViews(board);
listen();
setup = new Setup(await api.games());
await restore();
document.documentElement.dataset.ready = "true";
performance.mark("ready");
