/** Passes a response body to its reader as it arrives, with back-pressure. */

import { MAX_WAITING_BYTES } from './limits.ts';

/** Callbacks to the exchange that receives the body. */
export interface Flow {
  /** Called when too many bytes are waiting for the reader. */
  pause(): void;
  resume(): void;
  /** Called when the reader starts or stops waiting for more bytes. */
  wanted(isWanted: boolean): void;
  /** Called when the reader does not need the remaining bytes of the body. */
  abandon(): void;
}

/**
 * The body of a response. It can be iterated once, to its end or until `return()`. It is not a
 * generator, because a generator that has not started ignores `return()` and would keep its
 * connection open.
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

  /**
   * Called when the response has ended. Bytes that arrived before an error are still delivered to
   * the reader.
   */
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

  /**
   * Returns all bytes at once. This is cheaper than an iteration for a small body. The body must not exceed
   * MAX_WAITING_BYTES. Rejects with the error of the connection.
   */
  async whole(): Promise<Uint8Array> {
    while (this.#end === undefined) await this.#more();
    if ('error' in this.#end) throw this.#end.error;
    const [only, ...others] = this.#waiting.splice(0);
    if (only === undefined) return new Uint8Array();
    return others.length === 0 ? only : Buffer.concat([only, ...others]);
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
