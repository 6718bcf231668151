// @ts-check
// A list of games to choose from: those kept in the browser, or those of a file.

import { $, ask, button, element } from "./dom.js";
import { open } from "./game.js";
import { titleOf } from "./records.js";
import * as saved from "./saved.js";
import { seatText } from "./seats.js";
import { store } from "./store.js";
import { Tree } from "./tree.js";

/** One line on a game: its title, what else is known. */
function row(title, details, choose, remove) {
  const open = button("", choose, { className: "open" });
  open.append(element("strong", {}, title), element("span", { className: "quiet" }, details.filter(Boolean).join(" · ")));
  return element("li", {}, open, ...(remove ? [button("Delete", remove, { className: "small", aria: { label: `Delete ${title}` } })] : []));
}

/** Shows rows until one is chosen or the dialog is closed. */
function choose(/** @type {string} */ title, /** @type {HTMLElement[]} */ rows) {
  $("games-title").textContent = title;
  $("games-list").replaceChildren(...rows);
  $("games-empty").hidden = rows.length > 0;
  return ask($("games"));
}

const plural = (count, word) => `${count} ${word}${count === 1 ? "" : "s"}`;

function resultText(ending, sides) {
  if (!ending) return "";
  return ending.winner == null ? "draw" : `${sides[ending.winner]} won`;
}

/** Asks which game of a file is meant; resolves with its number, or null. */
export async function pick(/** @type {any[]} */ games) {
  const sides = ["first side", "second side"];
  const rows = games.map((game, i) => {
    const [first, second] = game.players;
    const players = game.name && (first || second) ? `${first || "?"} – ${second || "?"}` : "";
    return row(titleOf(game) || `Game ${i + 1}`, [players, game.date, plural(game.moves, "move"), resultText(game.ending, sides)],
      () => $("games").close(String(i)));
  });
  const chosen = await choose(`${games.length} games in this record`, rows);
  return chosen === "" ? null : Number(chosen);
}

/** Shows the games that are kept. */
export async function showGames() {
  const rows = saved.games().map((game) => {
    const line = row(
      titleOf(game.about) || game.title,
      [
        titleOf(game.about) ? game.title : opponents(game), new Date(game.id).toLocaleDateString(),
        plural(Tree.from(game.nodes, null).line().length - 1, "move"), resultText(game.about.ending ?? game.outcome, game.sides),
      ],
      () => $("games").close(String(game.id)),
      () => {
        saved.forget(game.id);
        line.remove();
      },
    );
    return line;
  });
  const chosen = await choose("Your games", rows);
  const game = saved.games().find(({ id }) => String(id) === chosen);
  if (!game) return;
  store.set({ live: false });
  await open({ ...game, tree: Tree.from(game.nodes, game.at, game.key) });
}

function opponents({ seats, sides }) {
  const engines = seats.map((seat, side) => seat.player && `${sides[side]}: ${seatText(seat)}`).filter(Boolean);
  return engines.length ? engines.join(", ") : "two people";
}
