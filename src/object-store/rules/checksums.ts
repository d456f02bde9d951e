/**
 * Validates the checksum types of multipart uploads, and calculates an object's checksum from those of its parts
 * (semantics B.13).
 */

import type { Checksum, ChecksumAlgorithm, ChecksumType, ObjectChecksum } from '../checksum.ts';
import { combineCrcs, isCrc } from '../checksums/combine-crc.ts';
import { runningChecksum } from '../checksums/running-checksum.ts';
import type { CompleteUploadRequest, UploadChecksum } from '../multipart.ts';
import { StorageError } from '../storage-error.ts';

/** The valid checksum types of each algorithm. The first one is the default. */
const TYPES: Readonly<Record<ChecksumAlgorithm, readonly [ChecksumType, ...ChecksumType[]]>> = {
  CRC32: ['COMPOSITE', 'FULL_OBJECT'],
  CRC32C: ['COMPOSITE', 'FULL_OBJECT'],
  CRC64NVME: ['FULL_OBJECT'],
  SHA1: ['COMPOSITE'],
  SHA256: ['COMPOSITE'],
};

/**
 * Returns the checksum algorithm and type of a new upload. If the request names no type, returns the default type.
 * Throws `InvalidRequest` for an invalid combination.
 */
export function uploadChecksum(requested: UploadChecksum): UploadChecksum {
  const { checksumAlgorithm, checksumType } = requested;
  if (checksumAlgorithm !== undefined) {
    const type = checksumType ?? TYPES[checksumAlgorithm][0];
    checkType(checksumAlgorithm, type);
    return { checksumAlgorithm, checksumType: type };
  }
  if (checksumType === undefined) return {};
  throw new StorageError(
    'InvalidRequest',
    'create upload: a checksum type requires a checksum algorithm',
  );
}

/** Throws `InvalidRequest` if the part's checksum algorithm is not that of the upload. */
export function checkPartChecksum(part: ChecksumAlgorithm, upload?: ChecksumAlgorithm): void {
  if (upload === undefined || part === upload) return;
  throw new StorageError(
    'InvalidRequest',
    `upload part: Checksum Type mismatch occurred, expected checksum Type: ${upload.toLowerCase()}, actual checksum Type: ${part.toLowerCase()}`,
  );
}

/** Throws `BadDigest` if the calculated checksum differs from the one that the client stated. */
export function checkStatedChecksum(stated: Checksum | undefined, calculated: Checksum): void {
  if (stated === undefined || stated.value === calculated.value) return;
  throw new StorageError(
    'BadDigest',
    `store body: The ${stated.algorithm} you specified did not match the calculated checksum.`,
    { details: { ExpectedDigest: stated.value, CalculatedDigest: calculated.value } },
  );
}

interface SizedPart {
  readonly sizeBytes: number;
  readonly checksum?: Checksum | undefined;
}

type RequestedTotals = {
  readonly [K in 'checksum' | 'checksumType']?: CompleteUploadRequest[K] | undefined;
};

/**
 * Returns the checksum of the completed object. Returns undefined unless all parts have a checksum of the same
 * algorithm. Throws `InvalidRequest` if the request names another algorithm or type, and `BadDigest` if it states
 * another value.
 */
export function completedChecksum(
  parts: readonly SizedPart[],
  upload: UploadChecksum,
  requested: RequestedTotals,
): ObjectChecksum | undefined {
  const checksums = parts.flatMap(({ checksum, sizeBytes }) =>
    checksum ? [{ ...checksum, sizeBytes }] : [],
  );
  const [first] = checksums;
  const isWhole =
    checksums.length === parts.length &&
    checksums.every(({ algorithm }) => algorithm === first?.algorithm);
  const algorithm = first !== undefined && isWhole ? first.algorithm : undefined;
  if (requested.checksum !== undefined && requested.checksum.algorithm !== algorithm) {
    throw otherChecksum(`the parts do not have ${requested.checksum.algorithm} checksums`);
  }
  if (algorithm === undefined) return undefined;
  const type = completedType(algorithm, upload.checksumType, requested.checksumType);
  const checksum = { algorithm, type, value: joinedValue(algorithm, type, checksums) };
  checkWhole(requested.checksum, checksum);
  return checksum;
}

/**
 * Returns the checksum type of the completed object. The default for CRCs is the full-object checksum, because every
 * reader of the object can verify it.
 */
function completedType(
  algorithm: ChecksumAlgorithm,
  begun: ChecksumType | undefined,
  requested: ChecksumType | undefined,
): ChecksumType {
  if (begun !== undefined && requested !== undefined && begun !== requested) {
    throw otherChecksum(`the upload was created for the type ${begun}`);
  }
  const type = begun ?? requested ?? (isCrc(algorithm) ? 'FULL_OBJECT' : 'COMPOSITE');
  checkType(algorithm, type);
  return type;
}

interface SizedChecksum extends Checksum {
  readonly sizeBytes: number;
}

function joinedValue(
  algorithm: ChecksumAlgorithm,
  type: ChecksumType,
  parts: readonly SizedChecksum[],
): string {
  const pieces = parts.map(({ value, sizeBytes }) => ({
    digest: Buffer.from(value, 'base64'),
    sizeBytes,
  }));
  if (type === 'FULL_OBJECT' && isCrc(algorithm)) {
    return combineCrcs(algorithm, pieces).toString('base64');
  }
  const checksum = runningChecksum(algorithm);
  for (const { digest } of pieces) checksum.update(digest);
  return `${checksum.digest().toString('base64')}-${parts.length}`;
}

/**
 * Throws `BadDigest` if the object's checksum differs from the one that the client stated. A client may omit the number
 * of parts from a composite checksum.
 */
function checkWhole(stated: Checksum | undefined, calculated: ObjectChecksum): void {
  if (stated === undefined) return;
  const value = stated.value.includes('-')
    ? calculated.value
    : (calculated.value.split('-')[0] ?? '');
  checkStatedChecksum(stated, { ...calculated, value });
}

function checkType(algorithm: ChecksumAlgorithm, type: ChecksumType): void {
  if (TYPES[algorithm].includes(type)) return;
  throw new StorageError(
    'InvalidRequest',
    `check upload: The ${type} checksum type cannot be used with the ${algorithm.toLowerCase()} checksum algorithm.`,
  );
}

function otherChecksum(reason: string): StorageError {
  return new StorageError('InvalidRequest', `complete upload: ${reason}`);
}
