// @ts-check
// Who sits at the board: people and engines, and the lines above and below it.

import { element, svg } from "./dom.js";
import { man } from "./pieces.js";

/** What ends an engine's search, and what the number means to the server. */
export const LIMITS = {
  time: { text: "s a move", value: 1, step: 0.1, limit: (n) => ({ time: Math.round(n * 1000) }) },
  simulations: { text: "simulations", value: 1000, step: 1, limit: (n) => ({ simulations: Math.round(n) }) },
  depth: { text: "plies deep", value: 4, step: 1, limit: (n) => ({ depth: Math.round(n) }) },
};

/** A person at the board. @type {import("../types").Seat} */
export const PERSON = { player: null };

/** Seconds for a move of a level; all but the strongest need less, since they count. */
const LEVEL_TIME = 2;

/**
 * A level of the game at the board, by its number from 1.
 * @param {import("../types").Level[]} levels
 * @param {number} number
 * @returns {import("../types").Seat}
 */
export function levelSeat(levels, number) {
  const { name } = levels[number - 1];
  return { player: "level", options: `number=${number}`, limit: "time", amount: LEVEL_TIME, name };
}

/** The number of the level that sits here; 0 if it is somebody else. */
export const levelOf = (/** @type {import("../types").Seat} */ { player, options }) =>
  (player === "level" ? Number(options?.match(/^number=(\d+)$/)?.[1] ?? 0) : 0);

export const limitsOf = (seat) => LIMITS[seat.limit].limit(seat.amount);
export const specOf = (seat) => (seat.options ? `${seat.player}:${seat.options}` : seat.player);

export function seatText(/** @type {import("../types").Seat} */ seat) {
  if (!seat.player) return "Person";
  if (seat.name) return `${seat.name}, level ${levelOf(seat)}`;
  return `${specOf(seat)}, ${seat.amount} ${LIMITS[seat.limit].text}`;
}

/** A man of a side, small. */
export function swatch(state, side) {
  const picture = svg("svg", { viewBox: "0 0 100 100", class: "swatch", "aria-hidden": "true" });
  const plain = { chess: "men", knights: "men", stones: "loa" }[state.style] ?? state.style;
  if (plain === "dominoes") {
    const shape = side === 0 ? { x: 30, y: 8, width: 40, height: 84 } : { x: 8, y: 30, width: 84, height: 40 };
    picture.append(svg("g", { class: `domino side-${side}` }, svg("rect", { ...shape, rx: 10 })));
  } else picture.append(man({ ...state, style: plain }, side, "m"));
  return picture;
}

/** Shows a side: its man, its name, who plays it, whose turn it is, the time left. */
export function showSeat(place, state, side, { turn, note, who, time }) {
  place.classList.toggle("turn", turn);
  place.replaceChildren(
    swatch(state, side),
    element("strong", {}, state.sides[side]),
    element("span", { className: "quiet who-text" }, who),
    element("span", { className: "note" }, note),
    element("span", { className: "time" }, time),
  );
}
