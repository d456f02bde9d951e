import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import type { LockRequest, Retention } from '../../../src/object-store/object-store.ts';
import {
  checkLegalHoldPermission,
  checkLockBucket,
  checkLockRequest,
  refuseRemoval,
  refuseRetentionChange,
} from '../../../src/object-store/rules/locks.ts';
import { refusal } from './refusal.ts';

const NOW = Date.UTC(2026, 0, 1);
const governance = (retainUntil: number) => ({ mode: 'GOVERNANCE', retainUntil });
const compliance = (retainUntil: number) => ({ mode: 'COMPLIANCE', retainUntil });

describe('the lock in a write request', () => {
  const code = (lock: unknown, objectLockEnabled = true) =>
    refusal(() =>
      checkLockRequest(lock as LockRequest | undefined, { objectLockEnabled, now: NOW }),
    )?.code;

  test.each([
    ['no lock', undefined],
    ['an empty lock', {}],
    ['a retention that ends in one millisecond', { retention: governance(NOW + 1) }],
    [
      'a retention until the end of the year 9999',
      { retention: compliance(Date.UTC(9999, 11, 31)) },
    ],
    ['a legal hold', { legalHold: true }],
    [
      'a retention and a legal hold that is off',
      { legalHold: false, retention: compliance(NOW + 1) },
    ],
  ])('the store accepts a write with %s', (_, lock) => {
    expect(code(lock)).toBeUndefined();
  });

  test.each([
    ['ends now', governance(NOW)],
    ['is in the past', governance(NOW - 1)],
    ['has an unknown mode', { mode: 'governance', retainUntil: NOW + 1 }],
    ['has no mode', { retainUntil: NOW + 1 }],
    ['has no date', { mode: 'GOVERNANCE' }],
    ['has the date NaN', governance(Number.NaN)],
    ['has an infinite date', compliance(Infinity)],
    ['ends in the year 10000', compliance(Date.UTC(10_000, 0, 1))],
  ])('the store refuses a write whose retention %s', (_, retention) => {
    expect(code({ retention })).toBe('InvalidArgument');
  });

  test.each([
    [{ retention: governance(NOW + 1) }, 'InvalidRequest'],
    [{ legalHold: true }, 'InvalidRequest'],
    [{ legalHold: false }, 'InvalidRequest'],
    [{}, undefined],
    [undefined, undefined],
  ])(
    'the store checks the lock %j of a write to a bucket without object lock: %s',
    (lock, expected) => {
      expect(code(lock, false)).toBe(expected);
    },
  );
});

describe('permanent deletion of a locked version', () => {
  const plain = { now: NOW, bypassGovernance: false, fullAccess: false };
  const bypass = { now: NOW, bypassGovernance: true, fullAccess: true };
  const code = (locks: object, context: object = plain) =>
    refusal(() => refuseRemoval(locks, { ...plain, ...context }))?.code;

  test.each([
    ['it has no lock', {}, plain],
    ['its lock columns are null', { retention: null, legalHold: null }, plain],
    ['its legal hold is off', { legalHold: false }, plain],
    ['its GOVERNANCE retention ends now', { retention: governance(NOW) }, plain],
    ['its COMPLIANCE retention has ended', { retention: compliance(NOW - 1) }, plain],
    [
      'its GOVERNANCE retention is bypassed with full access',
      { retention: governance(NOW + 1) },
      bypass,
    ],
  ])('the store allows permanent deletion of a version if %s', (_, locks, context) => {
    expect(code(locks, context)).toBeUndefined();
  });

  test.each([
    ['it has a GOVERNANCE retention', { retention: governance(NOW + 1) }, plain],
    [
      'it has a GOVERNANCE retention, and the caller has full access but no bypass',
      { retention: governance(NOW + 1) },
      { fullAccess: true },
    ],
    [
      'it has a GOVERNANCE retention, and the caller has a bypass but not full access',
      { retention: governance(NOW + 1) },
      { bypassGovernance: true },
    ],
    ['it has a COMPLIANCE retention', { retention: compliance(NOW + 1) }, plain],
    ['it has a COMPLIANCE retention, despite a bypass', { retention: compliance(NOW + 1) }, bypass],
    ['it has a legal hold', { legalHold: true }, plain],
    ['it has a legal hold, despite a bypass', { legalHold: true }, bypass],
    [
      'it has a legal hold and an expired retention',
      { legalHold: true, retention: governance(NOW - 1) },
      bypass,
    ],
  ])('the store refuses permanent deletion of a version if %s', (_, locks, context) => {
    expect(code(locks, context)).toBe('AccessDenied');
  });

  test.each([
    ['a legal hold that is a number', { legalHold: 0 }],
    ['a legal hold that is a string', { legalHold: 'OFF' }],
    ['an unknown mode', { retention: { mode: 'NONE', retainUntil: NOW - 1 } }],
    ['no mode', { retention: { retainUntil: NOW - 1 } }],
    ['a mode without a date', { retention: { mode: 'GOVERNANCE', retainUntil: null } }],
    ['a date that is a string', { retention: { mode: 'GOVERNANCE', retainUntil: '1' } }],
    ['the date NaN', { retention: governance(Number.NaN) }],
    ['a negative date', { retention: governance(-1) }],
    ['a retention that is a string', { retention: '{}' }],
    ['a retention that is false', { retention: false }],
  ])(
    'the store refuses permanent deletion of a version with an invalid stored lock, with or without bypass: %s',
    (_, locks) => {
      expect(code(locks)).toBe('AccessDenied');
      expect(code(locks, bypass)).toBe('AccessDenied');
    },
  );

  test('the store refuses permanent deletion of a locked version if the current time is not a number', () => {
    expect(code({ retention: compliance(NOW - 1) }, { now: Number.NaN })).toBe('AccessDenied');
  });

  test('property: no invalid stored lock allows permanent deletion of a version', () => {
    fc.assert(
      fc.property(fc.anything(), fc.anything(), (retention, legalHold) => {
        const free = [undefined, null, false].includes(legalHold as null);
        const none = retention === undefined || retention === null;
        expect(code({ retention, legalHold }, bypass) === undefined).toBe(free && none);
      }),
    );
  });
});

describe('changes of an existing retention', () => {
  const HELD = NOW + 1000;
  const [G, C] = ['GOVERNANCE', 'COMPLIANCE'] as const;
  const unprivileged = { now: NOW, bypassGovernance: false, fullAccess: false };
  const privileged = { ...unprivileged, fullAccess: true };
  const bypassing = { ...unprivileged, bypassGovernance: true };
  const both = { ...privileged, bypassGovernance: true };
  const change = (stored: unknown, asked: Retention, context: typeof unprivileged) =>
    refusal(() => refuseRetentionChange(stored, asked, context))?.code;
  const until = { longer: HELD + 1, equal: HELD, shorter: HELD - 1 };

  type Cell = [
    held: Retention['mode'] | undefined,
    asked: Retention['mode'],
    keyof typeof until,
    ...allowed: [unprivileged: boolean, privileged: boolean, bypassing: boolean, both: boolean],
  ];
  const cells: Cell[] = [
    // Columns: the current mode, the requested mode, the requested end, and whether each of the
    // four callers may make the change.
    [undefined, G, 'longer', true, true, true, true],
    [undefined, C, 'longer', true, true, true, true],
    [G, G, 'longer', false, true, false, true],
    [G, G, 'equal', false, true, false, true],
    [G, G, 'shorter', false, false, false, true],
    [G, C, 'longer', false, false, false, true],
    [G, C, 'equal', false, false, false, true],
    [G, C, 'shorter', false, false, false, true],
    [C, C, 'longer', true, true, true, true],
    [C, C, 'equal', true, true, true, true],
    [C, C, 'shorter', false, false, false, false],
    [C, G, 'longer', false, false, false, false],
    [C, G, 'equal', false, false, false, false],
    [C, G, 'shorter', false, false, false, false],
  ];

  test.each(cells)(
    '[lock-43] a change of a retention from %s to %s with a %s end is allowed without privileges: %s, with full access: %s, with bypass: %s, with both: %s',
    (held, mode, end, ...allowed) => {
      const stored = held && { mode: held, retainUntil: HELD };
      const asked = { mode, retainUntil: until[end] };
      const may = [unprivileged, privileged, bypassing, both].map(
        (context) => change(stored, asked, context) === undefined,
      );
      expect(may).toEqual(allowed);
    },
  );

  test('the store lets any caller replace a retention that has ended', () => {
    for (const held of [G, C]) {
      for (const mode of [G, C]) {
        const ended = { mode: held, retainUntil: NOW };
        expect(change(ended, { mode, retainUntil: NOW + 1 }, unprivileged)).toBeUndefined();
      }
    }
  });

  test.each([
    ['an unknown mode', { mode: 'NONE', retainUntil: NOW - 1 }],
    ['no mode', { mode: null, retainUntil: NOW - 1 }],
    ['no date', { mode: 'GOVERNANCE', retainUntil: null }],
    ['the date NaN', { mode: 'GOVERNANCE', retainUntil: Number.NaN }],
    ['a string', 'GOVERNANCE'],
    ['false', false],
  ])('the store refuses to change an invalid stored retention: %s', (_, stored) => {
    expect(change(stored, { mode: C, retainUntil: NOW + 1 }, both)).toBe('AccessDenied');
  });

  test('the store refuses to change a retention if the current time is not a number', () => {
    const ended = { mode: C, retainUntil: NOW - 1 };
    const asked = { mode: G, retainUntil: NOW + 1 };
    expect(change(ended, asked, { ...both, now: Number.NaN })).toBe('AccessDenied');
  });

  test('the store mentions an untrusted clock in the error for a refused retention change', () => {
    const asked = { mode: C, retainUntil: HELD - 1 };
    const context = { ...both, clockAheadMs: 5000 };
    const refused = () => refuseRetentionChange({ mode: C, retainUntil: HELD }, asked, context);
    expect(refusal(refused)?.message).toContain('holdfast admin store trust-clock');
  });

  test('property: no sequence of requests weakens a retention in compliance mode', () => {
    const asked = fc.record({
      mode: fc.constantFrom(G, C),
      retainUntil: fc.integer({ min: NOW, max: NOW + 100 }),
    });
    const steps = fc.array(
      fc.tuple(asked, fc.constantFrom(unprivileged, privileged, bypassing, both)),
    );
    fc.assert(
      fc.property(steps, (all) => {
        let held: Retention = { mode: C, retainUntil: NOW + 50 };
        for (const [next, context] of all) {
          if (change(held, next, context) !== undefined) continue;
          expect(next.mode).toBe(C);
          expect(next.retainUntil).toBeGreaterThanOrEqual(held.retainUntil);
          held = next;
        }
      }),
    );
  });
});

describe('locks in buckets without object lock, and legal holds', () => {
  test('the store refuses locks in a bucket without object lock', () => {
    expect(refusal(() => checkLockBucket({ objectLockEnabled: true }))).toBeUndefined();
    expect(refusal(() => checkLockBucket({ objectLockEnabled: false }))?.code).toBe(
      'InvalidRequest',
    );
  });

  test('the store requires full access to set a legal hold', () => {
    expect(refusal(() => checkLegalHoldPermission({ fullAccess: true }))).toBeUndefined();
    expect(refusal(() => checkLegalHoldPermission({ fullAccess: false }))?.code).toBe(
      'AccessDenied',
    );
  });
});
