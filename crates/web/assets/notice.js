// @ts-check
// Messages that must be seen wherever the page is scrolled to, and questions.

import { $, ask, button, element } from "./dom.js";

/** Milliseconds a message stays that needs no answer. */
const STAYS = 6000;

let timer = 0;

/**
 * Shows a message. An error stays until it is closed; `action` is a button beside it.
 * @param {string} text
 * @param {{ error?: boolean, action?: { text: string, run: () => void } }} [more]
 */
export function notice(text, { error = false, action = null } = {}) {
  clearTimeout(timer);
  const parts = [element("span", { role: error ? "alert" : "status" }, text)];
  if (action) parts.push(button(action.text, () => { quiet(); action.run(); }, { className: "small" }));
  parts.push(button("×", quiet, { className: "small close", aria: { label: "Close" } }));
  $("notice").classList.toggle("error-notice", error);
  $("notice").replaceChildren(...parts);
  $("notice").hidden = false;
  if (!error) timer = window.setTimeout(quiet, STAYS);
}

/** Takes the message away. */
export function quiet() {
  $("notice").hidden = true;
  $("notice").replaceChildren();
}

/** What went wrong, for people: an error of the server, or of the page itself. */
export function complain(/** @type {any} */ error) {
  if (error?.name !== "AbortError") notice(error?.message ?? String(error), { error: true });
}

/** Asks; resolves with whether the answer is yes. */
export async function confirmed(/** @type {string} */ question, /** @type {string} */ yes) {
  $("confirm-question").textContent = question;
  $("confirm-yes").textContent = yes;
  return (await ask($("confirm"))) === "yes";
}
