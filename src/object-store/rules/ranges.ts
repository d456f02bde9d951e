/** Resolves ranges to bytes of an object (RFC 9110, section 14). */

import type { ByteRange, HeadObjectRequest } from '../object-store.ts';
import { StorageError } from '../storage-error.ts';
import { checkPartNumber } from './multipart.ts';

/** Throws `InvalidRequest` for a range and a part at once, `InvalidArgument` for an invalid part number. */
export function checkExtent({ range, partNumber }: HeadObjectRequest): void {
  if (partNumber === undefined) return;
  checkPartNumber(partNumber);
  if (range === undefined) return;
  throw new StorageError(
    'InvalidRequest',
    'read object: Cannot specify both Range header and partNumber query parameter',
  );
}

/**
 * The first and last byte, both included and inside the object. A range that reaches beyond the end is cut,
 * one that holds no byte of the object is `InvalidRange`: also `suffix: 0`, and any range of an empty object.
 * Throws `InvalidArgument` for numbers that are not a valid range.
 */
export function resolveRange(range: ByteRange, sizeBytes: number): { first: number; last: number } {
  checkNumbers(range);
  const first = 'suffix' in range ? Math.max(0, sizeBytes - range.suffix) : range.first;
  const end = 'suffix' in range ? undefined : range.last;
  if (first >= sizeBytes) throw unsatisfiable(range, sizeBytes);
  return { first, last: Math.min(end ?? sizeBytes - 1, sizeBytes - 1) };
}

function checkNumbers(range: ByteRange): void {
  const numbers = 'suffix' in range ? [range.suffix] : [range.first, range.last ?? range.first];
  const reversed = 'first' in range && range.last !== undefined && range.last < range.first;
  if (!reversed && numbers.every((each) => Number.isSafeInteger(each) && each >= 0)) return;
  throw new StorageError('InvalidArgument', `read object: ${shown(range)} is no range of bytes`, {
    details: { ArgumentName: 'Range', ArgumentValue: shown(range) },
  });
}

function unsatisfiable(range: ByteRange, sizeBytes: number): StorageError {
  return new StorageError(
    'InvalidRange',
    `read object: ${shown(range)} lies outside of its ${sizeBytes} bytes`,
    { details: { RangeRequested: shown(range), ActualObjectSize: sizeBytes } },
  );
}

function shown(range: ByteRange): string {
  return 'suffix' in range ? `bytes=-${range.suffix}` : `bytes=${range.first}-${range.last ?? ''}`;
}
