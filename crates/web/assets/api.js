// @ts-check
// What the page asks (docs/reference/http-api.md). Every request names its game, start and moves. How requests reach the
// engine is up to `transport.js`.

import { ask, search } from "./transport.js";

export { Refused } from "./refused.js";

export const games = () => ask("games", {});
export const players = (game) => ask("players", { game });
export const position = (place) => ask("position", place);
/** Refuses a player that there is not, or not with these options and limits. */
export const checkPlayer = (game, player, limits) => ask("player", { game, player, limits });
/** The game with a number in a text of one or more; with `lines` the main lines of all of them. */
export const readRecord = (game, text, number = 0, lines = false) => ask("record", { game, text, number, lines });
/** The puzzles of LOA, a line of JSON each. */
export const puzzles = async () => (await fetch(new URL("puzzles-loa.jsonl", import.meta.url))).text();
/** The moves of a node of the tree of a search; `path` are the moves to it. */
export const openNode = (search, path, signal) => ask("tree", { search, path }, signal);
/** Ends a search whose tree is shown; the tree stays. */
export const stopSearch = (search) => ask("stop", { search });
export const writeRecord = (record) => ask("export", record);

/**
 * Searches a position. `onSnapshot` hears what is known so far; resolves with the last word.
 * Aborting the signal ends the search. With `tree: true` in the request `onTree` hears the number of the
 * search (null: the player keeps no tree), and the tree can be opened until the signal is aborted.
 * @param {object} request
 * @param {(found: import("../types").Analysis) => void} onSnapshot
 * @param {AbortSignal} signal
 * @param {(search: number | null) => void} [onTree]
 * @returns {Promise<import("../types").Analysis>}
 */
export const analyse = (request, onSnapshot, signal, onTree = () => {}) =>
  search(request, (event, data) => (event === "tree" ? onTree(data.search) : onSnapshot(data)), signal);
