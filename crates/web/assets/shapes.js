// @ts-check
// The shapes on a board that are neither men nor squares to click: ground, marks, lines, arrows.
//
// Each function gets a view of the board: its `state`, and `corner` and `centre` of a square.

import { svg } from "./dom.js";
import { man } from "./pieces.js";
import { allSquares, name, place } from "./squares.js";

export const CELL = 100;
/** On a board of eight squares: room for coordinates on two sides, and for the frame on the others. */
const MARGIN = 34;
const EDGE = 12;
const LETTER = 22;
/** The radius of the discs with numbers, and the places along an arrow where one may be. */
const DISC = 15;
/** That of the discs on arrows, which hold up to three digits. */
const BADGE = 19;
const DISC_PLACES = [0.5, 0.66, 0.34, 0.8, 0.22];

/** Sizes that look the same on the screen, however few the squares. */
export function sizes({ width, height }) {
  const scale = Math.max(width, height) / 8;
  return { margin: MARGIN * scale, edge: EDGE * scale, letter: LETTER * scale, frame: 10 * scale };
}

export function ground({ state, corner, centre }) {
  const [w, h] = [state.width * CELL, state.height * CELL];
  const { frame } = sizes(state);
  const shapes = [svg("rect", { x: -frame, y: -frame, width: w + 2 * frame, height: h + 2 * frame, rx: frame, class: "frame" })];
  if (state.style === "stones") {
    shapes.push(svg("rect", { x: 0, y: 0, width: w, height: h, class: "light" }));
    const line = (d) => shapes.push(svg("path", { d, class: "grid-line" }));
    for (let file = 0; file < state.width; file++) line(`M${centre(name(file, 0))[0]} ${CELL / 2}V${h - CELL / 2}`);
    for (let rank = 0; rank < state.height; rank++) line(`M${CELL / 2} ${centre(name(0, rank))[1]}H${w - CELL / 2}`);
    return shapes;
  }
  const plain = state.style === "dominoes" || state.style === "marks";
  for (const square of allSquares(state)) {
    const [x, y] = corner(square);
    const [file, rank] = place(square);
    const shade = plain || (file + rank) % 2 ? "light" : "dark";
    shapes.push(svg("rect", { x, y, width: CELL, height: CELL, class: `${shade}${plain ? " plain" : ""}` }));
  }
  return shapes;
}

export function coordinates({ state, centre }) {
  const { margin, letter } = sizes(state);
  const text = (x, y, value) => svg("text", { x, y, "font-size": letter, class: "coordinate", "aria-hidden": "true" }, value);
  const files = Array.from({ length: state.width }, (_, file) =>
    text(centre(name(file, 0))[0], state.height * CELL + margin * 0.8, name(file, 0)[0]));
  const ranks = Array.from({ length: state.height }, (_, rank) =>
    text(-margin * 0.65, centre(name(0, rank))[1] + letter * 0.35, String(rank + 1)));
  return [...files, ...ranks];
}

export function lastMove({ corner }, squares) {
  return squares.map((square) => {
    const [x, y] = corner(square);
    return svg("rect", { x: x + 3, y: y + 3, width: CELL - 6, height: CELL - 6, rx: 4, class: "last" });
  });
}

/** Chess: the king that is in check. */
export function check({ state, centre }) {
  if (!state.check) return [];
  const [cx, cy] = centre(state.check);
  return [svg("circle", { cx, cy, r: 46, class: "check" })];
}

/** The stone or domino that a click would put down. */
export function ghost(view, /** @type {string[]} */ squares) {
  const { state, corner } = view;
  if (!squares.length) return [];
  if (state.style === "dominoes") return [domino(view, squares, `ghost domino side-${state.to_move}`)];
  const [x, y] = corner(squares[0]);
  const figure = man(state, state.to_move, "m");
  figure.setAttribute("transform", `translate(${x} ${y})`);
  figure.classList.add("ghost");
  return [figure];
}

const line = ([x1, y1], [x2, y2], kind) => svg("line", { x1, y1, x2, y2, class: kind });

/** LOA: a bar between men of one side that stand together. */
export function links({ state, centre }) {
  if (!state.connections) return [];
  const [edges, shapes] = [[], []];
  state.connections.links.forEach((pairs, side) => {
    const size = state.connections.groups[side] === 1 ? " whole" : "";
    for (const pair of pairs) {
      const [a, b] = pair.map(centre);
      if (side === 1) edges.push(line(a, b, `link link-edge${size}`));
      shapes.push(line(a, b, `link link-${side === 0 ? "black" : "white"}${size}`));
    }
  });
  return [...edges, ...shapes];
}

/** LOA: the lines of the moves of a man. */
export function actions({ centre }, moves) {
  return moves.filter((move) => move.line).map(({ squares: [from, to] }) => line(centre(from), centre(to), "action"));
}

/** LOA: the men that count on the line of a move. */
export function counted({ centre }, move) {
  if (!move?.line) return [];
  const [a, b] = move.line.ends.map(centre);
  const rings = move.line.men.map((square) => {
    const [cx, cy] = centre(square);
    return svg("circle", { cx, cy, r: 41, class: "counted-man" });
  });
  return [line(a, b, "action counted"), ...rings];
}

/** Where the selected man may go: a dot, or a ring around a man that would be taken; LOA's counts. */
export function marks({ state, corner, centre }, selected, moves) {
  if (!selected) return [];
  const [sx, sy] = corner(selected);
  const shapes = [svg("rect", { x: sx + 3, y: sy + 3, width: 94, height: 94, rx: 6, class: "selected" })];
  const taken = new Set(state.men.map((one) => one.square));
  for (const to of new Set(moves.map((move) => move.squares.find((square) => square !== selected)))) {
    const [cx, cy] = centre(to);
    shapes.push(svg("circle", { cx, cy, ...(taken.has(to) ? { r: 43, class: "target taken" } : { r: 15, class: "target" }) }));
  }
  for (const { squares: [from, to], line } of moves) {
    if (!line) continue;
    const [[x1, y1], [x2, y2]] = [centre(from), centre(to)];
    // Just before the target, where no other line passes.
    const [x, y] = [x2 - Math.sign(x2 - x1) * 34, y2 - Math.sign(y2 - y1) * 34];
    shapes.push(svg("circle", { cx: x, cy: y, r: DISC, class: "count-disc" }));
    shapes.push(svg("text", { x, y: y + 8, class: "count" }, String(line.men.length)));
  }
  return shapes;
}

export function domino({ corner }, squares, kind) {
  const corners = squares.map(corner);
  const [x, y] = [0, 1].map((i) => Math.min(...corners.map((at) => at[i])));
  const [x2, y2] = [0, 1].map((i) => Math.max(...corners.map((at) => at[i])) + CELL);
  const [cx, cy] = [(x + x2) / 2, (y + y2) / 2];
  const d = y2 - y > x2 - x ? `M${cx - 24} ${cy}h48` : `M${cx} ${cy - 24}v48`;
  return svg("g", { class: kind },
    svg("rect", { x: x + 9, y: y + 9, width: x2 - x - 18, height: y2 - y - 18, rx: 14 }),
    svg("path", { d, class: "domino-line" }));
}

/** Covered squares pair up from the end of each row of them. */
export function dominoes(view) {
  const left = new Map(view.state.men.map((one) => [one.square, one.side]));
  const shapes = [];
  for (const square of [...left.keys()].sort()) {
    if (!left.has(square)) continue;
    const side = left.get(square);
    const [file, rank] = place(square);
    const next = side === 0 ? name(file, rank + 1) : name(file + 1, rank);
    const both = left.get(next) === side ? [square, next] : [square];
    both.forEach((one) => left.delete(one));
    shapes.push(domino(view, both, `domino side-${side}`));
  }
  return shapes;
}

/** Arrows, the best with rank 1 and on top; the wider, the more visits. Their numbers lie above all. */
export function arrowShapes(view, /** @type {import("../types").Arrow[]} */ arrows) {
  const shown = arrows.filter(({ squares }) => squares.length);
  const discs = [];
  const badges = shown.filter(({ label }) => label !== "").map(({ squares, rank, label, kind = "" }) => {
    const [cx, cy] = freePlace(view, squares, discs);
    discs.push([cx, cy]);
    return svg("g", { class: `arrow rank-${rank} ${kind}`, "aria-hidden": "true" },
      svg("circle", { cx, cy, r: BADGE, class: "arrow-disc" }),
      svg("text", { x: cx, y: cy + 7, class: "arrow-rank" }, label ?? String(rank)));
  });
  const shapes = shown.map(({ squares, rank, share, kind = "" }) =>
    svg("g", { class: `arrow rank-${rank} ${kind}`, "aria-hidden": "true" }, arrowShape(view, squares, share)));
  return [...shapes.reverse(), ...badges.reverse()];
}

function arrowShape(view, squares, share) {
  if (view.state.style === "dominoes") return domino(view, squares, "arrow-domino");
  const [x2, y2] = view.centre(squares.at(-1));
  if (squares.length === 1) return svg("circle", { cx: x2, cy: y2, r: 34, class: "arrow-ring" });
  const [x1, y1] = view.centre(squares[0]);
  const length = Math.hypot(x2 - x1, y2 - y1);
  const [ux, uy] = [(x2 - x1) / length, (y2 - y1) / length];
  const half = 4 + 7 * share;
  const [hx, hy] = [x2 - ux * 34, y2 - uy * 34];
  const [sx, sy] = [x1 + ux * 26, y1 + uy * 26];
  const point = (x, y, side) => `${x - uy * side} ${y + ux * side}`;
  const d = `M${point(sx, sy, half)}L${point(hx, hy, half)}L${point(hx, hy, half + 12)}L${x2} ${y2}` +
    `L${point(hx, hy, -half - 12)}L${point(hx, hy, -half)}L${point(sx, sy, -half)}Z`;
  return svg("path", { d, class: "arrow-shape" });
}

/** A place on an arrow where no other number is. */
function freePlace({ centre }, squares, discs) {
  const [a, b] = [centre(squares[0]), centre(squares.at(-1))];
  const places = DISC_PLACES.map((t) => [a[0] + t * (b[0] - a[0]), a[1] + t * (b[1] - a[1])]);
  const isFree = (/** @type {number[]} */ [x, y]) => discs.every(([dx, dy]) => Math.hypot(x - dx, y - dy) >= 2 * BADGE + 2);
  return places.find(isFree) ?? places[0];
}
