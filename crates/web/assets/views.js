// @ts-check
// What is shown around the board: each view names the parts of the store that it shows.

import { arrowsOf, proof, showBar } from "./analysis.js";
import { $, element } from "./dom.js";
import { clock, endedByRecord, firstToMove, goTo, isOver, seatToMove } from "./game.js";
import { showGraph } from "./graph.js";
import { showMoves } from "./moves.js";
import { titleOf } from "./records.js";
import { summary } from "./review.js";
import { seatText, showSeat } from "./seats.js";
import { store } from "./store.js";
import { endText } from "./words.js";

const NEVER = "–";

export function showViews(/** @type {import("./board.js").Board} */ board) {
  store.view(["busy"], ({ busy }) => document.querySelector("main").setAttribute("aria-busy", String(busy)));

  store.view(["status"], ({ status }) => {
    $("status").textContent = status;
  });

  store.view(["state", "game", "thinking", "live", "flipped", "analysis", "hint", "preview", "editing", "drawn", "threat", "puzzle"], (page) => {
    const { state, thinking, flipped, analysis, hint, preview, editing, drawn, threat, puzzle } = page;
    if (!state) return;
    if (editing) board.show(editing, { flipped });
    else if (preview) board.show(preview, { last: preview.played.at(-1), preview: true, flipped });
    else {
      const over = isOver();
      const found = hint ?? (analysis && !over ? arrowsOf(analysis, state.legal) : []);
      const arrows = [...found, ...(threat ?? []), ...drawn];
      const waits = puzzle && puzzle.verdict !== "" && puzzle.verdict !== "right";
      const interactive = !over && !thinking && !seatToMove().player && !page.busy && !waits;
      board.show(state, { interactive, arrows, last: state.played.at(-1) ?? null, flipped });
    }
  });

  store.view(["state"], ({ state }) => {
    document.title = `${state.title} · Spinney`;
    document.body.classList.toggle("white-first", state.light_first);
    document.body.classList.toggle("two-colours", ["dominoes", "marks"].includes(state.style));
    $("title").textContent = state.title;
    $("save-pgn").hidden = state.record !== "pgn";
  });

  store.view(["state", "editing"], ({ state, editing }) => {
    if (!editing) $("position").value = state.position;
  });

  store.view(["state", "game", "thinking", "flipped", "ticks"], ({ state, game, thinking, flipped }) => {
    if (!state) return;
    const bottom = flipped ? 1 : 0;
    for (const [id, side] of /** @type {[string, number][]} */ ([["seat-bottom", bottom], ["seat-top", 1 - bottom]])) {
      const turn = !isOver() && state.to_move === side;
      const note = turn ? (thinking ? "thinking…" : "to move") : "";
      const who = game.about.players[side] || seatText(game.seats[side]);
      showSeat($(id), state, side, { turn, note, who, time: clock.text(side) });
    }
  });

  store.view(["state", "game", "flipped", "analysis", "values"], ({ state, game, flipped, analysis }) => {
    if (!state) return;
    const { tree } = game;
    showBar($("bar"), tree.node.value, flipped, state.sides, analysis && proof(analysis));
    const line = tree.line();
    showGraph($("graph"), line.map((i) => tree.nodes[i]), line.indexOf(tree.at), state.sides, (ply) => goTo(line[ply]));
  });

  store.view(["state", "game"], ({ state, game }) => {
    if (!state) return;
    showMoves($("moves"), game.tree, firstToMove(), goTo);
    const { about, tree } = game;
    $("record-name").textContent = [titleOf(about), about.event !== titleOf(about) && about.event, about.date].filter(Boolean).join(" · ");
    // Comments on the main line stand between its moves.
    const isMain = tree.line().every((index, i, line) => i === 0 || tree.nodes[line[i - 1]].children[0] === index);
    const comment = tree.at === 0 ? [about.notes, about.comment].filter(Boolean).join("\n") : isMain ? "" : tree.node.comment;
    $("comment").hidden = !comment;
    $("comment").textContent = comment;
    $("promote").disabled = tree.isMain;
    $("remove").disabled = tree.at === 0;
  });

  store.view(["welcome", "game"], ({ welcome, game }) => {
    $("welcome").hidden = !welcome || !game || game.tree.nodes.length > 1;
  });

  store.view(["state", "game", "live", "thinking"], ({ state, game, live }) => {
    if (!state) return;
    const over = isOver();
    const { tree, seats } = game;
    const mustPass = !over && state.legal.length === 1 && state.legal[0].squares.length === 0;
    $("pass").hidden = !(mustPass && !seatToMove().player);
    const engines = seats.every((seat) => seat.player);
    $("resume").hidden = over || !(live ? engines : seatToMove().player);
    $("resume").textContent = live ? "Pause" : "Play on";
    $("undo").disabled = tree.at === 0;
    $("resign").disabled = over || tree.node.children.length > 0;
    $("hint").disabled = $("analyse").disabled = $("threat").disabled = over;
    for (const id of ["first", "back"]) $(id).disabled = tree.at === 0;
    for (const id of ["forward", "last"]) $(id).disabled = !tree.node.children.length;
    $("banner").hidden = !over;
    if (over) $("banner-text").textContent = endText(state, endedByRecord());
  });

  store.view(["state", "game", "review"], ({ state, game, review }) => {
    if (!state) return;
    $("review").textContent = review ? `Stop (${review.done} of ${review.total})` : "Review";
    $("review").disabled = !review && game.tree.line().length < 2;
    const found = review ? null : summary();
    $("review-summary").hidden = !found;
    $("next-mistake").hidden = $("try-again").hidden = !found;
    if (!found) return;
    const { nags } = game.tree.node;
    $("try-again").disabled = !nags.some((nag) => [2, 4, 6].includes(nag));
    $("next-mistake").disabled = found.every(({ counts }) => !(counts[2] + counts[4] + counts[6]));
    const cell = (kind, text) => element(kind, {}, text);
    $("review-summary").tBodies[0].replaceChildren(...found.map(({ accuracy, counts }, side) => element("tr", {},
      element("th", { scope: "row" }, state.sides[side]),
      cell("td", accuracy == null ? NEVER : `${accuracy.toFixed(0)} %`),
      cell("td", String(counts[6])), cell("td", String(counts[2])), cell("td", String(counts[4])))));
  });
}
