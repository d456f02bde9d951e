/**
 * Requests whose small chunks are joined. Node calls `push` for each chunk of a body, and one read can hold 10,000 chunks of one byte:
 * to pass each on takes 60 ms of CPU, to join them 8.
 */

import { IncomingMessage } from '../base/node-http.ts';

const SMALL_BYTES = 512;
/** Ordinary bodies have fewer small chunks; to join these would delay them by a turn of the event loop. */
const FREE_CHUNKS = 16;
/** After so many in one turn, no more is read before they are taken. */
const CHUNKS_IN_TURN = 256;
/** More than a read has. */
const JOINED_BYTES = 64 * 1024;

export class JoinedRequest extends IncomingMessage {
  #joined: Buffer | undefined;
  #joinedBytes = 0;
  #smallChunks = 0;
  #inTurn = 0;

  override push(chunk: Uint8Array | null, encoding?: BufferEncoding): boolean {
    const isSmall = chunk !== null && chunk.byteLength < SMALL_BYTES;
    if (!isSmall || (this.#smallChunks += 1) <= FREE_CHUNKS) {
      this.#flush();
      return super.push(chunk, encoding);
    }
    if (this.#joinedBytes + chunk.byteLength > JOINED_BYTES) this.#flush();
    if (this.#joined === undefined) {
      this.#joined = Buffer.allocUnsafe(JOINED_BYTES);
      setImmediate(() => this.#flush());
    }
    this.#joined.set(chunk, this.#joinedBytes);
    this.#joinedBytes += chunk.byteLength;
    return (this.#inTurn += 1) < CHUNKS_IN_TURN;
  }

  #flush(): void {
    const joined = this.#joined?.subarray(0, this.#joinedBytes);
    this.#joined = undefined;
    this.#joinedBytes = 0;
    this.#inTurn = 0;
    if (joined) super.push(joined);
  }
}

/** Whether its body comes in chunks, from the raw headers: Node builds the others when they are first asked for. */
export function isChunked({ rawHeaders }: { readonly rawHeaders: readonly string[] }): boolean {
  for (let at = 0; at < rawHeaders.length; at += 2)
    if (rawHeaders[at]?.toLowerCase() === 'transfer-encoding') return true;
  return false;
}
