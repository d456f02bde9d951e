import { describe, expect, test } from 'vitest';

import { DAY_MS } from '../../../src/base/durations.ts';
import type { NewLifecycleRule } from '../../../src/object-store/lifecycle.ts';
import { checkLifecycle, nameRules } from '../../../src/object-store/rules/lifecycle.ts';
import { refusal } from './refusal.ts';

const rule = (given: object = {}) =>
  ({ enabled: true, filter: {}, expiration: { days: 1 }, ...given }) as NewLifecycleRule;
const code = (rules: readonly NewLifecycleRule[]) => refusal(() => checkLifecycle(rules))?.code;
const tag = { key: 'kind', value: 'log' };
const expires = (expiration: object) => rule({ expiration });
const previous = (noncurrentExpiration: object) =>
  rule({ expiration: undefined, noncurrentExpiration });
const aborts = (abortUploadsAfterDays: number, filter: object = {}) =>
  rule({ expiration: undefined, abortUploadsAfterDays, filter });

describe('validation of lifecycle rules', () => {
  test.each<[string, NewLifecycleRule]>([
    ['a number of days', rule()],
    ['a million days', expires({ days: 1_000_000 })],
    ['a date at midnight', expires({ date: 20_000 * DAY_MS })],
    ['a date in the past', expires({ date: 0 })],
    ['ExpiredObjectDeleteMarker', expires({ expiredDeleteMarker: true })],
    ['an expiration of noncurrent versions', previous({ days: 1 })],
    ['100 newer noncurrent versions', previous({ days: 1, keepNewest: 100 })],
    ['an abort of unfinished uploads', aborts(1)],
    ['a disabled rule', rule({ enabled: false })],
    ['an ID of 255 characters', rule({ id: '😀'.repeat(255) })],
    ['a prefix of 1,024 bytes', rule({ filter: { prefix: 'é'.repeat(512) } })],
    [
      'a filter by tags and sizes',
      rule({ filter: { tags: [tag], sizeGreaterThan: 0, sizeLessThan: 2 } }),
    ],
    ['the older Prefix element', rule({ filter: { prefix: 'a' }, legacyPrefix: true })],
    ['all actions', rule({ noncurrentExpiration: { days: 2 }, abortUploadsAfterDays: 3 })],
  ])('[lc-1] the store accepts lifecycle rules with %s', (_, given) => {
    expect(code([given])).toBeUndefined();
  });

  test.each<[string, readonly NewLifecycleRule[], string]>([
    ['no rule', [], 'MalformedXML'],
    ['1,001 rules', Array.from({ length: 1001 }, () => rule()), 'MalformedXML'],
    ['two rules with the same ID', [rule({ id: 'a' }), rule({ id: 'a' })], 'InvalidArgument'],
    ['an ID of 256 characters', [rule({ id: 'é'.repeat(256) })], 'InvalidArgument'],
    ['an ID that is not valid Unicode', [rule({ id: '\ud800' })], 'InvalidArgument'],
    ['no action', [rule({ expiration: undefined })], 'InvalidRequest'],
    ['0 days', [expires({ days: 0 })], 'InvalidArgument'],
    ['-1 days', [expires({ days: -1 })], 'InvalidArgument'],
    ['half a day', [expires({ days: 0.5 })], 'InvalidArgument'],
    ['10⁹ days', [expires({ days: 1e9 })], 'InvalidArgument'],
    ['NaN days', [expires({ days: Number.NaN })], 'InvalidArgument'],
    ['a date at noon', [expires({ date: DAY_MS / 2 })], 'InvalidArgument'],
    ['a date beyond the year 9999', [expires({ date: 1e7 * DAY_MS })], 'InvalidArgument'],
    ['an invalid date', [expires({ date: Number.NaN })], 'InvalidArgument'],
    [
      'an expiration of noncurrent versions after 0 days',
      [previous({ days: 0 })],
      'InvalidArgument',
    ],
    ['0 newer noncurrent versions', [previous({ days: 1, keepNewest: 0 })], 'InvalidArgument'],
    ['101 newer noncurrent versions', [previous({ days: 1, keepNewest: 101 })], 'InvalidArgument'],
    ['an abort of uploads after 0 days', [aborts(0)], 'InvalidArgument'],
    ['an abort of uploads by tag', [aborts(1, { tags: [tag] })], 'InvalidRequest'],
    ['an abort of uploads by size', [aborts(1, { sizeLessThan: 9 })], 'InvalidRequest'],
    [
      'ExpiredObjectDeleteMarker and a tag',
      [rule({ filter: { tags: [tag] }, expiration: { expiredDeleteMarker: true } })],
      'InvalidRequest',
    ],
    [
      'a prefix of 1,025 bytes',
      [rule({ filter: { prefix: `${'é'.repeat(512)}a` } })],
      'InvalidRequest',
    ],
    [
      'a prefix that is not valid Unicode',
      [rule({ filter: { prefix: '\udfff' } })],
      'InvalidArgument',
    ],
    [
      'size limits that no size can meet',
      [rule({ filter: { sizeGreaterThan: 5, sizeLessThan: 6 } })],
      'InvalidRequest',
    ],
    ['a negative size', [rule({ filter: { sizeGreaterThan: -1 } })], 'InvalidArgument'],
    [
      '11 tags',
      [
        rule({
          filter: { tags: Array.from({ length: 11 }, (_, n) => ({ key: `${n}`, value: '' })) },
        }),
      ],
      'InvalidTag',
    ],
    ['a duplicate tag', [rule({ filter: { tags: [tag, tag] } })], 'InvalidTag'],
  ])('[lc-2] the store refuses lifecycle rules with %s', (_, rules, expected) => {
    expect(code(rules)).toBe(expected);
  });

  test('[lc-3] the store gives each lifecycle rule without an id a unique id', () => {
    const named = nameRules([rule(), rule({ id: '' }), rule({ id: 'mine' })]);
    expect(named[2]?.id).toBe('mine');
    expect(new Set(named.map(({ id }) => id)).size).toBe(3);
    expect(code(named)).toBeUndefined();
    expect(code([rule(), rule({ id: '' })])).toBeUndefined();
  });
});
