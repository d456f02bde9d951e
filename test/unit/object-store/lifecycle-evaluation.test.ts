import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import type { LifecycleRule } from '../../../src/object-store/lifecycle.ts';
import {
  expirationOf,
  evaluateUpload,
  evaluateVersion,
  type EvaluatedVersion,
  type Place,
} from '../../../src/object-store/rules/lifecycle-evaluation.ts';
import { ActiveRules } from '../../../src/object-store/rules/lifecycle-rules.ts';

const at = (text: string) => Date.parse(text);
const rule = (given: Partial<LifecycleRule>): LifecycleRule => ({
  id: 'r',
  enabled: true,
  filter: {},
  ...given,
});
const version = (given: Partial<EvaluatedVersion> = {}): EvaluatedVersion => ({
  key: 'a',
  isDeleteMarker: false,
  sizeBytes: 10,
  lastModifiedAt: at('2026-11-21T02:06:00Z'),
  tags: [],
  ...given,
});
const marker = version({ isDeleteMarker: true, sizeBytes: 0 });
const latest: Place = { is: 'latest', alone: true };
const below: Place = { is: 'latest', alone: false };
const previous = (newer: number, since = '2026-11-21T02:06:00Z'): Place => ({
  is: 'previous',
  since: at(since),
  newer,
});

const fiveDays = rule({ expiration: { days: 5 } });
const onDate = rule({ expiration: { date: at('2026-11-30T00:00:00Z') } });
const expiredMarkers = rule({ expiration: { expiredDeleteMarker: true } });
const afterTwo = rule({ noncurrentExpiration: { days: 2 } });
const keepTwo = rule({ noncurrentExpiration: { days: 2, keepNewest: 2 } });
const tagged = rule({ filter: { tags: [{ key: 'k', value: 'v' }] }, expiration: { days: 1 } });
const sized = rule({
  filter: { sizeGreaterThan: 9, sizeLessThan: 11 },
  expiration: { days: 1 },
  noncurrentExpiration: { days: 1 },
});

describe('lifecycle actions for a version', () => {
  test.each<[string, LifecycleRule, EvaluatedVersion, Place, string, string | undefined]>([
    [
      '[lc-4] an object expires at the first midnight UTC after the configured days',
      fiveDays,
      version(),
      below,
      '2026-11-27T00:00:00Z',
      'expire',
    ],
    [
      '[lc-4] an object does not expire before the first midnight UTC after the configured days',
      fiveDays,
      version(),
      below,
      '2026-11-26T23:59:59.999Z',
      undefined,
    ],
    [
      '[lc-4] an object created at midnight UTC expires at midnight after exactly the configured days',
      fiveDays,
      version({ lastModifiedAt: at('2026-11-21T00:00:00Z') }),
      below,
      '2026-11-26T00:00:00Z',
      'expire',
    ],
    [
      '[lc-5] an object expires at the configured date',
      onDate,
      version(),
      below,
      '2026-11-30T00:00:00Z',
      'expire',
    ],
    [
      '[lc-5] an object does not expire before the configured date',
      onDate,
      version(),
      below,
      '2026-11-29T23:59:59Z',
      undefined,
    ],
    [
      '[lc-5] an object created after the configured date expires too',
      onDate,
      version({ lastModifiedAt: at('2026-12-24') }),
      below,
      '2026-12-24T01:00:00Z',
      'expire',
    ],
    [
      '[lc-6] a delete marker with a version below it does not expire',
      fiveDays,
      marker,
      below,
      '2027-11-27T00:00:00Z',
      undefined,
    ],
    [
      '[lc-6] a delete marker without other versions is removed after the configured days',
      fiveDays,
      marker,
      latest,
      '2026-11-27T00:00:00Z',
      'remove-marker',
    ],
    [
      '[lc-6] a delete marker without other versions is not removed at a configured date',
      onDate,
      marker,
      latest,
      '2027-11-27T00:00:00Z',
      undefined,
    ],
    [
      '[lc-7] an expired delete marker is removed at the next midnight UTC',
      expiredMarkers,
      marker,
      latest,
      '2026-11-22T00:00:00Z',
      'remove-marker',
    ],
    [
      '[lc-7] an expired delete marker is not removed on the day of its creation',
      expiredMarkers,
      marker,
      latest,
      '2026-11-21T23:59:59Z',
      undefined,
    ],
    [
      '[lc-7] a delete marker with a version below it is not removed',
      expiredMarkers,
      marker,
      below,
      '2027-11-22T00:00:00Z',
      undefined,
    ],
    [
      '[lc-7] ExpiredObjectDeleteMarker removes no object',
      expiredMarkers,
      version(),
      latest,
      '2027-11-22T00:00:00Z',
      undefined,
    ],
    [
      '[lc-8] a noncurrent version expires the configured days after it was replaced',
      afterTwo,
      version(),
      previous(0),
      '2026-11-24T00:00:00Z',
      'remove-version',
    ],
    [
      '[lc-8] the age of a noncurrent version does not count, only the time since its replacement',
      afterTwo,
      version({ lastModifiedAt: 0 }),
      previous(0),
      '2026-11-23T23:59:59Z',
      undefined,
    ],
    [
      '[lc-8] a noncurrent delete marker expires like a noncurrent version',
      afterTwo,
      marker,
      previous(0),
      '2026-11-24T00:00:00Z',
      'remove-version',
    ],
    [
      '[lc-8] NoncurrentVersionExpiration does not remove the latest version',
      afterTwo,
      version(),
      below,
      '2027-11-24T00:00:00Z',
      undefined,
    ],
    [
      '[lc-9] NewerNoncurrentVersions keeps the newest noncurrent versions',
      keepTwo,
      version(),
      previous(1),
      '2027-11-24T00:00:00Z',
      undefined,
    ],
    [
      '[lc-9] NewerNoncurrentVersions does not keep older noncurrent versions',
      keepTwo,
      version(),
      previous(2),
      '2026-11-24T00:00:00Z',
      'remove-version',
    ],
    [
      '[lc-9] all noncurrent versions are kept until NoncurrentDays have passed',
      keepTwo,
      version(),
      previous(9),
      '2026-11-23T23:59:59Z',
      undefined,
    ],
    [
      '[lc-10] a rule with a tag does not apply to an object without tags',
      tagged,
      version(),
      below,
      '2027-01-01T00:00:00Z',
      undefined,
    ],
    [
      '[lc-10] a rule with a tag does not apply to an object with another tag value',
      tagged,
      version({ tags: [{ key: 'k', value: 'w' }] }),
      below,
      '2027-01-01T00:00:00Z',
      undefined,
    ],
    [
      '[lc-10] a rule with a tag applies to an object with several tags',
      tagged,
      version({
        tags: [
          { key: 'j', value: '' },
          { key: 'k', value: 'v' },
        ],
      }),
      below,
      '2027-01-01T00:00:00Z',
      'expire',
    ],
    [
      '[lc-10] a rule with a tag applies to a delete marker, which has no tags',
      tagged,
      marker,
      latest,
      '2027-01-01T00:00:00Z',
      'remove-marker',
    ],
    [
      '[lc-11] a rule with size limits applies to an object between the limits',
      sized,
      version(),
      below,
      '2027-01-01T00:00:00Z',
      'expire',
    ],
    [
      '[lc-11] a rule does not apply to an object with the size of the lower limit',
      sized,
      version({ sizeBytes: 9 }),
      below,
      '2027-01-01T00:00:00Z',
      undefined,
    ],
    [
      '[lc-11] a rule does not apply to an object with the size of the upper limit',
      sized,
      version({ sizeBytes: 11 }),
      previous(0),
      '2027-01-01T00:00:00Z',
      undefined,
    ],
    [
      '[lc-12] a rule without actions removes nothing',
      rule({}),
      version(),
      previous(0),
      '2099-01-01T00:00:00Z',
      undefined,
    ],
  ])('%s', (_, each, judged, place, now, action) => {
    expect(evaluateVersion([each], judged, place, at(now))?.action).toBe(action);
  });

  test('[lc-13] the store reports the expiration of an object with the lifecycle rule that expires it first', () => {
    const rules = [
      rule({ id: 'late', expiration: { days: 6 } }),
      rule({ id: 'first', expiration: { days: 5 } }),
      rule({ id: 'same', expiration: { days: 5 } }),
      onDate,
      expiredMarkers,
      rule({ id: 'other', filter: { sizeGreaterThan: 10 }, expiration: { days: 1 } }),
    ];
    expect(expirationOf(rules, version())).toEqual({
      expiresAt: at('2026-11-27T00:00:00Z'),
      ruleId: 'first',
    });
    expect(expirationOf([afterTwo], version())).toBeUndefined();
  });

  test.each([
    ['2026-11-23T23:59:59.999Z', undefined],
    ['2026-11-24T00:00:00Z', 'r'],
  ])(
    '[lc-14] the store aborts an upload with a limit of two days at the following midnight UTC: %s',
    (now, expected) => {
      const rules = [fiveDays, rule({ abortUploadsAfterDays: 2 })];
      expect(evaluateUpload(rules, at('2026-11-21T02:06:00Z'), at(now))).toBe(expected);
    },
  );
});

describe('selection of lifecycle rules', () => {
  const of = (id: string, prefix: string | undefined, given: Partial<LifecycleRule> = {}) =>
    rule({ id, filter: prefix === undefined ? {} : { prefix }, expiration: { days: 1 }, ...given });

  test('[lc-15] the store finds lifecycle rules by key prefix and applies a rule without a prefix to the whole bucket', () => {
    const rules = new ActiveRules([
      of('all', undefined),
      of('a', 'a/'),
      of('ab', 'a/b'),
      of('c', 'c'),
    ]);
    const found = (key: string) =>
      rules
        .of(key)
        .map(({ id }) => id)
        .sort();
    expect(found('a/bc')).toEqual(['a', 'ab', 'all']);
    expect(found('a/')).toEqual(['a', 'all']);
    expect(found('b')).toEqual(['all']);
  });

  test('[lc-16] the store does not apply a disabled lifecycle rule', () => {
    const rules = new ActiveRules([of('off', '', { enabled: false, abortUploadsAfterDays: 1 })]);
    expect(rules.of('a')).toEqual([]);
    expect([rules.versionPrefixes, rules.uploadPrefixes]).toEqual([[], []]);
  });

  test('[lc-58] the store returns the lifecycle rules with a matching prefix for a key in the order of the lifecycle configuration', () => {
    const text = fc
      .array(fc.constantFrom('a', 'b', '/', '\u{1f600}', '\uff21'), { maxLength: 6 })
      .map((each) => each.join(''));
    const document = fc.array(fc.tuple(fc.option(text, { nil: undefined }), fc.boolean()));
    fc.assert(
      fc.property(document, text, (written, key) => {
        const all = written.map(([prefix, enabled], id) => of(`${id}`, prefix, { enabled }));
        const expected = all.filter(
          ({ enabled, filter }) => enabled && key.startsWith(filter.prefix ?? ''),
        );
        expect(new ActiveRules(all).of(key)).toEqual(expected);
      }),
    );
  });

  test('[lc-58] the store finds a thousand lifecycle rules with nested prefixes for each of 256 keys', () => {
    const all = Array.from({ length: 1000 }, (_, n) => of(`${n}`, 'a'.repeat(n + 1)));
    const rules = new ActiveRules(all);
    for (let row = 0; row < 256; row++) {
      expect(rules.of('a'.repeat(1000) + row)).toHaveLength(1000);
    }
  });

  test('the store scans only keys below the prefixes of the lifecycle rules, each key once, in byte order', () => {
    const rules = new ActiveRules([
      of('1', 'b'),
      of('2', 'a/x'),
      of('3', 'a/'),
      of('4', 'a/y'),
      of('5', '\u{1f600}'),
      of('6', '\uff21'),
      rule({ abortUploadsAfterDays: 1 }),
      of('7', 'z', { enabled: false }),
    ]);
    expect(rules.versionPrefixes).toEqual(['a/', 'b', '\uff21', '\u{1f600}']);
    expect(rules.uploadPrefixes).toEqual(['']);
  });
});
