/** Runs work of some milliseconds in turns of the event loop of its own, so that other requests are served between. */

import { setImmediate } from 'node:timers/promises';

class LoopTurns {
  #last: Promise<void> = Promise.resolve();

  /** Resolves in a turn of the event loop of its own, in the order of calls. */
  next(): Promise<void> {
    this.#last = this.#last.then(() => setImmediate());
    return this.#last;
  }
}

/** Shared by all listeners: parsing or writing a large document takes up to 30 ms, and many can be complete at once. */
export const DOCUMENT_TURNS = new LoopTurns();
