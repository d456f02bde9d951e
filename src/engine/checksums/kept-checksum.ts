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
import {
  bytesOfCrc32,
  type RunningChecksum,
  runningChecksum,
} from '../../object-store/checksums/running-checksum.ts';
import { checkStatedChecksum } from '../../object-store/rules/checksums.ts';
import { SEGMENT_BYTES } from './segment-checksums.ts';

const FREE_ALGORITHM = 'CRC32';

/** What the store knows of the whole body at its end, where it stores the bytes as they came. */
interface Known {
  readonly sizeBytes: number;
  readonly sha256: Buffer;
  /** As segment-checksums.ts makes them. */
  readonly segments: Buffer;
}

export class KeptChecksum {
  readonly #asked: RequestedChecksum | undefined;
  readonly #algorithm: ChecksumAlgorithm;
  readonly #running: RunningChecksum | undefined;

  /** `otherwise` is the algorithm for bytes that came without a checksum. */
  constructor(
    asked: RequestedChecksum | undefined,
    otherwise: ChecksumAlgorithm = FREE_ALGORITHM,
    isAlone = false,
  ) {
    this.#asked = asked;
    this.#algorithm = asked?.algorithm ?? otherwise;
    const isFree = this.#algorithm === FREE_ALGORITHM || this.#algorithm === 'SHA256';
    this.#running = isFree && !isAlone ? undefined : runningChecksum(this.#algorithm);
  }

  /** Where other bytes are stored than those that came: then nothing follows from what the store calculates. */
  static alone(asked: RequestedChecksum | undefined, otherwise?: ChecksumAlgorithm): KeptChecksum {
    return new KeptChecksum(asked, otherwise, true);
  }

  update(bytes: Uint8Array): void {
    this.#running?.update(bytes);
  }

  /** Throws `BadDigest` when the bytes are not those that were stated. `known` is for one that is not alone. */
  finish(known?: Known): Checksum {
    const algorithm = this.#algorithm;
    const digest = this.#running?.digest() ?? digestOf(algorithm, known);
    const checksum = { algorithm, value: digest.toString('base64') };
    const value = this.#asked?.value;
    checkStatedChecksum(value === undefined ? undefined : { algorithm, value }, checksum);
    return checksum;
  }
}

function digestOf(algorithm: ChecksumAlgorithm, known: Known | undefined): Buffer {
  invariant(known, 'keep checksum: nothing is known of the bytes');
  const { sizeBytes, sha256, segments } = known;
  return algorithm === 'SHA256' ? sha256 : combineCrcs('CRC32', piecesOf(segments, sizeBytes));
}

function* piecesOf(segments: Buffer, sizeBytes: number): Generator<Piece> {
  for (let at = 0; at < segments.length; at += 4) {
    const left = sizeBytes - (at / 4) * SEGMENT_BYTES;
    const digest = bytesOfCrc32(segments.readUInt32LE(at));
    yield { digest, sizeBytes: Math.min(left, SEGMENT_BYTES) };
  }
}
