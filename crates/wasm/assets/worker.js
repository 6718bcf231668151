// @ts-check
// The engine: WebAssembly in a worker. Searches take turns, slice by slice; messages are heard between two slices.

/** Milliseconds for a slice: how long a stop or another request waits at most, for each search that runs. */
const SLICE = 30;
/** Milliseconds between two snapshots of a search. */
const INTERVAL = 100;
const ENGINE = new URL("spinney.wasm", import.meta.url);

/** The engine's functions. @type {any} */
let engine;
const ready = load();

/**
 * Searches that run, the next in front.
 * @type {{ id: number, search: number, shown: boolean, thousands: number, told: number }[]}
 */
let running = [];
/** The engine's numbers of searches that may be looked into, by those of their requests. @type {Map<number, number>} */
const searches = new Map();

/** Whether the next turn has been asked for. */
let turning = false;
/** Comes back after the messages that wait; a timer would take longer. */
const turns = new MessageChannel();
turns.port1.onmessage = turn;

async function load() {
  const imports = { env: { now: () => performance.now(), complain: (at, length) => console.error(text(at, length)) } };
  // A host that does not know WebAssembly calls it something else, which cannot be compiled as it comes.
  const { instance } = await WebAssembly.instantiateStreaming(fetch(ENGINE), imports)
    .catch(async () => WebAssembly.instantiate(await (await fetch(ENGINE)).arrayBuffer(), imports));
  engine = instance.exports;
}

const text = (at, length) => new TextDecoder().decode(new Uint8Array(engine.memory.buffer, at, length));

/** Asks the engine, and waits for the answer. @param {string} name @param {object} fields */
function ask(name, fields) {
  const request = new TextEncoder().encode(`${name}\n${JSON.stringify(fields)}`);
  // The engine's memory may move when it makes room.
  const at = engine.buffer(request.length);
  new Uint8Array(engine.memory.buffer, at, request.length).set(request);
  const length = engine.ask();
  return JSON.parse(text(engine.buffer(length), length));
}

// The page hears of errors alone.
addEventListener("unhandledrejection", ({ reason }) => {
  throw reason;
});

onmessage = async ({ data: { id, name, fields } }) => {
  await ready;
  if (name === "close") return close(id);
  const { status, body } = ask(name, fields);
  if (status >= 400) return postMessage({ id, event: "refused", data: { ...body, status } });
  if (name !== "analyse") return postMessage({ id, event: "answer", data: body });
  searches.set(id, body.search);
  if (fields.tree) postMessage({ id, event: "tree", data: { search: body.tree } });
  running.push({ id, search: body.search, shown: body.tree != null, thousands: 1, told: performance.now() });
  goOn();
};

/** Ends a search, and forgets its tree. */
function close(id) {
  if (!searches.has(id)) return;
  ask("close", { search: searches.get(id) });
  searches.delete(id);
  running = running.filter((search) => search.id !== id);
}

function goOn() {
  if (turning || !running.length) return;
  turning = true;
  turns.port2.postMessage(null);
}

/** A slice of the next search. */
function turn() {
  turning = false;
  const current = running.shift();
  if (!current) return;
  const { id, search, shown, thousands, told } = current;
  const start = performance.now();
  const { event, data } = ask("step", { search, thousands }).body;
  const now = performance.now();
  const fitting = Math.round((thousands * SLICE) / Math.max(now - start, 1));
  current.thousands = Math.min(Math.max(fitting, 1), 2 * thousands);
  if (event === "snapshot") {
    running.push(current);
    if (now - told >= INTERVAL) {
      current.told = now;
      postMessage({ id, event, data });
    }
  } else {
    postMessage({ id, event: event === "done" ? event : "refused", data });
    // A tree stays as long as the page looks into it.
    if (!shown) close(id);
  }
  goOn();
}
