// @ts-check
// The server's API (docs/protocols.md). Every request names its game, start and moves.

/** Thrown when the server refuses; the message is for people. `status` is that of HTTP, if there was an answer. */
export class Refused extends Error {
  /** @param {string} message */
  constructor(message, status = 0) {
    super(message);
    this.status = status;
  }
}

const SILENT = "The server does not answer. Is spinney serve still running?";
const BUSY = "The server is busy with other searches. Try again in a moment.";

/** @param {string} path @param {RequestInit} [options] */
async function request(path, options) {
  const response = await fetch(path, options).catch(lost);
  if (response.ok) return response;
  const body = await response.json().catch(() => ({}));
  const message = response.status === 503 ? BUSY : body.error;
  throw new Refused(message ?? `The server answered ${response.status}.`, response.status);
}

/** A connection that failed: given up by the page, or by the server. @returns {never} */
function lost(error) {
  throw error.name === "AbortError" ? error : new Refused(SILENT);
}

/** @param {string} path @param {object} body @param {AbortSignal} [signal] */
function send(path, body, signal) {
  const headers = { "Content-Type": "application/json" };
  return request(path, { method: "POST", headers, body: JSON.stringify(body), signal });
}

const get = async (path) => (await request(path)).json();

export const games = () => get("/api/games");
export const players = (game) => get(`/api/players?game=${encodeURIComponent(game)}`);
export const position = async (place) => (await send("/api/position", place)).json();
/** Refuses a player that there is not, or not with these options and limits. */
export const checkPlayer = (game, player, limits) => send("/api/player", { game, player, limits });
/** The game with a number in a text of one or more; with `lines` the main lines of all of them. */
export const readRecord = async (game, text, number = 0, lines = false) =>
  (await send("/api/record", { game, text, number, lines })).json();
/** The puzzles of LOA, a line of JSON each. */
export const puzzles = async () => (await request("/puzzles-loa.jsonl")).text();
/** The moves of a node of the tree of a search; `path` are the moves to it. */
export const openNode = async (search, path, signal) => (await send("/api/tree", { search, path }, signal)).json();
/** Ends a search whose tree is shown; the tree stays. */
export const stopSearch = (search) => send("/api/stop", { search });
export const writeRecord = async (record) => (await send("/api/export", record)).text();

/** Reads and forgets: the connection stays open as long as the tree is wanted, and is cut off if nobody reads. */
async function drain(reader) {
  try {
    while (!(await reader.read()).done);
  } catch {
    // Aborted: the tree is no longer wanted.
  }
}

/**
 * Searches a position. `onSnapshot` hears what is known so far; resolves with the last word.
 * Aborting the signal ends the search on the server too. With `tree: true` in the request `onTree`
 * hears the number of the search (null: the player keeps no tree), and the tree can be opened until
 * the signal is aborted.
 * @param {object} request
 * @param {(found: import("../types").Analysis) => void} onSnapshot
 * @param {AbortSignal} signal
 * @param {(search: number | null) => void} [onTree]
 * @returns {Promise<import("../types").Analysis>}
 */
export async function analyse(request, onSnapshot, signal, onTree = () => {}) {
  const response = await send("/api/analyse", request, signal);
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  for (;;) {
    const { value, done } = await reader.read().catch(lost);
    if (done) throw new Refused("The server has ended the search.");
    text += value;
    const events = text.split("\n\n");
    text = events.pop();
    for (const event of events) {
      const field = (name) => event.match(new RegExp(`^${name}: ?(.*)$`, "m"))?.[1];
      if (!field("data")) continue;
      const data = JSON.parse(field("data"));
      if (field("event") === "snapshot") onSnapshot(data);
      else if (field("event") === "tree") onTree(data.search);
      else if (field("event") === "done") {
        drain(reader);
        return data;
      }
      else throw new Refused(data.error);
    }
  }
}
