/**
 * Indexes the headers of a message by name. The index is built once per message, so that all code sees the same values.
 */

import type { WireHeaders } from './wire.ts';

export class Headers {
  /** All headers in message order. A repeated header is listed each time it occurs. */
  readonly list: WireHeaders;
  readonly #values = new Map<string, string>();
  readonly #repeated: string[] = [];

  constructor(list: WireHeaders) {
    this.list = list;
    for (const [name, value] of list) {
      const before = this.#values.get(name);
      if (before !== undefined) this.#repeated.push(name);
      this.#values.set(name, before === undefined ? value : `${before},${value}`);
    }
  }

  /**
   * Returns the values of all headers with this name, joined by commas (RFC 9110 §5.3). Returns undefined if the
   * message does not contain the header.
   */
  get(name: string): string | undefined {
    return this.#values.get(name);
  }

  has(name: string): boolean {
    return this.#values.has(name);
  }

  /** The names of headers that occur more than once in the message. */
  get repeated(): readonly string[] {
    return this.#repeated;
  }
}
