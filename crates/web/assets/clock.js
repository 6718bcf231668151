// @ts-check
// A clock for two sides: time left in milliseconds, and a gain for every move.

const TICK = 100;

export class Clock {
  /** `onTick` is called while it runs; `onFlag(side)` when a side has no time left. */
  constructor(onTick, onFlag) {
    this.onTick = onTick;
    this.onFlag = onFlag;
    /** @type {number[] | null} */
    this.left = null;
    this.control = null;
    this.since = 0;
    this.running = null;
    setInterval(() => this.tick(), TICK);
  }

  /** Sets `{ minutes, increment }` for both sides, perhaps with the time `left`; or no clock. */
  set(control) {
    this.control = control;
    this.left = control ? [...(control.left ?? [control.minutes * 60000, control.minutes * 60000])] : null;
    this.running = null;
  }

  /** What `set` needs to go on from here. */
  saved() {
    this.spend();
    return this.left ? { ...this.control, left: this.left } : null;
  }

  /** Starts the clock of a side; `null` stops it. */
  run(side) {
    this.spend();
    this.running = this.left ? side : null;
  }

  /** A side has moved: it gains its increment. */
  moved(side) {
    this.spend();
    if (this.left) this.left[side] += this.control.increment * 1000;
  }

  spend() {
    const now = performance.now();
    if (this.running != null) this.left[this.running] -= now - this.since;
    this.since = now;
  }

  tick() {
    if (this.running == null) return;
    this.spend();
    const side = this.running;
    if (this.left[side] <= 0) {
      this.left[side] = 0;
      this.running = null;
      this.onFlag(side);
    }
    this.onTick();
  }

  text(side) {
    if (!this.left) return "";
    const seconds = Math.max(0, this.left[side]) / 1000;
    const whole = Math.floor(seconds);
    if (seconds < 10) return `0:0${seconds.toFixed(1)}`;
    return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
  }
}
