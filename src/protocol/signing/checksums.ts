/** The checksums that a body may be sent with, each fed in pieces (semantics B.11.4). */

import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';

import { crc32c, crc64Nvme } from './crc.ts';

export type ChecksumAlgorithm = 'crc32' | 'crc32c' | 'crc64nvme' | 'sha1' | 'sha256';

export interface Checksum {
  update(bytes: Uint8Array): void;
  /** Of all bytes so far; to be asked once. */
  digest(): Buffer;
}

export const CHECKSUM_ALGORITHMS: Readonly<Record<ChecksumAlgorithm, () => Checksum>> = {
  crc32: () => running32((bytes, before) => crc32(bytes, before)),
  crc32c: () => running32(crc32c),
  crc64nvme: () => crc64Nvme(),
  sha1: () => hashing('sha1'),
  sha256: () => hashing('sha256'),
};

export function isChecksumAlgorithm(name: string): name is ChecksumAlgorithm {
  return Object.hasOwn(CHECKSUM_ALGORITHMS, name);
}

export function hashing(algorithm: 'md5' | 'sha1' | 'sha256'): Checksum {
  const hash = createHash(algorithm);
  return { update: (bytes) => void hash.update(bytes), digest: () => hash.digest() };
}

function running32(step: (bytes: Uint8Array, before: number) => number): Checksum {
  let value = 0;
  return {
    update: (bytes) => {
      value = step(bytes, value);
    },
    digest: () => {
      const digest = Buffer.alloc(4);
      digest.writeUInt32BE(value >>> 0);
      return digest;
    },
  };
}
