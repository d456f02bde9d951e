/** Reads a byte stream by line, by exact size, or in chunks as they arrive. */

/** Reads from the stream only when the caller requests bytes, so that a slow caller slows down the sender. */
export class ByteSource {
  readonly #chunks: AsyncIterator<Uint8Array>;
  #rest: Uint8Array = new Uint8Array();

  constructor(stream: AsyncIterable<Uint8Array>) {
    this.#chunks = stream[Symbol.asyncIterator]();
  }

  /**
   * Returns between one and `limit` bytes, or undefined at the end of the stream. A lost connection also counts as
   * the end, so the caller must detect an incomplete message.
   */
  async some(limit: number): Promise<Uint8Array | undefined> {
    return (await this.#isMore()) ? this.#take(limit) : undefined;
  }

  /** Returns exactly `size` bytes. Returns undefined if the stream ends before that. */
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

  /**
   * Returns the next line without its line feed or CR LF. Returns undefined if the stream ends before the line feed.
   * Throws RangeError if the line exceeds `limit` bytes.
   */
  async line(limit: number): Promise<string | undefined> {
    let line = '';
    while (await this.#isMore()) {
      const end = this.#rest.indexOf(LINE_FEED);
      const part = this.#take(end === -1 ? this.#rest.byteLength : end);
      if (line.length + part.byteLength > limit)
        throw new RangeError(`a line is longer than ${limit} bytes`);
      line += Buffer.from(part).toString('latin1');
      if (end === -1) continue;
      this.#take(1);
      return line.replace(/\r$/, '');
    }
    return undefined;
  }

  /** Waits until at least one byte is buffered. Returns false at the end of the stream. */
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
