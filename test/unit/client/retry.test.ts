import * as fc from 'fast-check';
import { expect, test } from 'vitest';

import { backOff, retryDelay } from '../../../src/client/retry.ts';
import { StorageError, type StorageErrorCode } from '../../../src/object-store/storage-error.ts';
import {
  TransportError,
  type TransportErrorCode,
} from '../../../src/object-store/transport-error.ts';

const lost = (code: TransportErrorCode, sent: boolean) => new TransportError(code, 'x', { sent });
const refused = (code: StorageErrorCode) => new StorageError(code, 'x');
const aborted = new DOMException('x', 'AbortError');

const read = {
  number: 1,
  isIdempotent: true,
  isGuarded: false,
  repeatable: true,
  retryAfterMs: undefined,
};
const write = { ...read, isIdempotent: false };
const guarded = { ...write, isGuarded: true };

test.for([
  ['a read whose connection was lost', lost('ConnectionLost', true), read, true],
  ['a read that timed out', lost('Timeout', true), read, true],
  ['a read that met an internal error', refused('InternalError'), read, true],
  ['a read that is to slow down', refused('SlowDown'), read, true],
  ['a read of what is not there', refused('NoSuchKey'), read, false],
  ['a read that was aborted', aborted, read, false],
  ['a read of an unknown host', lost('HostNotFound', false), read, false],
  ['a read without trust', lost('TlsFailed', false), read, false],
  ['a read of what is no service', lost('BadResponse', true), read, false],
  ['a read that was too slow', refused('RequestTimeout'), read, true],
  ['a write that was not sent', lost('ConnectionRefused', false), write, true],
  ['a write that was sent', lost('ConnectionLost', true), write, false],
  ['a write that is to slow down', refused('SlowDown'), write, true],
  ['a write that was turned away', refused('ServiceUnavailable'), write, true],
  ['a write that met an internal error', refused('InternalError'), write, false],
  [
    'a write whose body is used up',
    lost('ConnectionRefused', false),
    { ...write, repeatable: false },
    false,
  ],
  ['a guarded write that was not sent', lost('ConnectionRefused', false), guarded, true],
  ['a guarded write that was sent', lost('ConnectionLost', true), guarded, false],
  ['a guarded write that is to slow down', refused('SlowDown'), guarded, true],
  ['a guarded write that was turned away', refused('ServiceUnavailable'), guarded, false],
  ['a guarded write whose condition failed', refused('PreconditionFailed'), guarded, false],
  ['the fourth attempt', lost('ConnectionLost', true), { ...read, number: 4 }, false],
] as const)('%s is retried: %s', ([, error, attempt, again]) => {
  expect(retryDelay(error, attempt, 0) !== undefined).toBe(again);
});

test('the retry delay is random below a doubling bound, and at least Retry-After', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 3 }),
      fc.double({ min: 0, max: 0.999, noNaN: true }),
      fc.option(fc.integer({ min: 0, max: 60_000 }), { nil: undefined }),
      (number, random, retryAfterMs) => {
        const delay = retryDelay(refused('SlowDown'), { ...read, number, retryAfterMs }, random);
        expect(delay).toBe(Math.max(100 * 2 ** (number - 1) * random, retryAfterMs ?? 0));
      },
    ),
  );
});

test('the retry delay stays below 5 seconds after many attempts', () => {
  expect(backOff(100, 0.999)).toBeLessThan(5_000);
});
