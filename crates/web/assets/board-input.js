// @ts-check
// Pointers and keys on the board.
//
// A move is played by its squares: one click for a stone, origin and target for a man, both squares for
// a domino; men and dominoes can also be dragged, by mouse or finger. A pointer never moves the focus
// to the board, so that the arrow keys walk through the game after it; who comes by the Tab key gets a
// cursor on the squares.

import { domino } from "./shapes.js";
import { name, place } from "./squares.js";

/** Pixels a pointer may tremble without dragging. */
const TREMBLE = 5;
const STEPS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };

/** Hears the board's element. @param {import("./board.js").Board} board */
export function listen(board) {
  const { element } = board;
  /** The pointer that is down. @type {any} */
  let drag = null;
  /** Where the right button went down. @type {string | null} */
  let arrowFrom = null;

  const squareOf = (/** @type {any} */ event) => event.target.closest?.("[data-square]")?.dataset.square ?? null;
  const squareAt = (/** @type {PointerEvent} */ event) => {
    const hit = /** @type {HTMLElement | null} */ (
      document.elementFromPoint(event.clientX, event.clientY)?.closest("#board [data-square]"));
    return hit?.dataset.square ?? null;
  };

  element.addEventListener("mousedown", (event) => {
    event.preventDefault();
    /** @type {HTMLElement} */ (document.activeElement)?.blur();
  });

  // A finger on what can be moved or chosen does not scroll the page; elsewhere it does.
  element.addEventListener("touchstart", (event) => {
    const live = /** @type {Element} */ (event.target).matches(".live");
    if (live && event.cancelable && event.touches.length === 1) event.preventDefault();
  }, { passive: false });

  element.addEventListener("pointerdown", (event) => {
    const square = squareOf(event);
    if (event.button === 2 && square) {
      arrowFrom = square;
      return;
    }
    if (event.button === 0 && event.pointerType === "mouse") board.onDraw(null);
    if (event.button !== 0 || !event.isPrimary || !square) return;
    drag = { square, x: event.clientX, y: event.clientY, picked: false, moving: false };
    element.setPointerCapture(event.pointerId);
    const moves = board.movesWith(square);
    const isTarget = board.selected && board.movesWith(board.selected, square).length > 0;
    drag.draggable = moves.length > 0 && moves[0].squares.length === 2 && !isTarget;
    if (drag.draggable && board.state.style !== "dominoes" && board.selected !== square) {
      board.focused = square;
      board.select(square);
      drag.picked = true;
    }
  });

  element.addEventListener("pointermove", (event) => {
    const hovered = squareAt(event);
    if (hovered !== board.hovered) {
      board.hovered = hovered;
      if (!drag?.moving && board.state) board.draw();
    }
    if (!drag?.draggable) return;
    const [dx, dy] = [event.clientX - drag.x, event.clientY - drag.y];
    if (!drag.moving && Math.hypot(dx, dy) < TREMBLE) return;
    drag.moving = true;
    if (board.state.style === "dominoes") {
      const fits = hovered && board.movesWith(drag.square, hovered).length > 0;
      const squares = fits && hovered !== drag.square ? [drag.square, hovered] : [drag.square];
      board.layers.marks.group.replaceChildren(domino(board.view, squares, `domino dragged side-${board.state.to_move}`));
      board.layers.marks.inputs = null;
      return;
    }
    const figure = board.figure(drag.square);
    if (!figure) return;
    if (figure.nextSibling) figure.parentNode.append(figure);
    figure.classList.add("dragged");
    const scale = board.root.viewBox.baseVal.width / board.root.getBoundingClientRect().width;
    const [x, y] = board.corner(drag.square);
    figure.style.transform = `translate(${x + dx * scale}px, ${y + dy * scale}px)`;
  });

  element.addEventListener("contextmenu", (event) => event.preventDefault());

  element.addEventListener("pointerup", (event) => {
    if (event.button === 2 && arrowFrom) {
      const to = squareAt(event);
      if (to) board.onDraw(to === arrowFrom ? [to] : [arrowFrom, to]);
      arrowFrom = null;
      return;
    }
    const ended = drag;
    drag = null;
    if (!ended) return;
    const square = squareAt(event);
    if (ended.moving) {
      putDown(ended);
      const moves = square && square !== ended.square ? board.movesWith(ended.square, square) : [];
      if (moves.length) board.play(moves);
      else board.draw();
    } else if (square === ended.square && !ended.picked) board.choose(square);
  });

  const giveUp = () => {
    if (!drag) return;
    putDown(drag);
    drag = null;
    board.draw();
  };
  element.addEventListener("pointercancel", giveUp);
  element.addEventListener("lostpointercapture", giveUp);

  const putDown = ({ square }) => board.figure(square)?.classList.remove("dragged");

  element.addEventListener("pointerleave", () => {
    if (drag || !board.hovered) return;
    board.hovered = null;
    if (board.state) board.draw();
  });

  element.addEventListener("click", (event) => {
    // A press of the keyboard or of a screen reader; pointers are done with by now.
    if (event.detail === 0) board.choose(squareOf(event));
  });

  element.addEventListener("keydown", (event) => {
    const square = squareOf(event);
    const step = STEPS[event.key];
    if (!square || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      board.choose(square);
    } else if (step) {
      event.preventDefault();
      event.stopPropagation();
      const turn = board.flipped ? -1 : 1;
      const [file, rank] = place(square);
      const next = [file + turn * step[0], rank + turn * step[1]];
      if (next[0] < 0 || next[1] < 0 || next[0] >= board.state.width || next[1] >= board.state.height) return;
      board.focused = board.hovered = name(next[0], next[1]);
      board.draw();
      board.hit(board.focused).focus();
    }
  });
}
