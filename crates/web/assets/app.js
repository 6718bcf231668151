// The page: one game, who plays it, what is shown of it.

import * as api from "./api.js";
import { showBar, showGraph } from "./analysis.js";
import { Analyst } from "./analyst.js";
import { Board } from "./board.js";
import { Clock } from "./clock.js";
import { Editor } from "./edit.js";
import { showMoves } from "./moves.js";
import { askPromotion } from "./promotion.js";
import { showSeat } from "./seats.js";
import { Setup, PERSON, limitsOf, seatText, specOf } from "./setup.js";
import * as store from "./store.js";
import { Tree } from "./tree.js";
import { endText, wordsFor } from "./words.js";

const $ = (id) => document.getElementById(id);

/** The game that is shown. */
const game = {
  spec: "loa",
  start: null,
  name: "",
  tree: new Tree(),
  seats: [{ ...PERSON }, { ...PERSON }],
  /** Resignation or time: `{ winner, how }`. */
  ended: null,
};
let state = null;
let firstToMove = 0;
/** Whether engines move by themselves: not while somebody leafs through the game. */
let live = true;
let thinking = null;
let flipped = false;
/** Only the newest request for a position is shown. */
let request = 0;

const board = new Board($("board"), chooseMove);
const clock = new Clock(showSeats, (side) => end(1 - side, "on time"));
const editor = new Editor($("palette"), board, (text) => (text ? loadRecord(text) : showAll()));
const analyst = new Analyst({
  game, board, place, isOver, showBoard, showValues, say, remember, playLine,
  state: () => state, firstToMove: () => firstToMove,
});
let setup;

// --- The present position ------------------------------------------------------------------

function place(moves = game.tree.moves()) {
  return { game: game.spec, start: game.start, moves };
}

function isOver() {
  return Boolean(state?.outcome || (game.ended && !game.tree.node.children.length));
}

const seatToMove = () => game.seats[state.to_move];

/**
 * Fetches and shows the position of the present node, then lets whoever is to move begin. False if
 * the server refuses; null if another request came first.
 */
async function refresh() {
  const mine = ++request;
  busy(true);
  if (editor.active) editor.end(null);
  stopThinking();
  analyst.forget();
  let fetched;
  try {
    fetched = await api.position(place());
  } catch (error) {
    if (mine !== request) return null;
    busy(false);
    say(error.message);
    return false;
  }
  if (mine !== request) return null;
  busy(false);
  state = fetched;
  firstToMove = (state.to_move + state.played.length) % 2;
  if (state.outcome) game.tree.node.value ??= outcomeValue(state.outcome);
  say(wordsFor(state, game));
  showAll();
  remember();
  runClock();
  analyst.start();
  think();
  return true;
}

/** Whether what is shown is about to be replaced, for screen readers and tests. */
function busy(yes) {
  document.querySelector("main").setAttribute("aria-busy", yes);
}

const outcomeValue = ({ winner }) => (winner == null ? 0 : winner === 0 ? 1 : -1);

function showAll() {
  document.title = `${state.title} · Spinney`;
  document.body.classList.toggle("white-first", state.light_first);
  document.body.classList.toggle("two-colours", ["dominoes", "marks"].includes(state.style));
  $("title").textContent = state.title;
  showBoard();
  showSeats();
  showValues();
  showMoves($("moves"), game.tree, firstToMove, goTo);
  $("record-name").textContent = game.name;
  const { comment } = game.tree.node;
  $("comment").hidden = !comment;
  $("comment").textContent = comment;
  $("position").value = state.position;
  $("save-pgn").hidden = state.record !== "pgn";
  const mustPass = !isOver() && state.legal.length === 1 && state.legal[0].squares.length === 0;
  $("pass").hidden = !(mustPass && !seatToMove().player);
  const engines = game.seats.every((seat) => seat.player);
  $("resume").hidden = isOver() || !(live ? engines : seatToMove().player);
  $("resume").textContent = live ? "Pause" : "Play on";
  $("undo").disabled = game.tree.at === 0;
  $("resign").disabled = isOver() || game.tree.node.children.length > 0;
  $("hint").disabled = $("analyse").disabled = isOver();
  for (const id of ["first", "back"]) $(id).disabled = game.tree.at === 0;
  for (const id of ["forward", "last"]) $(id).disabled = !game.tree.node.children.length;
  if (isOver() || !analyst.shown) $("candidates").hidden = true;
}

function showBoard() {
  if (editor.active) return;
  board.flipped = flipped;
  board.show(state, {
    interactive: !isOver() && !thinking && !seatToMove().player,
    arrows: analyst.arrows(),
    last: state.played.at(-1) ?? null,
  });
}

function showSeats() {
  if (!state) return;
  const bottom = flipped ? 1 : 0;
  for (const [id, side] of [["seat-bottom", bottom], ["seat-top", 1 - bottom]]) {
    const turn = !isOver() && state.to_move === side;
    const note = turn ? (thinking ? "thinking…" : "to move") : "";
    showSeat($(id), state, side, { turn, note, who: seatText(game.seats[side]), time: clock.text(side) });
  }
}

function showValues() {
  const { value } = game.tree.node;
  showBar($("bar"), value, flipped, state.sides, analyst.proof());
  const line = game.tree.line();
  showGraph($("graph"), line.map((i) => game.tree.nodes[i].value), line.indexOf(game.tree.at), state.sides, (i) => goTo(line[i]));
}

function say(text) {
  if ($("status").textContent !== text) $("status").textContent = text;
}

// --- Playing -------------------------------------------------------------------------------

async function chooseMove(moves) {
  const move = moves.length === 1 ? moves[0] : await askPromotion(moves, state.to_move);
  if (move) await play(move);
  else showBoard();
}

async function play(move) {
  // A second click must not play a move of the same position again.
  board.interactive = false;
  clock.moved(state.to_move);
  live = true;
  game.tree.play(move);
  if ((await refresh()) === false) {
    game.tree.remove();
    showAll();
  }
}

function runClock() {
  const playing = live && !isOver() && game.tree.at !== 0 && !game.tree.node.children.length;
  clock.run(playing ? state.to_move : null);
}

/** Lets an engine move, if it is its turn. */
async function think() {
  if (!live || isOver() || !seatToMove().player || thinking) return;
  const seat = seatToMove();
  const mine = (thinking = new AbortController());
  showBoard();
  showSeats();
  const index = game.tree.at;
  try {
    const analysis = await api.analyse(
      { ...place(), player: specOf(seat), limits: limitsOf(seat), seed: Math.floor(Math.random() * 1e9) },
      () => {},
      mine.signal,
    );
    if (thinking !== mine) return;
    thinking = null;
    analyst.note(index, analysis);
    const move = state.legal.find(({ move }) => move === analysis.best);
    if (move) await play(move);
  } catch (error) {
    if (thinking !== mine) return;
    thinking = null;
    live = false;
    showAll();
    say(error.message);
  }
}

function stopThinking() {
  thinking?.abort();
  thinking = null;
}

function end(winner, how) {
  stopThinking();
  analyst.end();
  clock.run(null);
  game.ended = { winner, how };
  showAll();
  say(endText(state, game));
  remember();
}

/** Takes moves back until a person is to move. */
async function takeBack() {
  analyst.stopReview();
  game.ended = null;
  const seats = game.seats.map((seat) => Boolean(seat.player));
  do game.tree.remove();
  while (game.tree.at !== 0 && !seats.every(Boolean) && seats[(firstToMove + game.tree.path().length) % 2]);
  live = game.tree.at !== 0 || !seats[firstToMove];
  await refresh();
}

async function goTo(index) {
  analyst.stopReview();
  live = false;
  game.tree.at = index;
  await refresh();
}

/** Plays several moves at once, as variations where they are new. */
async function playLine(moves) {
  live = false;
  moves.forEach((move) => game.tree.play(move));
  await refresh();
}

async function walk(step) {
  const before = game.tree.at;
  game.tree[step]();
  if (game.tree.at !== before) await goTo(game.tree.at);
}

// --- New games, records, links -------------------------------------------------------------

/** Shows another game. */
async function open({ spec, start = null, name = "", tree = new Tree(), seats, clock: control = null, ended = null }) {
  busy(true);
  stopThinking();
  analyst.reset();
  const other = spec !== game.spec || !$("analysis-player").value;
  Object.assign(game, { spec, start, name, tree, seats, ended });
  clock.set(control);
  if (other) await analyst.offer(spec);
  await refresh();
}

async function newGame() {
  const wanted = await setup.ask({ game: game.spec, seats: game.seats });
  if (!wanted) return;
  live = true;
  flipped = Boolean(wanted.seats[0].player && !wanted.seats[1].player);
  await open({ spec: wanted.game, seats: wanted.seats, clock: wanted.clock });
}

async function loadRecord(text) {
  $("record-error").hidden = true;
  try {
    const record = await api.readRecord(game.spec, text);
    live = false;
    const people = [{ ...PERSON }, { ...PERSON }];
    await open({ spec: record.game, start: record.start, name: record.name, tree: Tree.from(record.nodes, null), seats: people });
    $("record").value = "";
    const length = game.tree.line().length - 1;
    if (length) say(`Loaded ${record.name || "a record"}: ${length} moves. Walk through it with the arrow keys.`);
  } catch (error) {
    $("record-error").textContent = error.message;
    $("record-error").hidden = false;
  }
}

async function saveRecord(format) {
  const nodes = game.tree.record().nodes.map(({ move, parent, comment, nags }) => ({ move, parent, comment, nags }));
  try {
    const text = await api.writeRecord({ game: game.spec, start: game.start, nodes, format });
    const anchor = document.createElement("a");
    anchor.href = URL.createObjectURL(new Blob([text], { type: "text/plain" }));
    anchor.download = `${game.spec.replace(/[^a-z0-9]+/g, "-")}.${format}`;
    anchor.click();
    URL.revokeObjectURL(anchor.href);
  } catch (error) {
    say(error.message);
  }
}

async function copy(text, what) {
  try {
    await navigator.clipboard.writeText(text);
    say(`${what} copied.`);
  } catch {
    say(text);
  }
}

function remember() {
  const { nodes, at } = game.tree.record();
  const { spec, start, name, seats, ended } = game;
  const hash = store.link(place());
  const { theme } = document.documentElement.dataset;
  store.save({ spec, start, name, seats, ended, nodes, at, flipped, hash, theme, live, clock: clock.saved() });
  history.replaceState(null, "", hash);
}

/** The game that a link names, or the one that was left, or a new one. */
async function restore() {
  const saved = store.load();
  const linked = store.parseLink(location.hash);
  live = false;
  if (linked && saved?.hash !== location.hash) {
    const state = await api.position(linked).catch((error) => (say(error.message), null));
    if (state) {
      const nodes = state.played.map(({ move, label }, i) => ({ move, label, parent: i ? i - 1 : null }));
      const people = [{ ...PERSON }, { ...PERSON }];
      await open({ spec: linked.game, start: linked.start, tree: Tree.from(nodes, nodes.length ? nodes.length - 1 : null), seats: people });
      return;
    }
  }
  if (saved?.nodes) {
    // A game that was being played goes on; its clock stood still meanwhile.
    live = Boolean(saved.live);
    flipped = Boolean(saved.flipped);
    await open({ ...saved, tree: Tree.from(saved.nodes, saved.at) });
    return;
  }
  live = true;
  const [first] = setup.games;
  const engine = { player: first.default_player, options: "", limit: "time", amount: 1 };
  await open({ spec: first.name, seats: [{ ...PERSON }, engine] });
}

// --- The page ------------------------------------------------------------------------------

function setTheme(theme) {
  if (theme) document.documentElement.dataset.theme = theme;
}

function toggleTheme() {
  const dark = matchMedia("(prefers-color-scheme: dark)").matches;
  const now = document.documentElement.dataset.theme ?? (dark ? "dark" : "light");
  setTheme(now === "dark" ? "light" : "dark");
  remember();
}

function flip() {
  flipped = !flipped;
  showAll();
  remember();
}

function onKey(event) {
  if (event.target.closest("input, textarea, select, dialog") || event.ctrlKey || event.metaKey || event.altKey) return;
  const action = {
    ArrowLeft: () => walk("back"), ArrowRight: () => walk("forward"),
    Home: () => walk("first"), End: () => walk("last"), f: flip, F: flip,
  }[event.key];
  if (!action) return;
  event.preventDefault();
  action();
}

function listen() {
  const actions = {
    new: newGame, theme: toggleTheme, flip, hint: () => analyst.hint(), undo: takeBack,
    first: () => walk("first"), back: () => walk("back"), forward: () => walk("forward"), last: () => walk("last"),
    pass: () => play(state.legal[0]),
    resume: () => {
      live = !live;
      if (!live) stopThinking();
      showAll();
      runClock();
      remember();
      think();
    },
    resign: () => end(1 - (game.seats[state.to_move].player ? 1 - state.to_move : state.to_move), "by resignation"),
    analyse: () => analyst.toggle(), "analyse-game": () => analyst.review(),
    load: () => loadRecord($("record").value),
    copy: () => copy(state.position, "Position"),
    link: () => copy(location.href, "Link"),
    edit: () => {
      stopThinking();
      analyst.forget();
      live = false;
      showAll();
      editor.begin(state);
    },
    "save-sgf": () => saveRecord("sgf"), "save-pgn": () => saveRecord("pgn"),
  };
  for (const [id, action] of Object.entries(actions)) $(id).addEventListener("click", action);
  document.addEventListener("keydown", onKey);
  $("position").addEventListener("change", () => loadRecord($("position").value));
  $("analysis-player").addEventListener("change", () => analyst.start());
  addEventListener("hashchange", restore);
  addEventListener("pagehide", () => {
    if (state) remember();
  });
  addEventListener("dragover", (event) => {
    event.preventDefault();
    $("drop").hidden = false;
  });
  addEventListener("dragleave", (event) => {
    if (!event.relatedTarget) $("drop").hidden = true;
  });
  addEventListener("drop", async (event) => {
    event.preventDefault();
    $("drop").hidden = true;
    const [file] = event.dataTransfer.files;
    loadRecord(file ? await file.text() : event.dataTransfer.getData("text"));
  });
}

setTheme(store.load()?.theme);
listen();
setup = new Setup(await api.games());
await restore();
document.documentElement.dataset.ready = "true";
performance.mark("ready");
