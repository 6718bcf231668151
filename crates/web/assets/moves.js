// The moves with their variations, as text that can be clicked.

/** The judgements of PGN that have signs, by their numbers from 1. */
const SIGNS = ["!", "?", "!!", "??", "!?", "?!"];

/** Fills `element` with the game; `onClick(index)` goes to a node. */
export function showMoves(element, tree, firstToMove, onClick) {
  const parts = [];
  addLine(parts, tree, 0, firstToMove, true);
  element.replaceChildren(...parts);
  if (!parts.length) {
    const empty = document.createElement("span");
    empty.className = "quiet";
    empty.textContent = "No moves yet.";
    element.append(empty);
  }
  element.onclick = (event) => {
    const index = event.target.closest("[data-node]")?.dataset.node;
    if (index) onClick(Number(index));
  };
  const current = element.querySelector("[aria-current]");
  if (current) {
    // Not scrollIntoView: it would scroll the page as well.
    const top = current.offsetTop - element.offsetTop;
    if (top < element.scrollTop || top > element.scrollTop + element.clientHeight - 30) {
      element.scrollTop = top - element.clientHeight / 2;
    }
  }
}

function addLine(parts, tree, from, firstToMove, numbered) {
  let index = from;
  let number = numbered;
  while (tree.nodes[index].children.length) {
    const [main, ...others] = tree.nodes[index].children;
    parts.push(moveButton(tree, main, firstToMove, number), " ");
    number = false;
    for (const other of others) {
      const variation = document.createElement("span");
      variation.className = "variation";
      const inner = [moveButton(tree, other, firstToMove, true), " "];
      addLine(inner, tree, other, firstToMove, false);
      variation.append("(", ...inner.slice(0, -1), ")");
      parts.push(variation, " ");
      number = true;
    }
    index = main;
  }
}

function moveButton(tree, index, firstToMove, numbered) {
  const ply = tree.path(index).length - 1 + firstToMove;
  const button = document.createElement("button");
  button.className = "move";
  button.dataset.node = index;
  if (index === tree.at) button.setAttribute("aria-current", "true");
  const wrapper = document.createElement("span");
  wrapper.className = "ply-pair";
  if (ply % 2 === 0 || numbered) {
    const number = document.createElement("span");
    number.className = "number";
    number.textContent = `${Math.floor(ply / 2) + 1}${ply % 2 === 0 ? "." : "…"}`;
    wrapper.append(number);
  }
  const { label, nags, comment } = tree.nodes[index];
  button.textContent = label + nags.map((nag) => SIGNS[nag - 1] ?? "").join("");
  if (comment) button.title = comment;
  wrapper.append(button);
  return wrapper;
}
