/**
 * Calculates the digests of a body that is stored in a file: the digests of the body and of the stored bytes, which
 * differ if the body is encrypted.
 */

import { createHash } from 'node:crypto';

import type { ChecksumAlgorithm } from '../../object-store/checksum.ts';
import { runningChecksum } from '../../object-store/checksums/running-checksum.ts';
import { segmentChecksums } from './segment-checksums.ts';

/**
 * The optional digests to calculate. The MD5 of the body, and the SHA-256 and segment checksums of the stored bytes,
 * are always calculated.
 */
export interface Hashing {
  /** The algorithm of an additional checksum of the body; undefined if none is needed. */
  readonly checksum: ChecksumAlgorithm | undefined;
  /** Whether to calculate the SHA-256 of the body. Needed if the client stated it and the body is stored encrypted. */
  readonly bodySha256: boolean;
}

/** The digests of a body as plain data that can be sent between threads. */
export interface Digests {
  /** The MD5 of the body, in lowercase hex. */
  readonly md5: string;
  /** The SHA-256 of the stored bytes. */
  readonly sha256: Uint8Array;
  readonly segments: Uint8Array;
  /** The SHA-256 of the body in lowercase hex; undefined if it was not requested. */
  readonly bodySha256: string | undefined;
  /** The additional checksum of the body in base64; undefined if none was requested. */
  readonly checksum: string | undefined;
}

interface DigestedBytes {
  readonly body: Uint8Array;
  readonly sealed: Uint8Array | undefined;
}

export class BodyDigests {
  readonly #md5 = createHash('md5');
  readonly #sha256 = createHash('sha256');
  readonly #segments: Buffer[] = [];
  readonly #bodySha256;
  readonly #checksum;

  constructor({ checksum, bodySha256 }: Hashing) {
    this.#checksum = checksum && runningChecksum(checksum);
    this.#bodySha256 = bodySha256 ? createHash('sha256') : undefined;
  }

  /**
   * Adds the next bytes of the body. `sealed` is their encrypted form, if the body is stored encrypted. The stored
   * bytes must be whole segments, except at the end of the body.
   */
  update({ body, sealed: stored = body }: DigestedBytes): void {
    this.#md5.update(body);
    this.#checksum?.update(body);
    this.#bodySha256?.update(body);
    this.#sha256.update(stored);
    this.#segments.push(segmentChecksums(stored));
  }

  /**
   * Returns the digests. Must be called once, after the last bytes. The arrays are copies, because sending a view to
   * another thread would copy its whole buffer.
   */
  finish(): Digests {
    return {
      md5: this.#md5.digest('hex'),
      sha256: new Uint8Array(this.#sha256.digest()),
      segments: new Uint8Array(Buffer.concat(this.#segments)),
      bodySha256: this.#bodySha256?.digest('hex'),
      checksum: this.#checksum?.digest().toString('base64'),
    };
  }
}
