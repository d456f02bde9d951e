/**
 * Calculates the digests of a body that is stored in a file: those of the body, and those of the stored bytes, which differ
 * if the body is encrypted.
 */

import { createHash } from 'node:crypto';

import type { ChecksumAlgorithm } from '../../object-store/checksum.ts';
import { runningChecksum } from '../../object-store/checksums/running-checksum.ts';
import { segmentChecksums } from './segment-checksums.ts';

/**
 * The digests to calculate in addition to the MD5 of the body, and the SHA-256 and segment checksums of the stored bytes.
 */
export interface Hashing {
  /** The algorithm of an additional checksum of the body. Undefined if none is needed. */
  readonly checksum: ChecksumAlgorithm | undefined;
  /**
   * Whether to calculate the SHA-256 of the body, which the client stated and which differs from that of the encrypted
   * bytes.
   */
  readonly bodySha256: boolean;
}

/** The digests as plain data, because they are passed between threads. */
export interface Digests {
  /** The MD5 of the body, in lowercase hex. */
  readonly md5: string;
  /** The SHA-256 of the stored bytes. */
  readonly sha256: Uint8Array;
  readonly segments: Uint8Array;
  /** The SHA-256 of the body, in lowercase hex. Undefined if it was not requested. */
  readonly bodySha256: string | undefined;
  /** The checksum of the body, in base64. Undefined if none was requested. */
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
   * Adds bytes of the body. `sealed` is their encrypted form, which is stored in their place. The stored bytes must be
   * whole segments, except at the end.
   */
  update({ body, sealed: stored = body }: DigestedBytes): void {
    this.#md5.update(body);
    this.#checksum?.update(body);
    this.#bodySha256?.update(body);
    this.#sha256.update(stored);
    this.#segments.push(segmentChecksums(stored));
  }

  /**
   * Returns the digests. Must be called once, at the end. The arrays are copies, because posting a view to another thread
   * copies its whole buffer.
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
