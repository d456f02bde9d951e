/** Rules of multipart uploads: part numbers, sizes, the list that completes one, and the ETag that results. */

import { createHash } from 'node:crypto';

import type { Checksum } from '../checksum.ts';
import type { CompletedPart } from '../multipart.ts';
import { StorageError } from '../storage-error.ts';

/** The protocol's largest part number, and so the most parts of one upload. */
export const MAX_PARTS = 10_000;

/** Of every part but the last. */
const MIN_PART_SIZE_BYTES = 5 * 1024 ** 2;

/** Of an object: what 10,000 parts were meant for, and what tools count on. */
const MAX_OBJECT_SIZE_BYTES = 5 * 1024 ** 4;

/** As no number is used twice, this also bounds how many parts an upload has. Throws `InvalidArgument`. */
export function checkPartNumber(partNumber: number, maxParts = MAX_PARTS): void {
  if (Number.isInteger(partNumber) && partNumber >= 1 && partNumber <= maxParts) return;
  throw new StorageError(
    'InvalidArgument',
    `check part: Part number must be an integer between 1 and ${maxParts}, inclusive, not ${partNumber}`,
    { details: { ArgumentName: 'partNumber', ArgumentValue: String(partNumber) } },
  );
}

/** Hex MD5 of the parts' raw MD5s, `-`, and how many they are. */
export function multipartEtag(partMd5Hex: readonly string[]): string {
  const hash = createHash('md5');
  for (const md5 of partMd5Hex) hash.update(md5, 'hex');
  return `${hash.digest('hex')}-${partMd5Hex.length}`;
}

/** A part as the store holds it. */
export interface StoredPart extends Omit<CompletedPart, 'checksum'> {
  readonly sizeBytes: number;
  readonly checksum?: Checksum | undefined;
}

/**
 * The stored parts that make up the object, in order; parts that were not asked for are left out. Throws
 * `MalformedXML` (none, or too many), `InvalidPartOrder`, `InvalidPart` (unknown, or another ETag or
 * checksum),
 * `EntityTooSmall` (any but the last below 5 MiB) or `EntityTooLarge`.
 */
export function checkCompletedParts<Part extends StoredPart>(
  asked: readonly CompletedPart[],
  stored: readonly Part[],
): readonly Part[] {
  checkCount(asked.length);
  checkOrder(asked);
  const byNumber = new Map(stored.map((part) => [part.partNumber, part]));
  const parts = asked.map((part) => matchingPart(part, byNumber.get(part.partNumber)));
  checkSizes(parts);
  return parts;
}

/** Throws `InvalidRequest` where the client meant an object of another size. */
export function checkCompletedSize(
  statedBytes: number | undefined,
  parts: readonly StoredPart[],
): void {
  const sizeBytes = sizeOf(parts);
  if (statedBytes === undefined || statedBytes === sizeBytes) return;
  throw new StorageError(
    'InvalidRequest',
    `complete upload: the parts come to ${sizeBytes} bytes, not to ${statedBytes} as was stated`,
  );
}

function sizeOf(parts: readonly StoredPart[]): number {
  return parts.reduce((sum, part) => sum + part.sizeBytes, 0);
}

function checkCount(count: number): void {
  if (count >= 1 && count <= MAX_PARTS) return;
  throw new StorageError(
    'MalformedXML',
    `complete upload: ${count} parts were listed, 1 to ${MAX_PARTS} are allowed`,
  );
}

function checkOrder(asked: readonly CompletedPart[]): void {
  for (const [index, { partNumber }] of asked.entries()) {
    const before = asked[index - 1]?.partNumber;
    if (before === undefined || before < partNumber) continue;
    throw new StorageError(
      'InvalidPartOrder',
      `complete upload: parts must ascend, but ${partNumber} follows ${before}`,
      { details: { PartNumber: partNumber } },
    );
  }
}

function matchingPart<Part extends StoredPart>(asked: CompletedPart, stored?: Part): Part {
  const reason = mismatch(asked, stored);
  if (stored && reason === undefined) return stored;
  throw new StorageError('InvalidPart', `complete upload: part ${asked.partNumber}: ${reason}`, {
    details: { PartNumber: asked.partNumber, ETag: asked.etag },
  });
}

/** A part of which the store knows no checksum is known by its ETag alone. */
function mismatch(asked: CompletedPart, stored: StoredPart | undefined): string | undefined {
  if (!stored) return 'it was not uploaded';
  if (stored.etag !== asked.etag) return `its ETag is "${stored.etag}", not "${asked.etag}"`;
  if (asked.checksum === undefined || stored.checksum === undefined) return undefined;
  const { algorithm, value } = stored.checksum;
  if (asked.checksum.algorithm === algorithm && asked.checksum.value === value) return undefined;
  return `its ${algorithm} checksum is ${value}, not ${asked.checksum.algorithm} ${asked.checksum.value}`;
}

function checkSizes(parts: readonly StoredPart[]): void {
  const small = parts.slice(0, -1).find((part) => part.sizeBytes < MIN_PART_SIZE_BYTES);
  if (small) {
    throw new StorageError(
      'EntityTooSmall',
      `complete upload: part ${small.partNumber} has ${small.sizeBytes} bytes, all but the last need ${MIN_PART_SIZE_BYTES}`,
      {
        details: {
          ProposedSize: small.sizeBytes,
          MinSizeAllowed: MIN_PART_SIZE_BYTES,
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
    `complete upload: the object would have ${sizeBytes} bytes, ${MAX_OBJECT_SIZE_BYTES} are allowed`,
    { details: { ProposedSize: sizeBytes, MaxSizeAllowed: MAX_OBJECT_SIZE_BYTES } },
  );
}
