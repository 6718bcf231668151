// The page: one game, who plays it, what is shown of it.

import * as api from "./api.js";
import { arrowsOf, count, forFirst, percent, proof, showBar, showGraph, showTable } from "./analysis.js";
import { Board } from "./board.js";
import { Clock } from "./clock.js";
import { Editor } from "./edit.js";
import { showMoves } from "./moves.js";
import { colour } from "./pieces.js";
import { askPromotion } from "./promotion.js";
import { showSeat } from "./seats.js";
import { Setup, PERSON, limitsOf, seatText, specOf, titleOf, usualPlayer } from "./setup.js";
import * as store from "./store.js";
import { Tree } from "./tree.js";
import { endText, wordsFor } from "./words.js";

const $ = (id) => document.getElementById(id);

/** Milliseconds for a hint, and for each position when a whole game is analysed. */
const HINT_TIME = 1000;
const REVIEW_TIME = 500;

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
let analysing = null;
let reviewing = null;
let shownAnalysis = null;
let hint = null;
let flipped = false;
/** Only the newest request for a position is shown. */
let request = 0;

const board = new Board($("board"), chooseMove);
const clock = new Clock(showSeats, (side) => end(1 - side, "on time"));
const editor = new Editor($("palette"), board, (text) => (text ? loadRecord(text) : showAll()));
let setup;

// --- The present position ------------------------------------------------------------------

const place = (moves = game.tree.moves()) => ({ game: game.spec, start: game.start, moves });
const isOver = () => Boolean(state?.outcome || (game.ended && !game.tree.node.children.length));
const seatToMove = () => game.seats[state.to_move];

/**
 * Fetches and shows the position of the present node, then lets whoever is to move begin. False if
 * the server refuses; null if another request came first.
 */
async function refresh() {
  const mine = ++request;
  busy(true);
  if (editor.active) editor.end(null);
  stopSearches();
  hint = null;
  shownAnalysis = null;
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
  if (analysing?.wanted) startAnalysis();
  think();
  return true;
}

/** Whether what is shown is about to be replaced, for screen readers and tests. */
function busy(yes) {
  document.querySelector("main").setAttribute("aria-busy", yes);
}

const outcomeValue = ({ winner }) => (winner == null ? 0 : winner === 0 ? 1 : -1);

function showAll() {
  document.title = `${titleOf(game.spec)} · Spinney`;
  document.body.classList.toggle("white-first", colour(state.style, 0) === "white");
  document.body.classList.toggle("two-colours", ["dominoes", "marks"].includes(state.style));
  $("title").textContent = titleOf(game.spec);
  showBoard();
  showSeats();
  showValues();
  showMoves($("moves"), game.tree, firstToMove, goTo);
  $("record-name").textContent = game.name;
  const { comment } = game.tree.node;
  $("comment").hidden = !comment;
  $("comment").textContent = comment;
  $("position").value = state.position;
  $("save-pgn").hidden = state.style !== "chess";
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
  if (isOver() || !shownAnalysis) $("candidates").hidden = true;
}

function showBoard() {
  if (editor.active) return;
  board.flipped = flipped;
  const arrows = hint ?? (shownAnalysis && !isOver() ? arrowsOf(shownAnalysis, state.legal) : []);
  board.show(state, {
    interactive: !isOver() && !thinking && !seatToMove().player,
    arrows,
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
  showBar($("bar"), value, flipped, state.sides, shownAnalysis && proof(shownAnalysis));
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
    noteValue(index, analysis);
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

function noteValue(index, analysis) {
  if (analysis.simulations || analysis.proven) game.tree.nodes[index].value = forFirst(analysis.value, state.to_move);
}

function stopSearches() {
  thinking?.abort();
  thinking = null;
  analysing?.controller?.abort();
}

function end(winner, how) {
  stopSearches();
  clock.run(null);
  game.ended = { winner, how };
  showAll();
  say(endText(state, game));
  remember();
}

/** Takes moves back until a person is to move. */
async function takeBack() {
  stopReview();
  game.ended = null;
  const seats = game.seats.map((seat) => Boolean(seat.player));
  do game.tree.remove();
  while (game.tree.at !== 0 && !seats.every(Boolean) && seats[(firstToMove + game.tree.path().length) % 2]);
  live = game.tree.at !== 0 || !seats[firstToMove];
  await refresh();
}

async function goTo(index) {
  stopReview();
  live = false;
  game.tree.at = index;
  await refresh();
}

async function walk(step) {
  const before = game.tree.at;
  game.tree[step]();
  if (game.tree.at !== before) await goTo(game.tree.at);
}

// --- Analysis ------------------------------------------------------------------------------

/** How many lines an analysis shows, for players that must be told. */
const LINES = 3;
let analysts = [];

/** Who analyses, with several lines if it can. */
function analyst() {
  const player = analysts.find(({ name }) => name === $("analysis-player").value);
  return player.options.some(({ key }) => key === "lines") ? `${player.name}:lines=${LINES}` : player.name;
}

function toggleAnalysis() {
  if (analysing?.wanted) {
    analysing.controller?.abort();
    analysing = null;
    $("analyse").setAttribute("aria-pressed", "false");
    $("analyse").textContent = "Analyse";
  } else {
    stopReview();
    analysing = { wanted: true };
    $("analyse").setAttribute("aria-pressed", "true");
    $("analyse").textContent = "Stop";
    startAnalysis();
  }
}

async function startAnalysis() {
  if (isOver()) return;
  const controller = (analysing.controller = new AbortController());
  const show = (analysis) => {
    if (!controller.signal.aborted) showAnalysis(analysis);
  };
  try {
    show(await api.analyse({ ...place(), player: analyst(), limits: {} }, show, controller.signal));
  } catch (error) {
    if (!controller.signal.aborted) $("analysis-summary").textContent = error.message;
  }
}

function showAnalysis(analysis) {
  shownAnalysis = analysis;
  noteValue(game.tree.at, analysis);
  const proven = proof(analysis);
  const mover = state.sides[state.to_move];
  $("analysis-summary").textContent =
    `${mover} ${proven ? `has a proven ${proven}` : percent(analysis.value)} · ` +
    `${count(analysis.nodes)} nodes · ${analysis.seconds.toFixed(1)} s`;
  showTable($("candidates"), analysis, state, showLine);
  if (!board.selected && !board.drag && !board.preview) showBoard();
  showValues();
}

let lookedAt = 0;

/** A line of the table is hovered, left or clicked. */
async function showLine(moves, playIt) {
  const mine = ++lookedAt;
  if (!moves) {
    board.preview = false;
    showBoard();
    return;
  }
  const after = await api.position(place([...game.tree.moves(), ...moves])).catch(() => null);
  if (mine !== lookedAt || !after) return;
  if (playIt) {
    board.preview = false;
    live = false;
    after.played.slice(-moves.length).forEach((move) => game.tree.play(move));
    await refresh();
  } else board.show(after, { last: after.played.at(-1), preview: true });
}

async function showHint() {
  const index = game.tree.at;
  const controller = (reviewing = new AbortController());
  say("Looking for a move…");
  try {
    const player = analyst();
    const analysis = await api.analyse({ ...place(), player, limits: { time: HINT_TIME } }, () => {}, controller.signal);
    if (game.tree.at !== index || controller.signal.aborted) return;
    hint = arrowsOf({ candidates: [], best: analysis.best }, state.legal);
    const label = state.legal.find(({ move }) => move === analysis.best)?.label ?? analysis.best;
    say(`Hint: ${label}, ${percent(analysis.value)} for ${state.sides[state.to_move]}.`);
    showBoard();
  } catch (error) {
    if (!controller.signal.aborted) say(error.message);
  } finally {
    if (reviewing === controller) reviewing = null;
  }
}

/** Searches every position of the line that is shown, for the graph. */
async function review() {
  if (reviewing) {
    stopReview();
    return;
  }
  const controller = (reviewing = new AbortController());
  $("analyse-game").textContent = "Stop";
  const line = game.tree.line();
  for (const [ply, index] of line.entries()) {
    try {
      const request = { ...place(game.tree.moves(index)), player: analyst(), limits: { time: REVIEW_TIME } };
      const analysis = await api.analyse(request, () => {}, controller.signal);
      game.tree.nodes[index].value = forFirst(analysis.value, (firstToMove + ply) % 2);
      showValues();
    } catch (error) {
      if (!controller.signal.aborted) say(error.message);
      break;
    }
  }
  if (reviewing === controller) stopReview();
  remember();
}

function stopReview() {
  reviewing?.abort();
  reviewing = null;
  $("analyse-game").textContent = "Analyse all moves";
}

async function fillAnalysts() {
  analysts = await api.players(game.spec);
  const before = $("analysis-player").value;
  $("analysis-player").replaceChildren(...analysts.map(({ name, summary }) => {
    const option = document.createElement("option");
    Object.assign(option, { value: name, textContent: name, title: summary });
    return option;
  }));
  const known = analysts.some(({ name }) => name === before);
  $("analysis-player").value = known ? before : usualPlayer(analysts);
}

// --- New games, records, links -------------------------------------------------------------

/** Shows another game. */
async function open({ spec, start = null, name = "", tree = new Tree(), seats, clock: control = null, ended = null }) {
  busy(true);
  stopSearches();
  stopReview();
  if (analysing) toggleAnalysis();
  const other = spec !== game.spec || !$("analysis-player").value;
  Object.assign(game, { spec, start, name, tree, seats, ended });
  clock.set(control);
  $("analysis-summary").textContent = "What the search thinks of the position, while it thinks.";
  if (other) await fillAnalysts();
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
  const nodes = game.tree.record().nodes.map(({ move, parent, comment }) => ({ move, parent, comment }));
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
  store.save({ spec, start, name, seats, ended, nodes, at, flipped, hash, theme: document.documentElement.dataset.theme });
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
    flipped = Boolean(saved.flipped);
    await open({ ...saved, tree: Tree.from(saved.nodes, saved.at) });
    return;
  }
  live = true;
  const seats = [{ ...PERSON }, { player: "mia", options: "", limit: "time", amount: 1 }];
  await open({ spec: "loa", seats });
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
    new: newGame, theme: toggleTheme, flip, hint: showHint, undo: takeBack,
    first: () => walk("first"), back: () => walk("back"), forward: () => walk("forward"), last: () => walk("last"),
    pass: () => play(state.legal[0]),
    resume: () => {
      live = !live;
      if (!live) stopSearches();
      showAll();
      think();
    },
    resign: () => end(1 - (game.seats[state.to_move].player ? 1 - state.to_move : state.to_move), "by resignation"),
    analyse: toggleAnalysis, "analyse-game": review,
    load: () => loadRecord($("record").value),
    copy: () => copy(state.position, "Position"),
    link: () => copy(location.href, "Link"),
    edit: () => {
      stopSearches();
      live = false;
      showAll();
      editor.begin(state);
    },
    "save-sgf": () => saveRecord("sgf"), "save-pgn": () => saveRecord("pgn"),
  };
  for (const [id, action] of Object.entries(actions)) $(id).addEventListener("click", action);
  document.addEventListener("keydown", onKey);
  $("position").addEventListener("change", () => loadRecord($("position").value));
  $("analysis-player").addEventListener("change", () => {
    if (!analysing) return;
    analysing.controller?.abort();
    startAnalysis();
  });
  addEventListener("hashchange", restore);
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
