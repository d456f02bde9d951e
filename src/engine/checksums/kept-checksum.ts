/**
 * The checksum that is kept with bytes as they are stored. CRC32 and SHA256 cost nothing: they follow from what the
 * store calculates for itself. The first is what bytes get that came without any.
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

/** What the store knows of the whole body at its end, where it stores the bytes as they came. */
interface Known {
  readonly sizeBytes: number;
  readonly sha256: Uint8Array;
  /** As segment-checksums.ts makes them. */
  readonly segments: Uint8Array;
}

export class KeptChecksum {
  readonly #asked: RequestedChecksum | undefined;
  readonly #algorithm: ChecksumAlgorithm;
  /** What must be calculated over the body. Undefined if the checksum follows from what the store calculates anyway. */
  readonly calculated: ChecksumAlgorithm | undefined;

  /** `otherwise` is the algorithm for bytes that came without a checksum. */
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

  /** Where other bytes are stored than those that came: then nothing follows from what the store calculates. */
  static alone(asked: RequestedChecksum | undefined, otherwise?: ChecksumAlgorithm): KeptChecksum {
    return new KeptChecksum(asked, otherwise, true);
  }

  /**
   * `value` is the base64 checksum by `calculated`, if that is defined; the checksum follows from `known` otherwise. Throws
   * `BadDigest` when the bytes are not those that were stated.
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
  invariant(known, 'keep checksum: nothing is known of the bytes');
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
