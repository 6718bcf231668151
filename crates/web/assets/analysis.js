// The analysis panel: value bar, table of moves with their lines, arrows; and the value graph.

import { svg } from "./pieces.js";

/** Arrows on the board, and rows in the table. */
const MOST_ARROWS = 3;
const MOST_ROWS = 8;
const LONGEST_LINE = 10;

/** A value for the first side, whoever is to move. */
export const forFirst = (value, toMove) => (toMove === 0 ? value : -value);

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

/** The best moves as arrows; their squares come from the legal moves. */
export function arrowsOf(analysis, legal) {
  const squares = new Map(legal.map((move) => [move.move, move.squares]));
  const shown = analysis.candidates.length
    ? analysis.candidates.slice(0, MOST_ARROWS)
    : analysis.best ? [{ move: analysis.best, visits: 1 }] : [];
  const most = Math.max(1, ...shown.map((candidate) => candidate.visits));
  return shown.map((candidate, i) => ({
    squares: squares.get(candidate.move) ?? [],
    rank: i + 1,
    share: candidate.visits / most,
  }));
}

/** Fills the table. `onLine(moves, play)` hears which line is hovered (null: none) or clicked. */
export function showTable(table, analysis, state, onLine) {
  const labels = new Map(state.legal.map((move) => [move.move, move.label]));
  const rows = analysis.candidates.slice(0, MOST_ROWS).map((candidate, i) => {
    const row = document.createElement("tr");
    const cell = (kind, ...content) => {
      const td = document.createElement("td");
      td.className = kind;
      td.append(...content);
      row.append(td);
      return td;
    };
    const rank = document.createElement("span");
    rank.className = "rank";
    rank.textContent = i + 1;
    cell("move", ...(i < MOST_ARROWS ? [rank] : []), labels.get(candidate.move) ?? candidate.move);
    cell("value", valueOf(candidate));
    cell("visits", count(candidate.visits));
    const line = cell("line");
    const moves = candidate.pv.length ? candidate.pv : [candidate.move];
    moves.slice(0, LONGEST_LINE).forEach((move, ply) => {
      const button = document.createElement("button");
      button.className = "ply";
      button.textContent = analysis.labels?.[i]?.[ply] ?? move;
      button.dataset.line = JSON.stringify(moves.slice(0, ply + 1));
      line.append(button, " ");
    });
    return row;
  });
  table.hidden = rows.length === 0;
  const body = table.tBodies[0];
  // While a line is looked at its row must not change under the pointer.
  if (!body.matches(":hover")) body.replaceChildren(...rows);
  hearLines(body, onLine);
}

/** What a move is worth: a share of the points, or a badge if it is proven. */
export function valueOf(candidate) {
  if (!candidate.proven) return percent(candidate.value);
  const badge = document.createElement("span");
  badge.className = `badge ${candidate.proven}`;
  badge.textContent = proof(candidate);
  return badge;
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

/** The value over the game: one point for each position that was searched. */
export function showGraph(element, values, at, sides, onClick) {
  const [w, h, edge] = [600, 120, 8];
  const known = values.filter((value) => value != null).length;
  const x = (i) => (values.length < 2 ? w / 2 : edge + (i * (w - 2 * edge)) / (values.length - 1));
  const y = (value) => h / 2 - value * (h / 2 - 6);
  const root = svg("svg", {
    viewBox: `0 0 ${w} ${h}`, preserveAspectRatio: "none", role: "img",
    "aria-label": known ? `Value over the game for ${sides[0]}, ${known} positions known` : "No values yet",
  });
  root.append(svg("path", { d: `M0 ${h / 2}H${w}`, class: "graph-zero" }));
  const points = values.map((value, i) => [i, value]).filter(([, value]) => value != null);
  if (points.length) {
    const line = points.map(([i, value]) => `${x(i)} ${y(value)}`).join("L");
    root.append(svg("path", {
      d: `M${x(points[0][0])} ${h / 2}L${line}L${x(points.at(-1)[0])} ${h / 2}Z`, class: "graph-area",
    }));
    root.append(svg("path", { d: `M${line}`, class: "graph-line" }));
    // Lines of no length with round ends: dots that keep their shape when the graph is stretched.
    const dots = points.map(([i, value]) => `M${x(i)} ${y(value)}h0`).join("");
    root.append(svg("path", { d: dots, class: "graph-dots" }));
  }
  if (known) root.append(svg("path", { d: `M${x(at)} 0V${h}`, class: "graph-at" }));
  root.addEventListener("click", (event) => {
    const box = root.getBoundingClientRect();
    const share = (((event.clientX - box.left) / box.width) * w - edge) / (w - 2 * edge);
    onClick(Math.round(Math.min(Math.max(share, 0), 1) * (values.length - 1)));
  });
  const label = (text, kind) => {
    const span = document.createElement("span");
    span.className = `graph-label ${kind}`;
    span.textContent = text;
    return span;
  };
  element.replaceChildren(root, label(sides[0], "up"), label(sides[1], "down"));
  if (!known) element.append(label("Analyse to draw it", "none"));
}
