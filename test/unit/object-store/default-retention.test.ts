import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import type { DefaultRetention } from '../../../src/object-store/locks.ts';
import {
  checkDefaultRetention,
  retentionFrom,
} from '../../../src/object-store/rules/default-retention.ts';
import { refusal } from './refusal.ts';

const DAY = 24 * 3600 * 1000;
const mode = 'GOVERNANCE';

describe('the default retention of a bucket', () => {
  test.each([
    [{ days: 1 }, undefined],
    [{ days: 36_500 }, undefined],
    [{ years: 1 }, undefined],
    [{ years: 100 }, undefined],
    [{ days: 0 }, 'InvalidRetentionPeriod'],
    [{ days: -1 }, 'InvalidRetentionPeriod'],
    [{ days: 1.5 }, 'InvalidRetentionPeriod'],
    [{ days: Number.NaN }, 'InvalidRetentionPeriod'],
    [{ days: 36_501 }, 'InvalidRetentionPeriod'],
    [{ days: 1e9 }, 'InvalidRetentionPeriod'],
    [{ years: 0 }, 'InvalidRetentionPeriod'],
    [{ years: 101 }, 'InvalidRetentionPeriod'],
    [{}, 'MalformedXML'],
    [{ days: 1, years: 1 }, 'MalformedXML'],
    [{ mode: 'governance', days: 1 }, 'MalformedXML'],
    [{ mode: undefined, days: 1 }, 'MalformedXML'],
  ])('the store validates the default retention %j: %s', (given, code) => {
    const checked = { mode, ...given } as DefaultRetention;
    expect(refusal(() => checkDefaultRetention(checked))?.code).toBe(code);
  });

  test.each([
    [{ days: 1 }, '2028-02-28T23:59:59.999Z', '2028-02-29T23:59:59.999Z'],
    [{ days: 365 }, '2028-01-01T00:00:00.001Z', '2028-12-31T00:00:00.001Z'],
    [{ years: 1 }, '2028-01-01T00:00:00.001Z', '2029-01-01T00:00:00.001Z'],
    [{ years: 1 }, '2028-02-29T12:00:00.000Z', '2029-03-01T12:00:00.000Z'],
    [{ years: 4 }, '2028-02-29T12:00:00.000Z', '2032-02-29T12:00:00.000Z'],
    [{ years: 100 }, '2026-11-21T00:00:00.000Z', '2126-11-21T00:00:00.000Z'],
  ])(
    'the store locks an object under the default retention %j that is written at %s until %s',
    (given, from, end) => {
      const { retainUntil } = retentionFrom({ mode, ...given }, Date.parse(from));
      expect(new Date(retainUntil).toISOString()).toBe(end);
    },
  );

  test('the store ends a default retention in years after whole days, at the same time of day', () => {
    const from = fc.integer({ min: 0, max: Date.UTC(2200, 0, 1) });
    fc.assert(
      fc.property(from, fc.integer({ min: 1, max: 100 }), (at, years) => {
        const ms = retentionFrom({ mode, years }, at).retainUntil - at;
        expect(ms % DAY).toBe(0);
        expect(ms / DAY).toBeGreaterThanOrEqual(365 * years);
        expect(ms / DAY).toBeLessThanOrEqual(365 * years + Math.ceil(years / 4) + 1);
      }),
    );
  });
});
