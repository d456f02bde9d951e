import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import type { LockRequest } from '../../../src/object-store/object-store.ts';
import { checkLockRequest, refuseRemoval } from '../../../src/object-store/rules/locks.ts';
import { refusal } from './refusal.ts';

const NOW = Date.UTC(2026, 0, 1);
const governance = (retainUntil: number) => ({ mode: 'GOVERNANCE', retainUntil });
const compliance = (retainUntil: number) => ({ mode: 'COMPLIANCE', retainUntil });

describe('a lock given with a write', () => {
  const code = (lock: unknown, objectLockEnabled = true) =>
    refusal(() =>
      checkLockRequest(lock as LockRequest | undefined, { objectLockEnabled, now: NOW }),
    )?.code;

  test.each([
    ['no lock', undefined],
    ['an empty lock', {}],
    ['a retention that ends in a millisecond', { retention: governance(NOW + 1) }],
    ['a retention to the end of 9999', { retention: compliance(Date.UTC(9999, 11, 31)) }],
    ['a legal hold', { legalHold: true }],
    ['both', { legalHold: false, retention: compliance(NOW + 1) }],
  ])('may be %s', (_, lock) => {
    expect(code(lock)).toBeUndefined();
  });

  test.each([
    ['ends now', governance(NOW)],
    ['lies in the past', governance(NOW - 1)],
    ['has an unknown mode', { mode: 'governance', retainUntil: NOW + 1 }],
    ['has no mode', { retainUntil: NOW + 1 }],
    ['has no date', { mode: 'GOVERNANCE' }],
    ['has a date that is no number', governance(Number.NaN)],
    ['never ends', compliance(Infinity)],
    ['ends in the year 10000', compliance(Date.UTC(10_000, 0, 1))],
  ])('is refused when its retention %s', (_, retention) => {
    expect(code({ retention })).toBe('InvalidArgument');
  });

  test.each([
    [{ retention: governance(NOW + 1) }, 'InvalidRequest'],
    [{ legalHold: true }, 'InvalidRequest'],
    [{ legalHold: false }, 'InvalidRequest'],
    [{}, undefined],
    [undefined, undefined],
  ])('%j in a bucket without object lock: %s', (lock, expected) => {
    expect(code(lock, false)).toBe(expected);
  });
});

describe('the removal of a version', () => {
  const plain = { now: NOW, bypassGovernance: false, fullAccess: false };
  const bypass = { now: NOW, bypassGovernance: true, fullAccess: true };
  const code = (locks: object, context: object = plain) =>
    refusal(() => refuseRemoval(locks, { ...plain, ...context }))?.code;

  test.each([
    ['nothing locked', {}, plain],
    ['columns that are null', { retention: null, legalHold: null }, plain],
    ['legal hold off', { legalHold: false }, plain],
    ['governance that ends now', { retention: governance(NOW) }, plain],
    ['compliance that ended', { retention: compliance(NOW - 1) }, plain],
    ['governance with bypass and privileges', { retention: governance(NOW + 1) }, bypass],
  ])('goes on: %s', (_, locks, context) => {
    expect(code(locks, context)).toBeUndefined();
  });

  test.each([
    ['governance', { retention: governance(NOW + 1) }, plain],
    ['privileges alone', { retention: governance(NOW + 1) }, { fullAccess: true }],
    ['bypass without privileges', { retention: governance(NOW + 1) }, { bypassGovernance: true }],
    ['compliance', { retention: compliance(NOW + 1) }, plain],
    ['compliance, bypassed', { retention: compliance(NOW + 1) }, bypass],
    ['legal hold', { legalHold: true }, plain],
    ['legal hold, bypassed', { legalHold: true }, bypass],
    ['legal hold after retention', { legalHold: true, retention: governance(NOW - 1) }, bypass],
  ])('is refused: %s', (_, locks, context) => {
    expect(code(locks, context)).toBe('AccessDenied');
  });

  test.each([
    ['a legal hold that is a number', { legalHold: 0 }],
    ['a legal hold that is a text', { legalHold: 'OFF' }],
    ['an unknown mode', { retention: { mode: 'NONE', retainUntil: NOW - 1 } }],
    ['no mode', { retention: { retainUntil: NOW - 1 } }],
    ['a mode without a date', { retention: { mode: 'GOVERNANCE', retainUntil: null } }],
    ['a date that is a text', { retention: { mode: 'GOVERNANCE', retainUntil: '1' } }],
    ['a date that is no number', { retention: governance(Number.NaN) }],
    ['a negative date', { retention: governance(-1) }],
    ['a retention that is a text', { retention: '{}' }],
    ['a retention that is false', { retention: false }],
  ])('is refused, bypassed or not, when it cannot be read: %s', (_, locks) => {
    expect(code(locks)).toBe('AccessDenied');
    expect(code(locks, bypass)).toBe('AccessDenied');
  });

  test('is refused when the time is no number', () => {
    expect(code({ retention: compliance(NOW - 1) }, { now: Number.NaN })).toBe('AccessDenied');
  });

  test('never goes on for anything but no lock, hold off, or a sound retention', () => {
    fc.assert(
      fc.property(fc.anything(), fc.anything(), (retention, legalHold) => {
        const free = [undefined, null, false].includes(legalHold as null);
        const none = retention === undefined || retention === null;
        expect(code({ retention, legalHold }, bypass) === undefined).toBe(free && none);
      }),
    );
  });
});
