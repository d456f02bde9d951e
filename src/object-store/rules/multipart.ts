/** Validates multipart uploads (part numbers, sizes and the list of parts), and calculates their ETag. */

import { createHash } from 'node:crypto';

import type { Checksum } from '../checksum.ts';
import type { CompletedPart } from '../multipart.ts';
import { StorageError } from '../storage-error.ts';

/** The highest part number in the protocol, and so the maximum number of parts in an upload. */
export const MAX_PARTS = 10_000;

/** The minimum size of a part, except for the last part of an upload. */
export const MIN_PART_SIZE_BYTES = 5 * 1024 ** 2;

/** The maximum size of an object: 5 TiB, as in S3. */
const MAX_OBJECT_SIZE_BYTES = 5 * 1024 ** 4;

/**
 * Throws `InvalidArgument` unless the part number is between 1 and `maxParts`. Because part numbers are unique, this
 * also limits the number of parts in an upload.
 */
export function checkPartNumber(partNumber: number, maxParts = MAX_PARTS): void {
  if (Number.isInteger(partNumber) && partNumber >= 1 && partNumber <= maxParts) return;
  throw new StorageError(
    'InvalidArgument',
    `check part: Part number must be an integer between 1 and ${maxParts}, inclusive, not ${partNumber}`,
    { details: { ArgumentName: 'partNumber', ArgumentValue: String(partNumber) } },
  );
}

/**
 * Returns the ETag of a multipart upload: the hex MD5 of the binary MD5s of all parts, `-`, and the number of parts.
 */
export function multipartEtag(partMd5Hex: readonly string[]): string {
  const hash = createHash('md5');
  for (const md5 of partMd5Hex) hash.update(md5, 'hex');
  return `${hash.digest('hex')}-${partMd5Hex.length}`;
}

/** A part of an upload that the store has stored. */
export interface StoredPart extends Omit<CompletedPart, 'checksum'> {
  readonly sizeBytes: number;
  readonly checksum?: Checksum | undefined;
}

/**
 * Returns the stored parts that the request lists, in order. Throws `MalformedXML` (no parts, or too many),
 * `InvalidPartOrder`, `InvalidPart` (an unknown part, or another ETag or checksum), `EntityTooSmall` (a part below
 * `minPartBytes` that is not the last) or `EntityTooLarge`.
 */
export function checkCompletedParts<Part extends StoredPart>(
  requested: readonly CompletedPart[],
  stored: readonly Part[],
  minPartBytes = MIN_PART_SIZE_BYTES,
): readonly Part[] {
  checkCount(requested.length);
  checkOrder(requested);
  const byNumber = new Map(stored.map((part) => [part.partNumber, part]));
  const parts = requested.map((part) => matchingPart(part, byNumber.get(part.partNumber)));
  checkSizes(parts, minPartBytes);
  return parts;
}

/** Throws `InvalidRequest` if the total size of the parts differs from the size that the client expects. */
export function checkCompletedSize(
  statedBytes: number | undefined,
  parts: readonly StoredPart[],
): void {
  const sizeBytes = sizeOf(parts);
  if (statedBytes === undefined || statedBytes === sizeBytes) return;
  throw new StorageError(
    'InvalidRequest',
    `complete upload: the parts have ${sizeBytes} bytes together, not ${statedBytes} as the request states`,
  );
}

function sizeOf(parts: readonly StoredPart[]): number {
  return parts.reduce((sum, part) => sum + part.sizeBytes, 0);
}

function checkCount(count: number): void {
  if (count >= 1 && count <= MAX_PARTS) return;
  throw new StorageError(
    'MalformedXML',
    `complete upload: the request must list 1 to ${MAX_PARTS} parts, not ${count}`,
  );
}

function checkOrder(requested: readonly CompletedPart[]): void {
  for (const [index, { partNumber }] of requested.entries()) {
    const before = requested[index - 1]?.partNumber;
    if (before === undefined || before < partNumber) continue;
    throw new StorageError(
      'InvalidPartOrder',
      `complete upload: part numbers must be in ascending order, but ${partNumber} follows ${before}`,
      { details: { PartNumber: partNumber } },
    );
  }
}

function matchingPart<Part extends StoredPart>(requested: CompletedPart, stored?: Part): Part {
  const reason = mismatch(requested, stored);
  if (stored && reason === undefined) return stored;
  throw new StorageError(
    'InvalidPart',
    `complete upload: part ${requested.partNumber}: ${reason}`,
    {
      details: { PartNumber: requested.partNumber, ETag: requested.etag },
    },
  );
}

/**
 * Returns why the stored part does not match the requested part, or undefined if it does. A stored part without a
 * checksum is compared only by its ETag.
 */
function mismatch(requested: CompletedPart, stored: StoredPart | undefined): string | undefined {
  if (!stored) return 'it was not uploaded';
  if (stored.etag !== requested.etag)
    return `its ETag is "${stored.etag}", not "${requested.etag}"`;
  if (requested.checksum === undefined || stored.checksum === undefined) return undefined;
  const { algorithm, value } = stored.checksum;
  if (requested.checksum.algorithm === algorithm && requested.checksum.value === value)
    return undefined;
  return `its ${algorithm} checksum is ${value}, not ${requested.checksum.algorithm} ${requested.checksum.value}`;
}

function checkSizes(parts: readonly StoredPart[], minPartBytes: number): void {
  const small = parts.slice(0, -1).find((part) => part.sizeBytes < minPartBytes);
  if (small) {
    throw new StorageError(
      'EntityTooSmall',
      `complete upload: part ${small.partNumber} has ${small.sizeBytes} bytes; every part but the last needs at least ${minPartBytes}`,
      {
        details: {
          ProposedSize: small.sizeBytes,
          MinSizeAllowed: minPartBytes,
          PartNumber: small.partNumber,
          ETag: small.etag,
        },
      },
    );
  }
  const sizeBytes = sizeOf(parts);
  if (sizeBytes <= MAX_OBJECT_SIZE_BYTES) return;
  throw new StorageError(
    'EntityTooLarge',
    `complete upload: the object would have ${sizeBytes} bytes; the limit is ${MAX_OBJECT_SIZE_BYTES}`,
    { details: { ProposedSize: sizeBytes, MaxSizeAllowed: MAX_OBJECT_SIZE_BYTES } },
  );
}
