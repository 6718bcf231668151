// What survives a reload, and links that restore a position.

const KEY = "spinney";

export function save(state) {
  try {
    const text = JSON.stringify(state);
    sessionStorage.setItem(KEY, text);
    localStorage.setItem(KEY, text);
  } catch {
    // Private windows may have no room: then nothing survives.
  }
}

/** What this tab left, or else what any tab did last. */
export function load() {
  try {
    return JSON.parse(sessionStorage.getItem(KEY) ?? localStorage.getItem(KEY) ?? "null");
  } catch {
    return null;
  }
}

/** `#game=loa&moves=d1-d3+a4-c4`, with `start` if it is not the usual one. */
export function link({ game, start, moves }) {
  const parameters = new URLSearchParams({ game });
  if (start) parameters.set("start", start);
  if (moves.length) parameters.set("moves", moves.join(" "));
  return `#${parameters}`;
}

export function parseLink(hash) {
  const parameters = new URLSearchParams(hash.slice(1));
  if (!parameters.get("game")) return null;
  return {
    game: parameters.get("game"),
    start: parameters.get("start"),
    moves: (parameters.get("moves") ?? "").split(" ").filter(Boolean),
  };
}
