// @ts-check
// How requests reach the engine: by HTTP, with live searches as server-sent events. The page without a server
// has another file of this name (crates/wasm/assets), with the same two functions.

import { Refused } from "./refused.js";

const SILENT = "The server does not answer. Is spinney serve still running?";
const BUSY = "The server is busy with other searches. Try again in a moment.";
/** Requests whose fields are in the query. */
const GETS = ["games", "players"];

/** A connection that failed: given up by the page, or by the server. @returns {never} */
function lost(error) {
  throw error.name === "AbortError" ? error : new Refused(SILENT);
}

/** @param {string} name @param {object} fields @param {AbortSignal} [signal] */
async function request(name, fields, signal) {
  const headers = { "Content-Type": "application/json" };
  const response = await (GETS.includes(name)
    ? fetch(`/api/${name}?${new URLSearchParams(/** @type {Record<string, string>} */ (fields))}`, { signal })
    : fetch(`/api/${name}`, { method: "POST", headers, body: JSON.stringify(fields), signal })).catch(lost);
  if (response.ok) return response;
  const body = await response.json().catch(() => ({}));
  const message = response.status === 503 ? BUSY : body.error;
  throw new Refused(message ?? `The server answered ${response.status}.`, response.status);
}

/** The answer to a request: JSON or text. @param {string} name @param {object} fields @param {AbortSignal} [signal] */
export async function ask(name, fields, signal) {
  const response = await request(name, fields, signal);
  return response.headers.get("Content-Type")?.startsWith("application/json") ? response.json() : response.text();
}

/**
 * A live search. `hear` is told events by name, `tree` and `snapshot`; resolves with the last word. Aborting the
 * signal ends the search and forgets its tree.
 * @param {object} fields
 * @param {(event: string, data: any) => void} hear
 * @param {AbortSignal} signal
 * @returns {Promise<any>}
 */
export async function search(fields, hear, signal) {
  const response = await request("analyse", fields, signal);
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
      if (field("event") === "failed") throw new Refused(data.error);
      if (field("event") !== "done") {
        hear(field("event"), data);
        continue;
      }
      drain(reader);
      return data;
    }
  }
}

/** Reads and forgets: the connection stays open as long as the tree is wanted, and is cut off if nobody reads. */
async function drain(reader) {
  try {
    while (!(await reader.read()).done);
  } catch {
    // Aborted: the tree is no longer wanted.
  }
}
