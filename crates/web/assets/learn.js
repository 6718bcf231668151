// @ts-check
// The rules of a game, and the lesson step by step on the board.

import { $, button, element } from "./dom.js";
import { nothing, open, people } from "./game.js";
import { STEPS } from "./lesson.js";
import { rulesOf } from "./rules.js";
import { store } from "./store.js";

/** Shows the rules of the game on the board. */
export function showRules(/** @type {any[]} */ games) {
  const { spec } = store.values.game;
  const { title, summary } = games.find(({ name }) => name === spec.split(":")[0]) ?? { title: spec, summary: "" };
  $("rules-title").textContent = `How to play ${title}`;
  $("rules-text").replaceChildren(...rulesOf(spec, summary).map((text) => element("p", {}, text)));
  $("start-lesson").hidden = !spec.startsWith("loa");
  $("rules").showModal();
}

/** Shows a step of the lesson, from 0. */
export async function showStep(/** @type {number} */ number) {
  $("rules").close();
  const { start = null, title } = STEPS[number];
  store.set({ live: false, flipped: false, analysing: false });
  await open({ spec: "loa", start, seats: people(), about: { ...nothing(), name: `Lesson: ${title}` }, id: 0 });
  store.set({ lesson: number });
}

/** What the last move means for the step: nothing yet, solved, or not. */
function answer(/** @type {import("./lesson.js").Step} */ { moves, wrong, right }, state) {
  const last = state.played.at(-1)?.move;
  if (!last) return { solved: false, text: "" };
  const solved = state.played.length === 1 && (moves ? moves.includes(last) : state.outcome?.winner === 0);
  return { solved, text: solved ? right : wrong?.[last] ?? "That is another move. Try again." };
}

export function listenToLesson(/** @type {() => Promise<void>} */ begin) {
  store.view(["lesson", "state", "game"], ({ lesson, state, game }) => {
    const shown = lesson != null && game?.id === 0;
    $("lesson").hidden = !shown;
    if (!shown || !state) return;
    const step = STEPS[lesson];
    const { solved, text } = answer(step, state);
    const last = lesson === STEPS.length - 1;
    const buttons = [
      ...(lesson ? [button("Back", () => showStep(lesson - 1))] : []),
      ...(text && !solved ? [button("Try again", () => showStep(lesson))] : []),
      last
        ? button("Play", begin, { className: "primary" })
        : button("Next", () => showStep(lesson + 1), { className: solved ? "primary" : "" }),
    ];
    $("lesson").replaceChildren(
      element("h2", {}, element("span", { className: "quiet" }, `${lesson + 1} of ${STEPS.length} `), step.title),
      element("p", {}, step.text),
      element("p", { className: solved ? "solved" : "error", role: "status", hidden: !text }, text),
      element("div", { className: "buttons" }, ...buttons),
    );
  });
}
