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
    return (await this.#isMore()) ? this.#take(limit) : undefined;
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
    let line = '';
    while (await this.#isMore()) {
      const end = this.#rest.indexOf(LINE_FEED);
      const part = this.#take(end === -1 ? this.#rest.byteLength : end);
      if (line.length + part.byteLength > limit)
        throw new RangeError(`read line: more than ${limit} bytes`);
      line += Buffer.from(part).toString('latin1');
      if (end === -1) continue;
      this.#take(1);
      return line.replace(/\r$/, '');
    }
    return undefined;
  }

  /** Waits for a byte; false at the end. */
  async #isMore(): Promise<boolean> {
    while (this.#rest.byteLength === 0) {
      const next = await this.#chunks.next().catch(() => END);
      if (next.done) return false;
      this.#rest = next.value;
    }
    return true;
  }

  #take(limit: number): Uint8Array {
    const taken = this.#rest.subarray(0, limit);
    this.#rest = this.#rest.subarray(taken.byteLength);
    return taken;
  }
}

const LINE_FEED = 10;
const END = { done: true, value: undefined } as const;
