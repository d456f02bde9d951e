/**
 * Gives each task of several milliseconds its own turn of the event loop, so that other requests
 * are served between two tasks.
 */

import { setImmediate } from 'node:timers/promises';

class LoopTurns {
  #last: Promise<void> = Promise.resolve();

  /**
   * Resolves in a turn of the event loop in which no other call resolves. Calls resolve in the
   * order in which they were made.
   */
  next(): Promise<void> {
    this.#last = this.#last.then(() => setImmediate());
    return this.#last;
  }
}

/**
 * The turns for large XML and JSON documents, which all listeners share. Parsing or writing a document takes up to 30
 * ms, and many documents can arrive at once.
 */
export const DOCUMENT_TURNS = new LoopTurns();
