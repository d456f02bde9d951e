/** Everything that the store calculates over a large body: of its bytes, and of the bytes that are stored for them. */

import { createHash } from 'node:crypto';

import type { ChecksumAlgorithm } from '../../object-store/checksum.ts';
import { runningChecksum } from '../../object-store/checksums/running-checksum.ts';
import { segmentChecksums } from './segment-checksums.ts';

/** What is calculated beside the MD5 of the body, and the SHA-256 and the segment checksums of the stored bytes. */
export interface Hashing {
  /** A checksum of the body. */
  readonly checksum: ChecksumAlgorithm | undefined;
  /** The SHA-256 of the body, if other bytes are stored. */
  readonly bodySha256: boolean;
}

/** Plain data, which crosses threads. */
export interface Digests {
  /** Lower-case hex. */
  readonly md5: string;
  /** Of the stored bytes. */
  readonly sha256: Uint8Array;
  readonly segments: Uint8Array;
  /** Lower-case hex. */
  readonly bodySha256: string | undefined;
  /** Base64. */
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

  /** `sealed` is what is stored for an encrypted body. The stored bytes are whole segments, except at the end. */
  update({ body, sealed: stored = body }: DigestedBytes): void {
    this.#md5.update(body);
    this.#checksum?.update(body);
    this.#bodySha256?.update(body);
    this.#sha256.update(stored);
    this.#segments.push(segmentChecksums(stored));
  }

  /** Must be called once, at the end. The arrays are copies: a view would take its whole buffer along to another thread. */
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
