// @ts-check
// The dialog for a new game: which game, who plays, how strong, with which clock.

import * as api from "./api.js";
import { usualPlayer } from "./analyst.js";
import { $, element } from "./dom.js";
import { LIMITS, PERSON, levelOf, levelSeat, limitsOf, specOf } from "./seats.js";

/** Games whose board has any size, with the sizes offered. */
const SIZES = ["4x4", "5x5", "6x6", "7x7", "8x8"];
const USUAL_SIZE = "5x5";

/** What is chosen where the seats under Advanced say who plays. */
const CUSTOM = "custom";

const option = (value, text, selected = false) => element("option", { value, selected }, text);

export class Setup {
  /** @param {any[]} games */
  constructor(games) {
    this.games = games;
    this.dialog = $("setup");
    /** @type {import("../types").Player[]} */
    this.players = [];
    /** @type {import("../types").Seat[]} */
    this.seats = [];
    $("setup-game").append(...games.map((game) => option(game.name, game.title)));
    $("setup-size").append(...SIZES.map((size) => option(size, size, size === USUAL_SIZE)));
    $("setup-game").addEventListener("change", () => this.showGame());
    // Whoever changes a seat by hand plays with what stands there.
    $("setup-advanced").addEventListener("change", () => this.choose("opponent", CUSTOM));
  }

  /** The opponents by strength of a game. @returns {import("../types").Level[]} */
  levelsOf(/** @type {string} */ name) {
    return this.games.find((game) => game.name === name).levels;
  }

  /** Asks; resolves with the new game, or null. */
  async ask({ game, seats }) {
    this.seats = seats;
    const [name, size] = game.split(":");
    $("setup-game").value = this.games.some((known) => known.name === name) ? name : this.games[0].name;
    if (SIZES.includes(size)) $("setup-size").value = size;
    await this.showGame();
    this.complain("");
    this.dialog.returnValue = "";
    this.dialog.showModal();
    return new Promise((resolve) => {
      this.dialog.onsubmit = (event) => {
        if (event.submitter.value !== "start") return;
        event.preventDefault();
        this.start().then((wanted) => {
          if (!wanted) return;
          resolve(wanted);
          this.dialog.close();
        });
      };
      this.dialog.onclose = () => resolve(null);
    });
  }

  /** What was chosen, if there are such players; else says what is wrong, and stays. */
  async start() {
    const seats = this.readSeats();
    const clock = $("setup-clock").value;
    const [minutes, increment] = clock.split("+").map(Number);
    this.complain("");
    try {
      for (const seat of seats) {
        if (seat.player) await api.checkPlayer(this.game(), specOf(seat), limitsOf(seat));
      }
    } catch (error) {
      this.complain(error.message);
      return null;
    }
    return { game: this.game(), seats, clock: clock ? { minutes, increment } : null };
  }

  complain(/** @type {string} */ text) {
    $("setup-error").textContent = text;
    $("setup-error").hidden = !text;
  }

  game() {
    const info = this.games.find((game) => game.name === $("setup-game").value);
    const size = $("setup-size").value;
    return info.sizes && size !== USUAL_SIZE ? `${info.name}:${size}` : info.name;
  }

  async showGame() {
    const info = this.games.find((game) => game.name === $("setup-game").value);
    $("setup-summary").textContent = `${info.summary[0].toUpperCase()}${info.summary.slice(1)}.`;
    $("setup-size-field").hidden = !info.sizes;
    this.dialog.setAttribute("aria-busy", true);
    this.players = await api.players(info.name);
    this.dialog.setAttribute("aria-busy", false);
    this.showOpponents(info);
    this.fillSeat("setup-first", `${info.sides[0]} (moves first)`, this.seats[0]);
    this.fillSeat("setup-second", info.sides[1], this.seats[1]);
  }

  /** The opponents, the easiest first, and the colours; chosen as in the game before. */
  showOpponents(/** @type {any} */ { levels, sides }) {
    const [first, second] = this.seats;
    const engine = first.player ? first : second;
    const engines = [first, second].filter(({ player }) => player).length;
    const level = engines === 1 ? levelOf(engine) : 0;
    const usual = usualPlayer(this.players);
    const isUsual = engines === 1 && engine.player === usual && !engine.options;
    const opponents = levels.length
      ? levels.map(({ name, rating }, i) => [String(i + 1), name, rating == null ? `${i + 1}` : `${i + 1} · ${rating}`])
      : [["usual", "Spinney", usual]];
    const chosen = engines === 0 ? "person" : level && levels.length ? String(level) : isUsual && !levels.length ? "usual" : CUSTOM;
    this.chips("setup-opponents", "opponent", "Opponent", [
      ...opponents, ["person", "Person", "here"], [CUSTOM, "Other", "Advanced"],
    ], chosen);
    this.chips("setup-colours", "colour", "You play", [
      ["0", sides[0], "first"], ["1", sides[1], "second"], ["any", "Either", "by lot"],
    ], first.player && !second.player ? "1" : "0");
  }

  /** A choice of one, as buttons with a second line. */
  chips(/** @type {string} */ id, /** @type {string} */ name, /** @type {string} */ title, /** @type {string[][]} */ choices, /** @type {string} */ chosen) {
    $(id).replaceChildren(element("legend", {}, title), ...choices.map(([value, text, more]) =>
      element("label", { className: "chip" },
        element("input", { type: "radio", name, value, checked: value === chosen }),
        element("strong", {}, text), element("span", { className: "quiet" }, more))));
  }

  /** What is chosen among the chips with this name. */
  chosen(/** @type {string} */ name) {
    return this.dialog.querySelector(`[name=${name}]:checked`)?.value;
  }

  choose(/** @type {string} */ name, /** @type {string} */ value) {
    this.dialog.querySelector(`[name=${name}][value="${value}"]`).checked = true;
  }

  /** Who plays the first side and the second. @returns {import("../types").Seat[]} */
  readSeats() {
    const opponent = this.chosen("opponent");
    if (opponent === CUSTOM) return [this.readSeat("setup-first"), this.readSeat("setup-second")];
    const levels = this.levelsOf($("setup-game").value);
    const other = opponent === "person" ? { ...PERSON }
      : opponent === "usual" ? { player: usualPlayer(this.players), options: "", limit: "time", amount: 1 }
      : levelSeat(levels, Number(opponent));
    const colour = this.chosen("colour");
    const mine = colour === "any" ? Math.floor(Math.random() * 2) : Number(colour);
    return mine === 0 ? [{ ...PERSON }, other] : [other, { ...PERSON }];
  }

  fillSeat(/** @type {string} */ id, /** @type {string} */ title, /** @type {import("../types").Seat} */ seat) {
    const known = this.players.some((player) => player.name === seat.player);
    const chosen = seat.player && !known ? usualPlayer(this.players) : seat.player;
    const who = element("select", { className: "who", aria: { label: `Who plays ${title}` } },
      option("", "Person", !chosen), ...this.players.map(({ name }) => option(name, name, name === chosen)));
    const amount = element("input", {
      type: "number", min: 0.1, max: 1e9, className: "amount", required: true, aria: { label: "How much" },
    });
    const kind = element("select", { className: "kind", aria: { label: "Limit of a move" } },
      ...Object.entries(LIMITS).map(([key, { text }]) => option(key, text, key === seat.limit)));
    const strength = element("div", { className: "strength" }, amount, kind);
    const options = element("input", {
      type: "text", className: "options", placeholder: "Options, such as c=0.5", value: (known && seat.options) || "",
      spellcheck: false, aria: { label: "Options of the player" },
    });
    const help = element("p", { className: "quiet" });
    const update = () => {
      const player = this.players.find(({ name }) => name === who.value);
      strength.hidden = options.hidden = !player;
      help.textContent = player?.summary ?? "Moves by hand at this screen.";
      amount.disabled = !player;
      options.title = player?.options.map(({ key, default: value, help }) => `${key}=${value}: ${help}`).join("\n") ?? "";
    };
    const reset = () => {
      const { value, step } = LIMITS[kind.value];
      Object.assign(amount, { value, step, min: step });
    };
    reset();
    if (seat.amount && seat.limit === kind.value) amount.value = seat.amount;
    kind.addEventListener("change", reset);
    who.addEventListener("change", () => {
      options.value = "";
      update();
    });
    update();
    $(id).replaceChildren(element("legend", {}, title), who, strength, options, help);
  }

  /** @returns {import("../types").Seat} */
  readSeat(/** @type {string} */ id) {
    const read = (kind) => $(id).querySelector(`.${kind}`).value;
    if (!read("who")) return { ...PERSON };
    return { player: read("who"), options: read("options").trim(), limit: read("kind"), amount: Number(read("amount")) };
  }
}
