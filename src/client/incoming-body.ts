/** An answer's bytes as they arrive, held back while nobody takes them. */

import { MAX_WAITING_BYTES } from './limits.ts';

/** What the body tells the exchange that it is a part of. */
export interface Flow {
  /** Too much is waiting: nothing more should come for now. */
  pause(): void;
  resume(): void;
  /** Somebody waits for the next bytes; or, with false, for none. */
  wanted(isWanted: boolean): void;
  /** The rest is not wanted. */
  abandon(): void;
}

/**
 * To be iterated once, to the end or to a `return()`, which also counts before the first `next()`: a generator
 * that was not begun would not notice it, and keep its connection.
 */
export class IncomingBody implements AsyncIterableIterator<Uint8Array> {
  readonly #flow: Flow;
  readonly #waiting: Uint8Array[] = [];
  #waitingBytes = 0;
  #end: { readonly error?: unknown } | undefined;
  #wake: (() => void) | undefined;

  constructor(flow: Flow) {
    this.#flow = flow;
  }

  push(chunk: Uint8Array): void {
    this.#waiting.push(chunk);
    this.#waitingBytes += chunk.length;
    if (this.#waitingBytes > MAX_WAITING_BYTES) this.#flow.pause();
    this.#wake?.();
  }

  /** With an error: what has arrived before is still given. */
  end(end: { readonly error?: unknown }): void {
    this.#end ??= end;
    this.#wake?.();
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  async next(): Promise<IteratorResult<Uint8Array, undefined>> {
    if (this.#waiting.length === 0 && this.#end === undefined) await this.#more();
    const chunk = this.#waiting.shift();
    if (chunk !== undefined) {
      this.#waitingBytes -= chunk.length;
      if (this.#waitingBytes === 0) this.#flow.resume();
      return { done: false, value: chunk };
    }
    if (this.#end !== undefined && 'error' in this.#end) throw this.#end.error;
    return { done: true, value: undefined };
  }

  async return(): Promise<IteratorResult<Uint8Array, undefined>> {
    this.#waiting.length = 0;
    if (this.#end === undefined) {
      this.end({});
      this.#flow.abandon();
    }
    return { done: true, value: undefined };
  }

  async #more(): Promise<void> {
    this.#flow.wanted(true);
    await new Promise<void>((resolve) => {
      this.#wake = resolve;
    });
    this.#wake = undefined;
    this.#flow.wanted(false);
  }
}
