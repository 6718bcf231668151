// @ts-check
// The value over the game: one point for each position that was searched.

import { element, svg } from "./dom.js";

const [WIDTH, HEIGHT, EDGE] = [600, 120, 8];

/**
 * Draws the values of a line of nodes. Opinions of different engines are different lines; mistakes that
 * a review has found are marked.
 * @param {any} box
 * @param {import("./tree.js").TreeNode[]} nodes
 * @param {number} at
 * @param {[string, string]} sides
 * @param {(ply: number) => void} onClick
 */
export function showGraph(box, nodes, at, sides, onClick) {
  const x = (i) => (nodes.length < 2 ? WIDTH / 2 : EDGE + (i * (WIDTH - 2 * EDGE)) / (nodes.length - 1));
  const y = (value) => HEIGHT / 2 - value * (HEIGHT / 2 - 6);
  const points = nodes.map(({ value, by, nags }, i) => ({ i, value, by, nags })).filter(({ value }) => value != null);
  const known = points.length;
  const root = svg("svg", {
    viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: "none", role: "img",
    "aria-label": known ? `Value over the game for ${sides[0]}, ${known} positions known` : "No values yet",
  });
  root.append(svg("path", { d: `M0 ${HEIGHT / 2}H${WIDTH}`, class: "graph-zero" }));
  // The end of a game is everybody's opinion, and that of an analysis alone makes one line of all.
  const opinions = [0, 1].filter((side) => points.some(({ by }) => by === side));
  const lines = opinions.length === 2
    ? opinions.map((side) => points.filter(({ by }) => by === side))
    : [points];
  lines.forEach((line, number) => {
    if (!line.length) return;
    const d = line.map(({ i, value }) => `${x(i)} ${y(value)}`).join("L");
    if (lines.length === 1) {
      root.append(svg("path", { d: `M${x(line[0].i)} ${HEIGHT / 2}L${d}L${x(line.at(-1).i)} ${HEIGHT / 2}Z`, class: "graph-area" }));
    }
    root.append(svg("path", { d: `M${d}`, class: `graph-line line-${number}` }));
  });
  // Lines of no length with round ends: dots that keep their shape when the graph is stretched.
  const dots = (some, kind) => {
    const d = some.map(({ i, value }) => `M${x(i)} ${y(value)}h0`).join("");
    if (d) root.append(svg("path", { d, class: kind }));
  };
  dots(points, "graph-dots");
  for (const [nag, kind] of Object.entries({ 6: "doubtful", 2: "mistake", 4: "blunder" })) {
    dots(points.filter(({ nags }) => nags.includes(Number(nag))), `graph-dots ${kind}`);
  }
  if (known) root.append(svg("path", { d: `M${x(at)} 0V${HEIGHT}`, class: "graph-at" }));
  root.addEventListener("click", (/** @type {MouseEvent} */ event) => {
    const frame = root.getBoundingClientRect();
    const share = (((event.clientX - frame.left) / frame.width) * WIDTH - EDGE) / (WIDTH - 2 * EDGE);
    onClick(Math.round(Math.min(Math.max(share, 0), 1) * (nodes.length - 1)));
  });
  const label = (text, kind) => element("span", { className: `graph-label ${kind}` }, text);
  box.replaceChildren(root, label(sides[0], "up"), label(sides[1], "down"));
  if (!known) box.append(label("Review the game to draw it", "none"));
  if (lines.length === 2) box.append(label(`— ${sides[0]}'s engine  ┄ ${sides[1]}'s engine`, "key"));
}
