// The server's API (docs/protocols.md). Every request names its game, start and moves.

/** Thrown when the server refuses; the message is for people. `status` is that of HTTP, if there was an answer. */
export class Refused extends Error {
  constructor(message, status = 0) {
    super(message);
    this.status = status;
  }
}

async function answer(response) {
  if (response.ok) return response;
  const body = await response.json().catch(() => ({}));
  throw new Refused(body.error ?? `The server answered ${response.status}.`, response.status);
}

async function send(path, body, signal) {
  let response;
  try {
    response = await fetch(path, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(body),
      signal,
    });
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new Refused("The server does not answer. Is spinney serve still running?");
  }
  return answer(response);
}

async function get(path) {
  return (await answer(await fetch(path))).json();
}

export const games = () => get("/api/games");
export const players = (game) => get(`/api/players?game=${encodeURIComponent(game)}`);
export const position = async (place) => (await send("/api/position", place)).json();
export const readRecord = async (game, text) => (await send("/api/record", { game, text })).json();
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
 */
export async function analyse(request, onSnapshot, signal, onTree = () => {}) {
  const response = await send("/api/analyse", request, signal);
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  for (;;) {
    const { value, done } = await reader.read();
    if (done) throw new Refused("The search ended without a result.");
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
