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

describe('lifecycle rules', () => {
  test.each<[string, NewLifecycleRule]>([
    ['days', rule()],
    ['a million days', expires({ days: 1_000_000 })],
    ['a date at midnight', expires({ date: 20_000 * DAY_MS })],
    ['a date in the past', expires({ date: 0 })],
    ['expired delete markers', expires({ expiredDeleteMarker: true })],
    ['previous versions', previous({ days: 1 })],
    ['the 100 newest previous versions', previous({ days: 1, keepNewest: 100 })],
    ['unfinished uploads', aborts(1)],
    ['a rule that is off', rule({ enabled: false })],
    ['a name of 255 characters', rule({ id: '😀'.repeat(255) })],
    ['a prefix of 1,024 bytes', rule({ filter: { prefix: 'é'.repeat(512) } })],
    ['tags and sizes', rule({ filter: { tags: [tag], sizeGreaterThan: 0, sizeLessThan: 2 } })],
    ['the prefix as it was before filters', rule({ filter: { prefix: 'a' }, legacyPrefix: true })],
    ['all actions at once', rule({ noncurrentExpiration: { days: 2 }, abortUploadsAfterDays: 3 })],
  ])('[lc-1] accepts lifecycle rules with %s', (_, given) => {
    expect(code([given])).toBeUndefined();
  });

  test.each<[string, readonly NewLifecycleRule[], string]>([
    ['none at all', [], 'MalformedXML'],
    ['1,001 rules', Array.from({ length: 1001 }, () => rule()), 'MalformedXML'],
    ['two of one name', [rule({ id: 'a' }), rule({ id: 'a' })], 'InvalidArgument'],
    ['a name of 256 characters', [rule({ id: 'é'.repeat(256) })], 'InvalidArgument'],
    ['a name that is no text', [rule({ id: '\ud800' })], 'InvalidArgument'],
    ['no action', [rule({ expiration: undefined })], 'InvalidRequest'],
    ['0 days', [expires({ days: 0 })], 'InvalidArgument'],
    ['-1 days', [expires({ days: -1 })], 'InvalidArgument'],
    ['half a day', [expires({ days: 0.5 })], 'InvalidArgument'],
    ['10⁹ days', [expires({ days: 1e9 })], 'InvalidArgument'],
    ['days that are no number', [expires({ days: Number.NaN })], 'InvalidArgument'],
    ['a date at noon', [expires({ date: DAY_MS / 2 })], 'InvalidArgument'],
    ['a date beyond the year 9999', [expires({ date: 1e7 * DAY_MS })], 'InvalidArgument'],
    ['a date that is none', [expires({ date: Number.NaN })], 'InvalidArgument'],
    ['previous versions after 0 days', [previous({ days: 0 })], 'InvalidArgument'],
    ['no previous versions to keep', [previous({ days: 1, keepNewest: 0 })], 'InvalidArgument'],
    ['101 to keep', [previous({ days: 1, keepNewest: 101 })], 'InvalidArgument'],
    ['uploads after 0 days', [aborts(0)], 'InvalidArgument'],
    ['uploads with a tag', [aborts(1, { tags: [tag] })], 'InvalidRequest'],
    ['uploads with a size', [aborts(1, { sizeLessThan: 9 })], 'InvalidRequest'],
    [
      'expired delete markers with a tag',
      [rule({ filter: { tags: [tag] }, expiration: { expiredDeleteMarker: true } })],
      'InvalidRequest',
    ],
    [
      'a prefix of 1,025 bytes',
      [rule({ filter: { prefix: `${'é'.repeat(512)}a` } })],
      'InvalidRequest',
    ],
    ['a prefix that is no text', [rule({ filter: { prefix: '\udfff' } })], 'InvalidArgument'],
    [
      'sizes between which there is none',
      [rule({ filter: { sizeGreaterThan: 5, sizeLessThan: 6 } })],
      'InvalidRequest',
    ],
    ['a size below 0', [rule({ filter: { sizeGreaterThan: -1 } })], 'InvalidArgument'],
    [
      '11 tags',
      [
        rule({
          filter: { tags: Array.from({ length: 11 }, (_, n) => ({ key: `${n}`, value: '' })) },
        }),
      ],
      'InvalidTag',
    ],
    ['one tag twice', [rule({ filter: { tags: [tag, tag] } })], 'InvalidTag'],
  ])('[lc-2] refuses lifecycle rules with %s', (_, rules, expected) => {
    expect(code(rules)).toBe(expected);
  });

  test('[lc-3] each lifecycle rule without an id gets a unique id', () => {
    const named = nameRules([rule(), rule({ id: '' }), rule({ id: 'mine' })]);
    expect(named[2]?.id).toBe('mine');
    expect(new Set(named.map(({ id }) => id)).size).toBe(3);
    expect(code(named)).toBeUndefined();
    expect(code([rule(), rule({ id: '' })])).toBeUndefined();
  });
});
