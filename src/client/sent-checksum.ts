/**
 * Sends the checksum of an object. It is sent in a header if it is known before the bytes, and otherwise in a
 * trailer.
 */

import type { RequestedChecksum } from '../object-store/checksum.ts';
import {
  type RunningChecksum,
  runningChecksum,
} from '../object-store/checksums/running-checksum.ts';
import { checkStatedChecksum } from '../object-store/rules/checksums.ts';
import type { Dialect } from '../protocol/dialect.ts';
import { checksumsOfNothing } from '../protocol/signing/declared-digests.ts';
import type { Trailer } from '../protocol/signing/signed-chunks.ts';
import type { WireHeaders } from '../protocol/wire.ts';

export function checksumHeaders(
  { algorithm }: RequestedChecksum,
  value: string,
  { headerPrefix }: Dialect,
): WireHeaders {
  return [[`${headerPrefix}checksum-${algorithm.toLowerCase()}`, value]];
}

/** Calculates the checksum of the bytes while they are sent. */
export class TrailingChecksum implements Trailer {
  readonly name: string;
  readonly valueLength: number;
  readonly #asked: RequestedChecksum;
  #running: RunningChecksum;

  constructor(asked: RequestedChecksum, { headerPrefix }: Dialect) {
    this.name = `${headerPrefix}checksum-${asked.algorithm.toLowerCase()}`;
    this.valueLength = checksumsOfNothing()[asked.algorithm].length;
    this.#asked = asked;
    this.#running = runningChecksum(asked.algorithm);
  }

  /** Yields the chunks of `stream` and adds them to the checksum. Each call restarts the checksum. */
  async *over(stream: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    this.#running = runningChecksum(this.#asked.algorithm);
    for await (const bytes of stream) {
      this.#running.update(bytes);
      yield bytes;
    }
  }

  /**
   * Returns the checksum of all bytes. Throws `BadDigest` if it differs from the checksum that the body
   * declares.
   */
  value(): string {
    const { algorithm, value: stated } = this.#asked;
    const value = this.#running.digest().toString('base64');
    if (stated !== undefined)
      checkStatedChecksum({ algorithm, value: stated }, { algorithm, value });
    return value;
  }
}
