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
  ['retries a read whose connection was lost', lost('ConnectionLost', true), read, true],
  ['retries a read that timed out', lost('Timeout', true), read, true],
  ['retries a read after InternalError', refused('InternalError'), read, true],
  ['retries a read after SlowDown', refused('SlowDown'), read, true],
  ['does not retry a read after NoSuchKey', refused('NoSuchKey'), read, false],
  ['does not retry an aborted read', aborted, read, false],
  ['does not retry a read from an unknown host', lost('HostNotFound', false), read, false],
  ['does not retry a read after a TLS failure', lost('TlsFailed', false), read, false],
  ['does not retry a read after an invalid response', lost('BadResponse', true), read, false],
  ['retries a read after RequestTimeout', refused('RequestTimeout'), read, true],
  ['retries a write that was not sent', lost('ConnectionRefused', false), write, true],
  ['does not retry a write that was sent', lost('ConnectionLost', true), write, false],
  ['retries a write after SlowDown', refused('SlowDown'), write, true],
  ['retries a write after ServiceUnavailable', refused('ServiceUnavailable'), write, true],
  ['does not retry a write after InternalError', refused('InternalError'), write, false],
  [
    'does not retry a write whose body cannot be read again',
    lost('ConnectionRefused', false),
    { ...write, repeatable: false },
    false,
  ],
  [
    'retries a conditional write that was not sent',
    lost('ConnectionRefused', false),
    guarded,
    true,
  ],
  [
    'does not retry a conditional write that was sent',
    lost('ConnectionLost', true),
    guarded,
    false,
  ],
  ['retries a conditional write after SlowDown', refused('SlowDown'), guarded, true],
  [
    'does not retry a conditional write after ServiceUnavailable',
    refused('ServiceUnavailable'),
    guarded,
    false,
  ],
  [
    'does not retry a conditional write after PreconditionFailed',
    refused('PreconditionFailed'),
    guarded,
    false,
  ],
  [
    'does not retry the fourth attempt',
    lost('ConnectionLost', true),
    { ...read, number: 4 },
    false,
  ],
] as const)('a client %s', ([, error, attempt, again]) => {
  expect(retryDelay(error, attempt, 0) !== undefined).toBe(again);
});

test('the client chooses a random retry delay below a bound that doubles, but at least Retry-After', () => {
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

test('the client keeps the retry delay below 5 seconds after many attempts', () => {
  expect(backOff(100, 0.999)).toBeLessThan(5_000);
});
