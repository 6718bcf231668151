// @ts-check
// How requests reach the engine of a page without a server: as messages to a worker. The same two functions as
// those that ask a server (crates/web/assets).

import { Refused } from "./refused.js";

const FAILED = "The engine failed. It starts again with the next request.";

/** @type {Worker | null} */
let worker = null;
/**
 * Requests without their last answer, by number.
 * @type {Map<number, { hear: (event: string, data: any) => void, fail: (error: Error) => void }>}
 */
const waiting = new Map();
let last = 0;

/** The worker that runs, or a new one. It loads the engine, so it starts with the page. */
function engine() {
  if (worker) return worker;
  worker = new Worker(new URL("worker.js", import.meta.url), { type: "module" });
  worker.onmessage = ({ data: { id, event, data } }) => waiting.get(id)?.hear(event, data);
  worker.onerror = (event) => {
    event.preventDefault();
    console.error(event.message);
    worker?.terminate();
    worker = null;
    for (const { fail } of waiting.values()) fail(new Refused(FAILED));
    waiting.clear();
  };
  return worker;
}

/**
 * Sends a request. `hear` is told its events and settles the promise with an answer, unless it was refused.
 * @param {string} name @param {object} fields @param {AbortSignal | undefined} signal
 * @param {(event: string, data: any, settle: (answer: any) => void) => void} hear
 * @returns {Promise<any>}
 */
function send(name, fields, signal, hear) {
  const id = ++last;
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const forget = () => waiting.delete(id);
    const fail = (error) => (forget(), reject(error));
    const settle = (answer) => (forget(), resolve(answer));
    const heard = (event, data) => {
      if (event === "refused") fail(new Refused(data.error, data.status));
      else hear(event, data, settle);
    };
    waiting.set(id, { hear: heard, fail });
    signal?.addEventListener("abort", () => {
      fail(signal.reason);
      worker?.postMessage({ id, name: "close" });
    });
    engine().postMessage({ id, name, fields });
  });
}

/** The answer to a request: JSON or text. @param {string} name @param {object} fields @param {AbortSignal} [signal] */
export const ask = (name, fields, signal) => send(name, fields, signal, (_, data, settle) => settle(data));

/**
 * A live search. `hear` is told events by name, `tree` and `snapshot`; resolves with the last word. Aborting the
 * signal ends the search and forgets its tree.
 * @param {object} fields
 * @param {(event: string, data: any) => void} hear
 * @param {AbortSignal} signal
 * @returns {Promise<any>}
 */
export const search = (fields, hear, signal) =>
  send("analyse", fields, signal, (event, data, settle) => (event === "done" ? settle(data) : hear(event, data)));

engine();
navigator.serviceWorker?.register("offline.js").catch(console.warn);
