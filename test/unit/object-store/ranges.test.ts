import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { resolveRange } from '../../../src/object-store/rules/ranges.ts';
import { refusal } from './refusal.ts';

describe('byte ranges of an object', () => {
  test.each([
    [{ first: 0 }, 10, { first: 0, last: 9 }],
    [{ first: 0, last: 0 }, 10, { first: 0, last: 0 }],
    [{ first: 9, last: 9 }, 10, { first: 9, last: 9 }],
    [{ first: 3, last: 99 }, 10, { first: 3, last: 9 }],
    [{ first: 9 }, 10, { first: 9, last: 9 }],
    [{ suffix: 1 }, 10, { first: 9, last: 9 }],
    [{ suffix: 10 }, 10, { first: 0, last: 9 }],
    [{ suffix: 11 }, 10, { first: 0, last: 9 }],
  ])(
    'the store resolves the range %j of an object of %i bytes to %j',
    (range, sizeBytes, expected) => {
      expect(resolveRange(range, sizeBytes)).toEqual(expected);
    },
  );

  test.each([
    [{ first: 10 }, 10, 'InvalidRange'],
    [{ first: 10, last: 12 }, 10, 'InvalidRange'],
    [{ suffix: 0 }, 10, 'InvalidRange'],
    [{ first: 0 }, 0, 'InvalidRange'],
    [{ suffix: 1 }, 0, 'InvalidRange'],
    [{ first: 5, last: 2 }, 10, 'InvalidArgument'],
    [{ first: -1 }, 10, 'InvalidArgument'],
    [{ first: 0.5 }, 10, 'InvalidArgument'],
    [{ first: Number.NaN }, 10, 'InvalidArgument'],
    [{ first: 0, last: Infinity }, 10, 'InvalidArgument'],
    [{ suffix: -1 }, 10, 'InvalidArgument'],
  ])(
    'the store fails for the range %j of an object of %i bytes with %s',
    (range, sizeBytes, code) => {
      expect(refusal(() => resolveRange(range, sizeBytes))?.code).toBe(code);
    },
  );

  test('the store states the size of the object in the error for an invalid range', () => {
    const error = refusal(() => resolveRange({ first: 10, last: 12 }, 10));
    expect(error?.details).toEqual({ RangeRequested: 'bytes=10-12', ActualObjectSize: 10 });
  });

  test('the store resolves a range to the same bytes as Array.slice', () => {
    fc.assert(
      fc.property(fc.nat(20), fc.nat(20), fc.nat(20), (size, first, length) => {
        const bytes = Array.from({ length: size }, (_, index) => index);
        const slice = bytes.slice(first, first + length + 1);
        if (slice.length === 0) {
          expect(refusal(() => resolveRange({ first, last: first + length }, size))).toBeDefined();
        } else {
          const range = resolveRange({ first, last: first + length }, size);
          expect(range).toEqual({ first: slice[0], last: slice.at(-1) });
        }
      }),
    );
  });
});
