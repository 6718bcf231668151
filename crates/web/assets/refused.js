// @ts-check

/** Thrown when a request is refused; the message is for people. `status` is that of HTTP, if there was an answer. */
export class Refused extends Error {
  /** @param {string} message */
  constructor(message, status = 0) {
    super(message);
    this.status = status;
  }
}
