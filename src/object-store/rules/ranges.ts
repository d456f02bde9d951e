/** Converts requested ranges to byte positions in an object (RFC 9110, section 14). */

import type { ByteRange, HeadObjectRequest } from '../object-store.ts';
import { StorageError } from '../storage-error.ts';
import { checkPartNumber } from './multipart.ts';

/**
 * Throws `InvalidRequest` if the request has both a range and a part number, and `InvalidArgument` for an invalid part
 * number.
 */
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
 * Returns the positions of the first and the last byte, both inclusive. A range that extends beyond the end of the
 * object is shortened. Throws `InvalidRange` if the range contains no byte of the object, such as `suffix: 0` or any
 * range of an empty object. Throws `InvalidArgument` for invalid numbers.
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
  throw new StorageError(
    'InvalidArgument',
    `read object: ${shown(range)} is not a valid byte range`,
    {
      details: { ArgumentName: 'Range', ArgumentValue: shown(range) },
    },
  );
}

function unsatisfiable(range: ByteRange, sizeBytes: number): StorageError {
  return new StorageError(
    'InvalidRange',
    `read object: ${shown(range)} is outside the object, which has ${sizeBytes} bytes`,
    { details: { RangeRequested: shown(range), ActualObjectSize: sizeBytes } },
  );
}

function shown(range: ByteRange): string {
  return 'suffix' in range ? `bytes=-${range.suffix}` : `bytes=${range.first}-${range.last ?? ''}`;
}
