/** Work that takes milliseconds of the event loop: one piece in each turn of it, so that other requests are served between. */

import { setImmediate } from 'node:timers/promises';

class LoopTurns {
  #last: Promise<void> = Promise.resolve();

  /** Resolves in a turn of the event loop of its own, in the order of calls. */
  next(): Promise<void> {
    this.#last = this.#last.then(() => setImmediate());
    return this.#last;
  }
}

/** Of all listeners: to read or write a large document takes up to 30 ms, and many can be complete at once. */
export const DOCUMENT_TURNS = new LoopTurns();
