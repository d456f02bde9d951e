/** Calculates checksums of bytes that arrive in chunks. */

import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';

import type { ChecksumAlgorithm } from '../checksum.ts';
import { crc32c, Crc64Nvme } from './crc.ts';

export interface RunningChecksum {
  update(bytes: Uint8Array): void;
  /** Returns the checksum of all bytes that were added. Can be called only once. */
  digest(): Buffer;
}

const MAKERS: Readonly<Record<ChecksumAlgorithm, () => RunningChecksum>> = {
  CRC32: () => running32((bytes, before) => crc32(bytes, before)),
  CRC32C: () => running32(crc32c),
  CRC64NVME: () => new Crc64Nvme(),
  SHA1: () => hashing('sha1'),
  SHA256: () => hashing('sha256'),
};

export function runningChecksum(algorithm: ChecksumAlgorithm): RunningChecksum {
  return MAKERS[algorithm]();
}

/** Returns the checksum of the bytes in base64. */
export function checksumOf(algorithm: ChecksumAlgorithm, bytes: Uint8Array): string {
  const checksum = runningChecksum(algorithm);
  checksum.update(bytes);
  return checksum.digest().toString('base64');
}

export function hashing(algorithm: 'md5' | 'sha1' | 'sha256'): RunningChecksum {
  const hash = createHash(algorithm);
  return { update: (bytes) => void hash.update(bytes), digest: () => hash.digest() };
}

/** Returns a CRC-32 as four big-endian bytes. */
export function bytesOfCrc32(value: number): Buffer {
  const digest = Buffer.alloc(4);
  digest.writeUInt32BE(value >>> 0);
  return digest;
}

function running32(step: (bytes: Uint8Array, before: number) => number): RunningChecksum {
  let value = 0;
  return {
    update: (bytes) => {
      value = step(bytes, value);
    },
    digest: () => bytesOfCrc32(value),
  };
}
