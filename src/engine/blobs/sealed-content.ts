/** Encrypts a small body on the main thread, so that the unencrypted bytes are not sent to another thread. */

import { hash } from 'node:crypto';

import type { Body } from '../../object-store/body.ts';
import type { ChecksumAlgorithm } from '../../object-store/checksum.ts';
import { checksumOf } from '../../object-store/checksums/running-checksum.ts';
import type { SealedContent } from './content.ts';
import { KeptChecksum } from '../checksums/kept-checksum.ts';
import { sha256Mismatch } from '../disk/refusals.ts';
import { BlobSealer, type SealUnder } from '../encryption/blob-sealer.ts';

/**
 * Encrypts a small body. Returns the encrypted bytes with the size, MD5 and checksum of the unencrypted body.
 * `algorithm` is the checksum algorithm if the request names none. Throws `XAmzContentSHA256Mismatch` or `BadDigest` if
 * the body does not match the SHA-256 or checksum that the client stated.
 */
export function sealedContent(
  under: SealUnder,
  bytes: Uint8Array,
  stated: Pick<Body, 'checksum' | 'sha256'>,
  algorithm: ChecksumAlgorithm | undefined,
): SealedContent {
  if (stated.sha256 !== undefined) {
    const sha256 = hash('sha256', bytes);
    if (sha256 !== stated.sha256) throw sha256Mismatch(stated.sha256, sha256);
  }
  const kept = KeptChecksum.alone(stated.checksum, algorithm);
  const value = kept.calculated && checksumOf(kept.calculated, bytes);
  const sealer = new BlobSealer(under);
  return {
    kind: 'sealed',
    sizeBytes: bytes.byteLength,
    md5: hash('md5', bytes),
    checksum: kept.finish(value),
    bytes: sealer.next(bytes, true),
    salt: sealer.salt,
  };
}
