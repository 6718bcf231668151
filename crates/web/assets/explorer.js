// @ts-check
// The explorer: which moves were played in the position that is shown, and how those games ended. It
// knows the games that this browser keeps and the files that were loaded.

import { $, element } from "./dom.js";
import { play } from "./game.js";
import { complain } from "./notice.js";
import * as saved from "./saved.js";
import { store } from "./store.js";
import { Tree } from "./tree.js";

/** @typedef {{ move: string, label: string, games: number, results: [number, number, number] }} Played */

/** The moves of each position, by its key. @type {Map<string, Map<string, Played>>} */
let index = new Map();
/** What the index was made of. */
let made = { id: 0, library: /** @type {any[] | null} */ (null) };

/** Adds the main line of a game. `winner` is a side, null for a draw, undefined if nobody knows. */
function add(/** @type {import("./tree.js").Tree} */ tree, /** @type {number | null | undefined} */ winner) {
  for (let at = 0; tree.nodes[at].children.length;) {
    const next = tree.nodes[at].children[0];
    const { key } = tree.nodes[at];
    const { move, label } = tree.nodes[next];
    if (key && move) {
      const moves = index.get(key) ?? new Map();
      index.set(key, moves);
      const played = moves.get(move) ?? { move, label, games: 0, results: [0, 0, 0] };
      moves.set(move, played);
      played.games += 1;
      if (winner !== undefined) played.results[winner ?? 2] += 1;
    }
    at = next;
  }
}

/** Reads all games but the one on the board. */
function make(/** @type {number} */ id, /** @type {any[]} */ library) {
  if (made.id === id && made.library === library) return;
  made = { id, library };
  index = new Map();
  for (const game of saved.games()) {
    if (game.id !== id) add(Tree.from(game.nodes, null, game.key), (game.about.ending ?? game.outcome)?.winner);
  }
  for (const { line, ending } of library) {
    if (line) add(Tree.from(line.nodes, null, line.key), (ending ?? line.outcome)?.winner);
  }
}

/** How many games, and the share of each result as a bar. */
function row(/** @type {Played} */ { label, move, games, results: [first, second, draws] }, /** @type {string[]} */ sides) {
  const known = first + second + draws;
  const words = known ? `${sides[0]} ${first}, ${sides[1]} ${second}, drawn ${draws}` : "no results";
  const part = (kind, count) => element("span", { className: kind, style: `flex-grow: ${count}` });
  const bar = element("div", { className: "results", role: "img", title: words, aria: { label: words } },
    part("first", first), part("drawn", draws), part("second", second));
  return element("tr", {},
    element("td", {}, element("button", { className: "ply", data: { move } }, label)),
    element("td", {}, String(games)), element("td", {}, known ? bar : "–"));
}

store.view(["state", "game", "library"], show);
$("explorer-box").addEventListener("toggle", () => show(store.values));
$("explorer").addEventListener("click", (/** @type {any} */ event) => {
  const { move } = event.target.closest("[data-move]")?.dataset ?? {};
  const legal = store.values.state?.legal.find((one) => one.move === move);
  store.set({ live: false });
  if (legal) play(legal).catch(complain);
});

function show(/** @type {import("../types").Page} */ { state, game, library }) {
  if (!state || !game || !$("explorer-box").open) return;
  make(game.id, library);
  const moves = [...(index.get(state.key)?.values() ?? [])].sort((a, b) => b.games - a.games);
  $("explorer").hidden = !moves.length;
  $("explorer-empty").hidden = moves.length > 0;
  $("explorer").tBodies[0].replaceChildren(...moves.map((played) => row(played, state.sides)));
}
