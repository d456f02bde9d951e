/** Reads a byte stream up to a delimiter. Buffers at most one received chunk and a partial delimiter. */

import { StorageError } from '../../object-store/storage-error.ts';

const NOTHING = Buffer.alloc(0);

export class DelimitedReader {
  readonly #source: AsyncIterator<Uint8Array>;
  #rest: Buffer = NOTHING;

  constructor(stream: AsyncIterable<Uint8Array>) {
    this.#source = stream[Symbol.asyncIterator]();
  }

  /**
   * Yields the bytes before the delimiter, and consumes the delimiter. Throws MalformedPOSTRequest if the stream ends
   * first.
   */
  async *until(mark: Buffer): AsyncGenerator<Buffer, void, undefined> {
    for (;;) {
      const found = this.#rest.indexOf(mark);
      if (found >= 0) {
        if (found > 0) yield this.#take(found);
        this.#take(mark.length);
        return;
      }
      const safe = this.#rest.length - beginningAtEnd(this.#rest, mark);
      if (safe > 0) yield this.#take(safe);
      await this.#more();
    }
  }

  /**
   * Returns all bytes before the delimiter, and consumes the delimiter. Throws MaxMessageLengthExceeded if there are
   * more than `limitBytes` bytes, and MalformedPOSTRequest if the stream ends before the delimiter.
   */
  async upTo(mark: Buffer, limitBytes: number): Promise<Buffer> {
    const pieces: Buffer[] = [];
    let length = 0;
    for await (const piece of this.until(mark)) {
      length += piece.length;
      if (length > limitBytes) throw tooLong(limitBytes);
      pieces.push(piece);
    }
    return Buffer.concat(pieces);
  }

  async exactly(lengthBytes: number): Promise<Buffer> {
    while (this.#rest.length < lengthBytes) await this.#more();
    return this.#take(lengthBytes);
  }

  async close(): Promise<void> {
    await this.#source.return?.();
  }

  #take(length: number): Buffer {
    const taken = this.#rest.subarray(0, length);
    this.#rest = this.#rest.subarray(length);
    return taken;
  }

  async #more(): Promise<void> {
    const next = await this.#source.next();
    if (next.done === true) {
      throw new StorageError(
        'MalformedPOSTRequest',
        'read form: the body ends before its last boundary',
      );
    }
    const { buffer, byteOffset, byteLength } = next.value;
    const more = Buffer.from(buffer, byteOffset, byteLength);
    this.#rest = this.#rest.length === 0 ? more : Buffer.concat([this.#rest, more]);
  }
}

/** Returns how many bytes at the end of `bytes` may be the start of the delimiter. */
function beginningAtEnd(bytes: Buffer, mark: Buffer): number {
  const [first = 0] = mark;
  const from = Math.max(0, bytes.length - mark.length + 1);
  for (let at = bytes.indexOf(first, from); at >= 0; at = bytes.indexOf(first, at + 1)) {
    const length = bytes.length - at;
    if (bytes.subarray(at).equals(mark.subarray(0, length))) return length;
  }
  return 0;
}

function tooLong(limitBytes: number): StorageError {
  return new StorageError(
    'MaxMessageLengthExceeded',
    `read form: a field or its headers exceed the limit of ${limitBytes} bytes`,
  );
}
