// @ts-check
// The analysis panel: value bar, table of moves with their lines, arrows.

import { element } from "./dom.js";

/** Arrows on the board, and rows in the table. */
const MOST_ARROWS = 3;
const MOST_ROWS = 5;
const LONGEST_LINE = 10;

export const percent = (value) => `${Math.round(50 + 50 * value)} %`;

export function count(number) {
  if (number >= 1e6) return `${(number / 1e6).toFixed(1)} M`;
  if (number >= 1e4) return `${Math.round(number / 1e3)} k`;
  return String(number);
}

/** `win in 7`, or nothing. */
export function proof({ proven, plies }) {
  if (!proven) return "";
  return plies == null ? proven : `${proven} in ${plies}`;
}

/** The winning chance in percent, as short as an arrow needs it. */
const chanceOf = ({ value, proven }) => ({ win: "✓", loss: "✗", draw: "=" }[proven] ?? String(Math.round(50 + 50 * value)));

/** The best moves as arrows; their squares come from the legal moves. */
/** @returns {import("../types").Arrow[]} */
export function arrowsOf(analysis, legal) {
  const squares = new Map(legal.map((move) => [move.move, move.squares]));
  const shown = analysis.candidates.length
    ? analysis.candidates.slice(0, MOST_ARROWS)
    : analysis.best ? [{ move: analysis.best, visits: 1, value: analysis.value, proven: analysis.proven }] : [];
  const most = Math.max(1, ...shown.map((candidate) => candidate.visits));
  return shown.map((candidate, i) => ({
    squares: squares.get(candidate.move) ?? [],
    rank: i + 1,
    share: candidate.visits / most,
    label: chanceOf(candidate),
  }));
}

/** Fills the table. `onLine(moves, play)` hears which line is hovered (null: none) or clicked. */
export function showTable(table, /** @type {import("../types").Analysis} */ analysis, state, onLine) {
  const labels = new Map(state.legal.map((move) => [move.move, move.label]));
  table.querySelector(".counts").textContent = analysis.depth == null ? "Visits" : "Nodes";
  const rows = analysis.candidates.slice(0, MOST_ROWS).map((candidate, i) => {
    const moves = candidate.pv.length ? candidate.pv : [candidate.move];
    const plies = moves.slice(0, LONGEST_LINE).map((move, ply) => element("button", {
      className: "ply", data: { line: JSON.stringify(moves.slice(0, ply + 1)) },
    }, analysis.labels?.[i]?.[ply] ?? move));
    const rank = i < MOST_ARROWS ? [element("span", { className: "rank" }, String(i + 1))] : [];
    return element("tr", {},
      element("td", { className: "move-name" }, ...rank, labels.get(candidate.move) ?? candidate.move),
      element("td", { className: "value" }, valueOf(candidate)),
      element("td", { className: "visits" }, count(candidate.visits)),
      element("td", { className: "line" }, element("div", {}, ...plies)));
  });
  const body = table.tBodies[0];
  // While a line is looked at its row must not change under the pointer.
  if (!body.matches(":hover, :focus-within")) body.replaceChildren(...rows);
  hearLines(body, onLine);
}

/** What a move is worth: a share of the points, or a badge if it is proven. */
export function valueOf(candidate) {
  if (!candidate.proven) return percent(candidate.value);
  return element("span", { className: `badge ${candidate.proven}` }, proof(candidate));
}

/** Tells which line below `element` is hovered (null: none) or clicked: those with `data-line`. */
export function hearLines(element, onLine) {
  const lineOf = (event) => {
    const text = event.target.closest("[data-line]")?.dataset.line;
    return text ? JSON.parse(text) : null;
  };
  element.onmouseover = (event) => onLine(lineOf(event), false);
  element.onmouseleave = () => onLine(null, false);
  element.onfocusin = (event) => onLine(lineOf(event), false);
  element.onfocusout = () => onLine(null, false);
  element.onclick = (event) => {
    const line = lineOf(event);
    if (line) onLine(line, true);
  };
}

/** The bar beside the board: how much of it the first side has. */
export function showBar(bar, value, flipped, sides, proven) {
  const share = value == null ? 50 : 50 + 50 * value;
  bar.classList.toggle("flipped", flipped);
  bar.classList.toggle("unknown", value == null);
  bar.querySelector(".bar-first").style.height = `${share}%`;
  bar.querySelector(".bar-text").textContent = value == null ? "" : Math.round(share);
  const words = value == null ? "Value unknown" : `${sides[0]} ${percent(value)}${proven ? `, ${proven}` : ""}`;
  bar.setAttribute("aria-label", words);
  bar.title = words;
}
