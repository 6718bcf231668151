// @ts-check
// Records in and out: pasted, dropped, opened as files; saved and copied.

import * as api from "./api.js";
import { $, element } from "./dom.js";
import { nothing, open, recorded, say } from "./game.js";
import { pick } from "./games.js";
import { complain, notice, quiet } from "./notice.js";
import { seatText } from "./seats.js";
import { store } from "./store.js";
import { Tree } from "./tree.js";

/** Shows a record; asks which game if it has several. An error stands below the field. */
export async function loadRecord(/** @type {string} */ text) {
  $("record-error").hidden = true;
  quiet();
  try {
    const { spec } = store.values.game;
    let record = await api.readRecord(spec, text);
    if (record.games.length > 1) {
      const { games } = await api.readRecord(spec, text, 0, true);
      store.set({ library: [...store.values.library, ...games] });
      const number = await pick(record.games);
      if (number == null) return;
      if (number) record = await api.readRecord(spec, text, number);
    }
    store.set({ live: false });
    const { game, start, about, nodes, key, problem } = record;
    await open({ spec: game, start, about, tree: Tree.from(nodes, null, key) });
    $("record").value = "";
    const length = store.values.game.tree.line().length - 1;
    if (length) say(`Loaded ${titleOf(about) || "a record"}: ${length} moves. Walk through it with the arrows.`);
    if (problem) notice(`The record stops after ${length} moves. ${problem}`, { error: true });
  } catch (error) {
    $("record-error").textContent = error.message;
    $("record-error").hidden = false;
  }
}

/** The name of a game, or who played it. */
export function titleOf(/** @type {import("../types").About} */ { name, event, players }) {
  const [first, second] = players;
  return name || (first || second ? `${first || "?"} – ${second || "?"}` : event);
}

export async function saveRecord(/** @type {"sgf" | "pgn"} */ format) {
  const { spec, start, about, seats, nodes } = recorded();
  const known = (side) => about.players[side] || (seats[side].player ? `Spinney ${seatText(seats[side])}` : "");
  const moves = nodes.map(({ move, parent, comment, nags }) => ({ move, parent, comment, nags }));
  try {
    const named = { ...nothing(), ...about, players: [known(0), known(1)] };
    const text = await api.writeRecord({ game: spec, start, about: named, nodes: moves, format });
    const href = URL.createObjectURL(new Blob([text], { type: "text/plain" }));
    element("a", { href, download: `${spec.replace(/[^a-z0-9]+/g, "-")}.${format}` }).click();
    URL.revokeObjectURL(href);
  } catch (error) {
    complain(error);
  }
}

export async function copy(/** @type {string} */ text, /** @type {string} */ what) {
  try {
    await navigator.clipboard.writeText(text);
    notice(`${what} copied.`);
  } catch {
    notice(text, { error: true });
  }
}

/** Hears files and texts that are dropped or opened. */
export function listenForRecords() {
  $("file").addEventListener("change", async () => {
    const [file] = $("file").files;
    if (file) await loadRecord(await file.text());
    $("file").value = "";
  });
  addEventListener("dragover", (event) => {
    event.preventDefault();
    $("drop").hidden = false;
  });
  addEventListener("dragleave", (event) => {
    if (!event.relatedTarget) $("drop").hidden = true;
  });
  addEventListener("drop", async (event) => {
    event.preventDefault();
    $("drop").hidden = true;
    const [file] = event.dataTransfer.files;
    loadRecord(file ? await file.text() : event.dataTransfer.getData("text"));
  });
}
