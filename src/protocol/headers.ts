/** Indexes the headers of a message by name, once for each message, so that all readers see the same values. */

import type { WireHeaders } from './wire.ts';

export class Headers {
  /** All headers in the order of the message, with repeated names. */
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

  /** Returns the values of all headers with this name, joined by commas (RFC 9110, 5.3), or undefined if there are none. */
  get(name: string): string | undefined {
    return this.#values.get(name);
  }

  has(name: string): boolean {
    return this.#values.has(name);
  }

  /** The names of the headers that the message contains more than once. */
  get repeated(): readonly string[] {
    return this.#repeated;
  }
}
