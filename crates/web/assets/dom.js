// @ts-check
// Elements of the page: found, and made.

const NS = "http://www.w3.org/2000/svg";

/**
 * The element with this id. The page has it: index.html and the modules go together.
 * @returns {any}
 */
export const $ = (/** @type {string} */ id) => document.getElementById(id);

/**
 * An element with properties (`data` and `aria` are tables of attributes) and children.
 * @param {string} tag
 * @param {Record<string, any>} [properties]
 * @param {...(Node | string)} children
 * @returns {any}
 */
export function element(tag, { data = {}, aria = {}, ...properties } = {}, ...children) {
  const made = document.createElement(tag);
  Object.assign(made, properties);
  Object.assign(made.dataset, data);
  for (const [key, value] of Object.entries(aria)) made.setAttribute(`aria-${key}`, String(value));
  made.append(...children);
  return made;
}

/**
 * A button.
 * @param {string | Node} content
 * @param {() => void} action
 * @param {Record<string, any>} [properties]
 */
export function button(content, action, properties = {}) {
  const made = element("button", { type: "button", ...properties }, content);
  made.addEventListener("click", () => action());
  return made;
}

/**
 * An SVG element with attributes and children.
 * @param {string} tag
 * @param {Record<string, any>} [attributes]
 * @param {...(Node | string)} children
 * @returns {any}
 */
export function svg(tag, attributes = {}, ...children) {
  const made = document.createElementNS(NS, tag);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, String(value));
  made.append(...children);
  return made;
}

/** Shows a dialog; resolves with the value of the button that closed it. */
export function ask(/** @type {HTMLDialogElement} */ dialog) {
  dialog.returnValue = "";
  dialog.showModal();
  return new Promise((resolve) => {
    dialog.addEventListener("close", () => resolve(dialog.returnValue), { once: true });
  });
}
