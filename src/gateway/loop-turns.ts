/**
 * Gives each task of several milliseconds its own turn of the event loop, so that other requests
 * are served in between.
 */

import { setImmediate } from 'node:timers/promises';

class LoopTurns {
  #last: Promise<void> = Promise.resolve();

  /**
   * Resolves in a turn of the event loop in which no other call resolves. Calls resolve in order.
   */
  next(): Promise<void> {
    this.#last = this.#last.then(() => setImmediate());
    return this.#last;
  }
}

/**
 * Turns for large documents, which all listeners share. Parsing or writing one takes up to 30 ms,
 * and many can be complete at once.
 */
export const DOCUMENT_TURNS = new LoopTurns();
