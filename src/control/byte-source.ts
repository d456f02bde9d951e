/** A socket read as it is spoken: by the line, by the number of bytes, or as it comes. */

/** Reading goes no further ahead than what was asked for, so the peer feels a slow reader. */
export class ByteSource {
  readonly #chunks: AsyncIterator<Uint8Array>;
  #rest: Uint8Array = new Uint8Array();

  constructor(stream: AsyncIterable<Uint8Array>) {
    this.#chunks = stream[Symbol.asyncIterator]();
  }

  /**
   * At least one byte and at most `limit`; undefined at the end. A lost connection is an end too:
   * whether it came in the middle of something is for the protocol to tell.
   */
  async some(limit: number): Promise<Uint8Array | undefined> {
    while (this.#rest.byteLength === 0) {
      const next = await this.#chunks.next().catch(() => END);
      if (next.done) return undefined;
      this.#rest = next.value;
    }
    const taken = this.#rest.subarray(0, limit);
    this.#rest = this.#rest.subarray(taken.byteLength);
    return taken;
  }

  /** Exactly `size` bytes; undefined when the stream ends before them. */
  async exactly(size: number): Promise<Buffer | undefined> {
    const parts: Uint8Array[] = [];
    for (let missing = size; missing > 0;) {
      const part = await this.some(missing);
      if (!part) return undefined;
      parts.push(part);
      missing -= part.byteLength;
    }
    return Buffer.concat(parts, size);
  }

  /** Up to the next line feed, without it or a carriage return before it; undefined at the end. Throws RangeError beyond `limit` bytes. */
  async line(limit: number): Promise<string | undefined> {
    const bytes: number[] = [];
    for (;;) {
      const [byte] = (await this.some(1)) ?? [];
      if (byte === undefined) return undefined;
      if (byte === LINE_FEED) return Buffer.from(bytes).toString('latin1').replace(/\r$/, '');
      if (bytes.length === limit) throw new RangeError(`read line: more than ${limit} bytes`);
      bytes.push(byte);
    }
  }
}

const LINE_FEED = 10;
const END = { done: true, value: undefined } as const;
