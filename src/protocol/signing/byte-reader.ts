/** Reads a byte stream in lines and in pieces of a given size. Buffers at most one received chunk. */

import { StorageError } from '../../object-store/storage-error.ts';

const LINE_FEED = 10;
const NOTHING = new Uint8Array(0);

export class ByteReader {
  readonly #source: AsyncIterator<Uint8Array>;
  #rest: Uint8Array = NOTHING;

  constructor(stream: AsyncIterable<Uint8Array>) {
    this.#source = stream[Symbol.asyncIterator]();
  }

  /**
   * Returns the text up to the next CR LF, and consumes the line break. Throws InvalidRequest if the line exceeds
   * `limitBytes` or ends with a lone line feed, and IncompleteBody at the end of the stream.
   */
  async line(limitBytes: number): Promise<string> {
    let text = '';
    for (;;) {
      if (!(await this.#fill())) throw endedEarly();
      const end = this.#rest.indexOf(LINE_FEED);
      const piece = this.#take(end === -1 ? this.#rest.length : end + 1);
      if (text.length + piece.length > limitBytes) {
        throw new StorageError(
          'InvalidRequest',
          `read chunk: a line exceeds the limit of ${limitBytes} bytes`,
        );
      }
      text += Buffer.from(piece).toString('latin1');
      if (end === -1) continue;
      if (text.endsWith('\r\n')) return text.slice(0, -2);
      throw new StorageError('InvalidRequest', 'read chunk: a line must end in CR LF');
    }
  }

  /** Returns between one and `limitBytes` of the next bytes. Throws IncompleteBody at the end of the stream. */
  async upTo(limitBytes: number): Promise<Uint8Array> {
    if (!(await this.#fill())) throw endedEarly();
    return this.#take(Math.min(limitBytes, this.#rest.length));
  }

  async atEnd(): Promise<boolean> {
    return !(await this.#fill());
  }

  async close(): Promise<void> {
    await this.#source.return?.();
  }

  #take(length: number): Uint8Array {
    const taken = this.#rest.subarray(0, length);
    this.#rest = this.#rest.subarray(length);
    return taken;
  }

  /** Waits until a byte is buffered. Returns false at the end of the stream. */
  async #fill(): Promise<boolean> {
    while (this.#rest.length === 0) {
      const next = await this.#source.next();
      if (next.done === true) return false;
      this.#rest = next.value;
    }
    return true;
  }
}

function endedEarly(): StorageError {
  return new StorageError('IncompleteBody', 'read body: the body ended before its last chunk');
}
