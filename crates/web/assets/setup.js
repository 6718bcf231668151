// The dialog for a new game: which game, who plays, how strong, with which clock.

import * as api from "./api.js";

const $ = (id) => document.getElementById(id);

/** What ends an engine's search, and what the number means to the server. */
const LIMITS = {
  time: { text: "s a move", value: 1, step: 0.1, limit: (n) => ({ time: Math.round(n * 1000) }) },
  simulations: { text: "simulations", value: 1000, step: 1, limit: (n) => ({ simulations: Math.round(n) }) },
  depth: { text: "plies deep", value: 4, step: 1, limit: (n) => ({ depth: Math.round(n) }) },
};

/** Games whose board has any size, with the sizes offered. */
const SIZES = ["4x4", "5x5", "6x6", "7x7", "8x8"];
const USUAL_SIZE = "5x5";

/** A person at the board. */
export const PERSON = { player: null };

export const limitsOf = (seat) => LIMITS[seat.limit].limit(seat.amount);
export const specOf = (seat) => (seat.options ? `${seat.player}:${seat.options}` : seat.player);

export function seatText(seat) {
  if (!seat.player) return "Person";
  return `${specOf(seat)}, ${seat.amount} ${LIMITS[seat.limit].text}`;
}

/** The player of a game that needs no thought to choose. */
export const usualPlayer = (players) => (players.find((player) => player.default) ?? players[0]).name;

function option(value, text, selected = false) {
  const element = document.createElement("option");
  Object.assign(element, { value, textContent: text, selected });
  return element;
}

export class Setup {
  constructor(games) {
    this.games = games;
    this.dialog = $("setup");
    $("setup-game").append(...games.map((game) => option(game.name, game.title)));
    $("setup-size").append(...SIZES.map((size) => option(size, size, size === USUAL_SIZE)));
    $("setup-game").addEventListener("change", () => this.showGame());
  }

  /** Asks; resolves with the new game, or null. */
  async ask({ game, seats }) {
    this.seats = seats;
    const [name, size] = game.split(":");
    $("setup-game").value = this.games.some((known) => known.name === name) ? name : this.games[0].name;
    if (SIZES.includes(size)) $("setup-size").value = size;
    await this.showGame();
    this.dialog.showModal();
    // The button answers before the dialog is gone: nothing else can be clicked in between.
    const answer = await new Promise((resolve) => {
      this.dialog.addEventListener("submit", ({ submitter }) => resolve(submitter.value), { once: true });
      this.dialog.addEventListener("close", () => resolve("cancel"), { once: true });
    });
    if (answer !== "start") return null;
    const clock = $("setup-clock").value;
    const [minutes, increment] = clock.split("+").map(Number);
    return {
      game: this.game(),
      seats: [this.readSeat("setup-first"), this.readSeat("setup-second")],
      clock: clock ? { minutes, increment } : null,
    };
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
    this.fillSeat("setup-first", `${info.sides[0]} (moves first)`, this.seats[0]);
    this.fillSeat("setup-second", info.sides[1], this.seats[1]);
  }

  fillSeat(id, title, seat) {
    const field = $(id);
    const legend = document.createElement("legend");
    legend.textContent = title;
    const who = document.createElement("select");
    who.setAttribute("aria-label", `Who plays ${title}`);
    who.className = "who";
    const known = this.players.some((player) => player.name === seat.player);
    const chosen = seat.player && !known ? usualPlayer(this.players) : seat.player;
    who.append(option("", "Person", !chosen));
    who.append(...this.players.map(({ name }) => option(name, name, name === chosen)));

    const amount = document.createElement("input");
    Object.assign(amount, { type: "number", min: 0.1, max: 1e9, className: "amount", required: true });
    amount.setAttribute("aria-label", "How much");
    const kind = document.createElement("select");
    kind.setAttribute("aria-label", "Limit of a move");
    kind.className = "kind";
    kind.append(...Object.entries(LIMITS).map(([key, { text }]) => option(key, text, key === seat.limit)));
    const strength = document.createElement("div");
    strength.className = "strength";
    strength.append(amount, kind);

    const options = document.createElement("input");
    Object.assign(options, { type: "text", className: "options", placeholder: "Options, such as c=0.5", value: (known && seat.options) || "" });
    options.setAttribute("aria-label", "Options of the player");
    options.spellcheck = false;
    const help = document.createElement("p");
    help.className = "quiet";

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
    who.addEventListener("change", update);
    update();
    field.replaceChildren(legend, who, strength, options, help);
  }

  readSeat(id) {
    const read = (kind) => document.querySelector(`#${id} .${kind}`).value;
    if (!read("who")) return { ...PERSON };
    return { player: read("who"), options: read("options").trim(), limit: read("kind"), amount: Number(read("amount")) };
  }
}
