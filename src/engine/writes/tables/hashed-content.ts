/**
 * Calculates the digests of a body before its blob is written, and compares them with the digests that the client
 * stated.
 */

import { hash } from 'node:crypto';

import type { Checksum, ChecksumAlgorithm } from '../../../object-store/checksum.ts';
import { checksumOf } from '../../../object-store/checksums/running-checksum.ts';
import type { Content, FileContent, InlineContent, SealedContent } from '../../blobs/content.ts';
import { KeptChecksum } from '../../checksums/kept-checksum.ts';
import { sha256Mismatch } from '../../disk/refusals.ts';
import { segmentChecksums } from '../../checksums/segment-checksums.ts';

export interface HashedContent {
  /** The number of unencrypted bytes. */
  readonly sizeBytes: number;
  /** The MD5 of the unencrypted bytes in hex. */
  readonly etag: string;
  readonly checksum: Checksum;
  readonly blob: NewBlob;
}

/** The columns of a new blob. They describe the stored bytes, which may be encrypted. */
interface NewBlob {
  readonly sizeBytes: number;
  readonly sha256: Uint8Array;
  readonly segments: Uint8Array;
  readonly file: string | null;
  readonly bytes: Uint8Array | null;
  /** The salt from which the key of the encrypted bytes is derived; null for unencrypted bytes. */
  readonly salt: Uint8Array | null;
}

/**
 * Returns the digests and the stored bytes of a body. `algorithm` is the checksum algorithm for a small unencrypted
 * body without a checksum. Throws `XAmzContentSHA256Mismatch` or `BadDigest` if a small unencrypted body does not have
 * the digest that the client stated.
 */
export function hashedContent(content: Content, algorithm?: ChecksumAlgorithm): HashedContent {
  if (content.kind === 'file') return ofFile(content);
  if (content.kind === 'sealed') return ofSealed(content);
  return ofInline(content, algorithm);
}

function ofFile(content: FileContent): HashedContent {
  const { file, sizeBytes, md5, sha256, segmentChecksums: segments, checksum, sealed } = content;
  const stored = { sizeBytes: sealed?.sizeBytes ?? sizeBytes, salt: sealed?.salt ?? null };
  const blob = { ...stored, sha256, segments, file, bytes: null };
  return { sizeBytes, etag: md5, checksum, blob };
}

function ofSealed({ bytes, salt, sizeBytes, md5, checksum }: SealedContent): HashedContent {
  const sha256 = hash('sha256', bytes, 'buffer');
  const segments = segmentChecksums(bytes);
  const blob = { sizeBytes: bytes.byteLength, sha256, segments, file: null, bytes, salt };
  return { sizeBytes, etag: md5, checksum, blob };
}

function ofInline(content: InlineContent, algorithm?: ChecksumAlgorithm): HashedContent {
  const { bytes, statedSha256 } = content;
  const { byteLength: sizeBytes } = bytes;
  const sha256 = hash('sha256', bytes, 'buffer');
  if (statedSha256 !== undefined && statedSha256 !== sha256.toString('hex')) {
    throw sha256Mismatch(statedSha256, sha256.toString('hex'));
  }
  const segments = segmentChecksums(bytes);
  const kept = new KeptChecksum(content.checksum, algorithm);
  const value = kept.calculated && checksumOf(kept.calculated, bytes);
  const checksum = kept.finish(value, { sizeBytes, sha256, segments });
  const blob = { sizeBytes, sha256, segments, file: null, bytes, salt: null };
  return { sizeBytes, etag: hash('md5', bytes), checksum, blob };
}
