// @ts-check
// Squares by name and by number.

/** [file, rank] from 0. */
export const place = (/** @type {string} */ square) => [square.charCodeAt(0) - 97, Number(square.slice(1)) - 1];
export const name = (/** @type {number} */ file, /** @type {number} */ rank) => String.fromCharCode(97 + file) + (rank + 1);

/** All squares of a board, from a1 on. */
export function allSquares({ width, height }) {
  return Array.from({ length: width * height }, (_, i) => name(i % width, Math.floor(i / width)));
}
