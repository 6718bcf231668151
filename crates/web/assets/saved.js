// @ts-check
// What survives a reload: the game that is shown, and those before it. And links to a position.

const KEY = "spinney";
const GAMES = "spinney.games";
const PUZZLES = "spinney.puzzles";
/** Games that are kept; the oldest go first. */
const MOST_GAMES = 200;

function read(/** @type {Storage} */ storage, /** @type {string} */ key) {
  try {
    return JSON.parse(storage.getItem(key) ?? "null");
  } catch {
    return null;
  }
}

function write(/** @type {Storage} */ storage, /** @type {string} */ key, /** @type {any} */ value) {
  try {
    storage.setItem(key, JSON.stringify(value));
    return true;
  } catch {
    // Private windows may have no room: then nothing survives.
    return false;
  }
}

export function save(/** @type {object} */ state) {
  write(sessionStorage, KEY, state);
  write(localStorage, KEY, state);
}

/** What this tab left, or else what any tab did last. */
export const load = () => read(sessionStorage, KEY) ?? read(localStorage, KEY);

/** The games that are kept, the newest first. @returns {any[]} */
export const games = () => read(localStorage, GAMES) ?? [];

/** Keeps a game, in place of what was kept of it before. */
export function keep(/** @type {{ id: number, [key: string]: any }} */ game) {
  const others = games().filter(({ id }) => id !== game.id);
  let kept = [game, ...others].slice(0, MOST_GAMES);
  while (kept.length && !write(localStorage, GAMES, kept)) kept = kept.slice(0, kept.length / 2);
}

export function forget(/** @type {number} */ id) {
  write(localStorage, GAMES, games().filter((game) => game.id !== id));
}

/** The puzzles that were solved, by number: whether without help. @returns {Record<string, boolean>} */
export const solvedPuzzles = () => read(localStorage, PUZZLES) ?? {};

/** Remembers that a puzzle was solved. */
export function solvedPuzzle(/** @type {number} */ index, /** @type {boolean} */ alone) {
  const solved = solvedPuzzles();
  write(localStorage, PUZZLES, { ...solved, [index]: alone || solved[index] === true });
}

/** `#game=loa&moves=d1-d3+a4-c4`, with `start` if it is not the usual one. */
export function link({ game, start, moves }) {
  const parameters = new URLSearchParams({ game });
  if (start) parameters.set("start", start);
  if (moves.length) parameters.set("moves", moves.join(" "));
  return `#${parameters}`;
}

export function parseLink(/** @type {string} */ hash) {
  const parameters = new URLSearchParams(hash.slice(1));
  if (!parameters.get("game")) return null;
  return {
    game: parameters.get("game"),
    start: parameters.get("start"),
    moves: (parameters.get("moves") ?? "").split(" ").filter(Boolean),
  };
}
