/**
 * Determines the checksum that is stored with a body. For an unencrypted body, CRC32 and SHA256 cost nothing, because
 * they are derived from digests that the store calculates anyway. A body that arrives without a checksum gets a CRC32.
 */

import { invariant } from '../../base/errors.ts';
import type {
  RequestedChecksum,
  Checksum,
  ChecksumAlgorithm,
} from '../../object-store/checksum.ts';
import { combineCrcs, type Piece } from '../../object-store/checksums/combine-crc.ts';
import { bytesOfCrc32 } from '../../object-store/checksums/running-checksum.ts';
import { checkStatedChecksum } from '../../object-store/rules/checksums.ts';
import { SEGMENT_BYTES } from './segment-checksums.ts';

const FREE_ALGORITHM = 'CRC32';

/** The size and the digests of a complete, unencrypted body. */
interface Known {
  readonly sizeBytes: number;
  readonly sha256: Uint8Array;
  /** The CRC-32 of each segment, as `segmentChecksums` returns them. */
  readonly segments: Uint8Array;
}

export class KeptChecksum {
  readonly #asked: RequestedChecksum | undefined;
  readonly #algorithm: ChecksumAlgorithm;
  /**
   * The checksum algorithm to calculate over the body. Undefined if the checksum is derived from the digests that the
   * store calculates anyway.
   */
  readonly calculated: ChecksumAlgorithm | undefined;

  /**
   * `asked` is the checksum in the request, and `otherwise` the algorithm for a body without a checksum. If `isAlone`
   * is set, the checksum is always calculated over the body.
   */
  constructor(
    asked: RequestedChecksum | undefined,
    otherwise: ChecksumAlgorithm = FREE_ALGORITHM,
    isAlone = false,
  ) {
    this.#asked = asked;
    this.#algorithm = asked?.algorithm ?? otherwise;
    const isFree = this.#algorithm === FREE_ALGORITHM || this.#algorithm === 'SHA256';
    this.calculated = isFree && !isAlone ? undefined : this.#algorithm;
  }

  /**
   * Returns the checksum for a body that is stored encrypted. The digests of the stored bytes are those of the
   * encrypted bytes, so the checksum must be calculated separately.
   */
  static alone(asked: RequestedChecksum | undefined, otherwise?: ChecksumAlgorithm): KeptChecksum {
    return new KeptChecksum(asked, otherwise, true);
  }

  /**
   * Returns the checksum to store. `value` is the base64 checksum with the algorithm `calculated`, if `calculated` is
   * defined. Otherwise the checksum is derived from `known`. Throws `BadDigest` if it differs from the checksum that
   * the client stated.
   */
  finish(value: string | undefined, known?: Known): Checksum {
    const algorithm = this.#algorithm;
    const checksum = { algorithm, value: value ?? valueOf(algorithm, known) };
    const stated = this.#asked?.value;
    checkStatedChecksum(stated === undefined ? undefined : { algorithm, value: stated }, checksum);
    return checksum;
  }
}

function valueOf(algorithm: ChecksumAlgorithm, known: Known | undefined): string {
  invariant(known, 'store checksum: the digests of the bytes are unknown');
  const { sizeBytes, sha256, segments } = known;
  const digest =
    algorithm === 'SHA256' ? sha256 : combineCrcs('CRC32', piecesOf(segments, sizeBytes));
  return Buffer.from(digest).toString('base64');
}

function* piecesOf(segments: Uint8Array, sizeBytes: number): Generator<Piece> {
  const { buffer, byteOffset, byteLength } = segments;
  const checksums = new DataView(buffer, byteOffset, byteLength);
  for (let at = 0; at < byteLength; at += 4) {
    const left = sizeBytes - (at / 4) * SEGMENT_BYTES;
    const digest = bytesOfCrc32(checksums.getUint32(at, true));
    yield { digest, sizeBytes: Math.min(left, SEGMENT_BYTES) };
  }
}
