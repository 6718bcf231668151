// @ts-check
// What the page knows, in one place. Views name the keys they show and are drawn again when one of
// them changes, once for all changes of a moment.

/** @typedef {import("../types").Page} Page */

export class Store {
  /** @param {Page} values */
  constructor(values) {
    this.values = values;
    /** @type {{ keys: (keyof Page)[], draw: (values: Page) => void }[]} */
    this.views = [];
    /** @type {Set<keyof Page>} */
    this.changed = new Set();
  }

  /** Changes some values. */
  set(/** @type {Partial<Page>} */ values) {
    const keys = /** @type {(keyof Page)[]} */ (Object.keys(values));
    const changed = keys.filter((key) => !Object.is(this.values[key], values[key]));
    Object.assign(this.values, values);
    this.touch(...changed);
  }

  /** Something inside these values has changed. */
  touch(/** @type {(keyof Page)[]} */ ...keys) {
    if (keys.length && !this.changed.size) queueMicrotask(() => this.draw());
    keys.forEach((key) => this.changed.add(key));
  }

  /** Draws again when one of the keys changes. */
  view(/** @type {(keyof Page)[]} */ keys, /** @type {(values: Page) => void} */ draw) {
    this.views.push({ keys, draw });
  }

  draw() {
    const { changed } = this;
    this.changed = new Set();
    for (const { keys, draw } of this.views) {
      if (keys.some((key) => changed.has(key))) draw(this.values);
    }
  }
}

/** The one store of the page. */
export const store = new Store({
  game: null, state: null, busy: false, live: true, thinking: null, flipped: false,
  analysing: false, analysis: null, hint: null, preview: null, editing: null, review: null, lesson: null,
  puzzle: null, welcome: false, drawn: [], threat: null, library: [], status: "", ticks: 0, values: 0,
});
