// @ts-check
// The moves: two columns, with variations and comments between.

import { element } from "./dom.js";

/** The judgements of PGN that have signs, by their numbers from 1. */
const SIGNS = ["!", "?", "!!", "??", "!?", "?!"];
/** The classes of those that a review gives. */
const KINDS = { 2: "mistake", 4: "blunder", 6: "doubtful" };

/**
 * Fills a list with the game; `onClick(index)` goes to a node.
 * @param {HTMLElement} list
 * @param {import("./tree.js").Tree} tree
 * @param {number} firstToMove
 * @param {(index: number) => void} onClick
 */
export function showMoves(list, tree, firstToMove, onClick) {
  const cells = mainLine(tree, firstToMove);
  list.replaceChildren(...(cells.length ? cells : [element("p", { className: "quiet wide" }, "No moves yet.")]));
  list.onclick = (event) => {
    const { node } = /** @type {HTMLElement} */ (event.target).closest("[data-node]")?.["dataset"] ?? {};
    if (node) onClick(Number(node));
  };
  const current = /** @type {HTMLElement | null} */ (list.querySelector("[aria-current]"));
  if (!current) {
    list.scrollTop = 0;
    return;
  }
  // Not scrollIntoView: it would scroll the page as well.
  const top = current.getBoundingClientRect().top - list.getBoundingClientRect().top + list.scrollTop;
  if (top < list.scrollTop || top > list.scrollTop + list.clientHeight - current.offsetHeight) {
    list.scrollTop = top - list.clientHeight / 2;
  }
}

const number = (ply, dots) => element("span", { className: "number" }, `${Math.floor(ply / 2) + 1}${dots}`);

/** Cells of a grid with three columns: number, first side, second side. */
function mainLine(tree, firstToMove) {
  const cells = [];
  let column = 0;
  let ply = firstToMove;
  let index = 0;
  while (tree.nodes[index].children.length) {
    const [main, ...others] = tree.nodes[index].children;
    if (ply % 2 === 0 || column === 0) {
      cells.push(number(ply, "."));
      if (ply % 2) cells.push(element("span", { className: "quiet gap" }, "…"));
    }
    cells.push(moveButton(tree, main));
    column = ply % 2 === 0 ? 1 : 0;
    const { comment } = tree.nodes[main];
    if (comment || others.length) {
      if (column) cells.push(element("span", {}));
      column = 0;
      const parts = others.map((other) => variation(tree, other, ply));
      cells.push(element("div", { className: "wide aside" }, ...(comment ? [element("p", {}, comment)] : []), ...parts));
    }
    index = main;
    ply += 1;
  }
  return cells;
}

/** A variation as running text, with its own variations in brackets. */
function variation(tree, index, ply) {
  const parts = [];
  let numbered = true;
  for (let at = index, depth = ply; ; depth += 1) {
    if (depth % 2 === 0) parts.push(number(depth, "."));
    else if (numbered) parts.push(number(depth, "…"));
    parts.push(moveButton(tree, at), " ");
    const [next, ...others] = tree.nodes[at].children;
    if (next == null) break;
    numbered = others.length > 0;
    at = next;
    for (const other of others) parts.push("(", variation(tree, other, depth + 1), ") ");
  }
  return element("span", { className: "variation" }, ...parts);
}

function moveButton(tree, index) {
  const { label, nags, comment } = tree.nodes[index];
  const kind = nags.map((nag) => KINDS[nag] ?? "").join(" ");
  const text = label + nags.map((nag) => SIGNS[nag - 1] ?? "").join("");
  const button = element("button", { className: `move ${kind}`.trim(), title: comment, data: { node: index } }, text);
  if (index === tree.at) button.setAttribute("aria-current", "true");
  return button;
}
