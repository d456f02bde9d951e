/**
 * Tests of version pruning with example histories and random histories: which old versions the keep
 * rule removes.
 */

import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { keepShape } from '../../../src/config/keep.ts';
import { removableVersions } from '../../../src/retention/removable-versions.ts';
import { hasKeptMoment } from '../../../src/retention/kept-moments.ts';
import type { KeepRule } from '../../../src/mirror/model/types.ts';
import type { ListedVersion } from '../../../src/object-store/listing.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const NOW = Date.parse('2026-11-21T12:00:00Z');
const RULE: KeepRule = { all: 7 * DAY, daily: 30 * DAY, weekly: 365 * DAY, monthly: 1_000 * DAY };
const at = (text: string) => Date.parse(`${text}Z`);

describe('the points in time that a keep rule preserves', () => {
  it.each([
    ['ended within the last days', '2026-11-14T12:00:00', '2026-11-14T12:00:01', true],
    ['started and ended within one earlier day', '2026-11-10T01:00', '2026-11-10T23:59', false],
    ['started at midnight', '2026-11-10T00:00', '2026-11-10T00:01', true],
    ['ended at midnight', '2026-11-10T23:00', '2026-11-11T00:00', false],
    [
      'was current over a midnight that is too old for the daily rule',
      '2026-10-13T12:00',
      '2026-10-14T12:00',
      false,
    ],
    ['was current over a Monday', '2026-10-11T12:00', '2026-10-12T12:00', true],
    ['was current from Monday to Sunday', '2026-10-05T00:01', '2026-10-11T23:59', false],
    [
      'was current at the start of a month two years ago',
      '2024-10-31T12:00',
      '2024-11-01T00:01',
      true,
    ],
    ['was current over a Monday of two years ago', '2024-11-02T12:00', '2024-11-30T12:00', false],
    [
      'was replaced before every preserved point in time',
      '2023-01-01T00:00',
      '2024-02-25T00:00',
      false,
    ],
  ])(
    'the keep rule decides whether version pruning keeps a version that %s',
    (_, from, to, isKept) => {
      expect(hasKeptMoment(RULE, NOW, { from: at(from), to: at(to) })).toBe(isKept);
    },
  );
});

describe('the keep rule "smart"', () => {
  const smart = keepShape.parse('smart');

  it.each([
    ['replaced within the last day', '2026-11-20T12:30', '2026-11-20T12:31', true],
    ['current over a full hour of the last week', '2026-11-15T09:59', '2026-11-15T10:01', true],
    ['current within one hour of the last week', '2026-11-15T10:01', '2026-11-15T10:59', false],
    [
      'current over a full hour before the last week',
      '2026-11-10T09:59',
      '2026-11-10T10:01',
      false,
    ],
    ['current over a midnight of the last month', '2026-11-01T23:59', '2026-11-02T00:01', true],
    ['current over a Monday of the last year', '2026-02-01T12:00', '2026-02-02T00:01', true],
    ['current over the start of a month long ago', '2016-01-31T12:00', '2016-02-01T00:01', true],
    ['current within a month long ago', '2016-02-01T12:00', '2016-02-28T00:01', false],
  ])(
    'the keep rule "smart" decides whether version pruning keeps a version that was %s',
    (_, from, to, isKept) => {
      expect(hasKeptMoment(smart, NOW, { from: at(from), to: at(to) })).toBe(isKept);
    },
  );
});

const version = (id: string, lastModifiedAt: number, more: Partial<ListedVersion> = {}) =>
  ({
    kind: 'version',
    key: 'k',
    versionId: id,
    isLatest: false,
    lastModifiedAt,
    sizeBytes: 1,
    etag: id,
    ...more,
  }) satisfies ListedVersion;
const ids = (versions: readonly ListedVersion[]) => versions.map(({ versionId }) => versionId);

describe('versions that pruning may remove', () => {
  it('version pruning keeps the current version, the null version, and a version before a multipart upload that may have ended later', () => {
    const old = at('2020-01-01T01:00');
    expect(
      ids(removableVersions([version('a', old, { isLatest: true })], RULE, NOW).versions),
    ).toEqual([]);
    const some = [
      version('d', NOW, { isLatest: true }),
      version('c', at('2026-09-01T15:00'), { etag: 'abc-2' }),
      version('b', at('2026-09-01T14:00')),
      version('null', at('2026-09-01T13:00')),
      version('a', at('2026-09-01T12:00')),
    ];
    expect(ids(removableVersions(some, { all: DAY, daily: 365 * DAY }, NOW).versions)).toEqual([
      'a',
    ]);
  });

  it('version pruning keeps the version that was current during a multipart upload of six days', () => {
    const some = [
      version('b', NOW - 6 * DAY, { etag: 'abc-2', isLatest: true }),
      version('a', NOW - 20 * DAY),
    ];
    expect(ids(removableVersions(some, { all: DAY }, NOW).versions)).toEqual([]);
  });

  it.each([
    ['a clock that was one year ahead', NOW + 365 * DAY],
    ['a clock that was years behind when the next version was dated', at('2026-10-21T12:00')],
  ])(
    'version pruning keeps a version that is dated later than its successor because of %s',
    (_, dated) => {
      const some = [
        version('c', at('2026-10-30T10:00'), { isLatest: true }),
        version('b', at('2016-01-01T00:00')),
        version('a', dated),
      ];
      expect(ids(removableVersions(some, { all: 7 * DAY, daily: 60 * DAY }, NOW).versions)).toEqual(
        [],
      );
      const years = dated + 500 * DAY;
      const { versions } = removableVersions(some, { all: 7 * DAY, daily: 60 * DAY }, years);
      expect(ids(versions)).toEqual(['b', 'a']);
    },
  );

  it('version pruning removes a delete marker only if its key has no older version', () => {
    const marker = { kind: 'delete-marker', etag: '', sizeBytes: 0 } as const;
    const list = [
      version('e', NOW - DAY, marker),
      version('d', NOW - 2 * DAY),
      version('c', NOW - 3 * DAY, marker),
      version('b', NOW - 4 * DAY, marker),
    ];
    expect(ids(removableVersions(list, RULE, NOW).markers)).toEqual(['c', 'b']);
    expect(ids(removableVersions(list.slice(0, 1), RULE, NOW).markers)).toEqual(['e']);
    const nullMarker = version('null', NOW, marker);
    expect(removableVersions([nullMarker], RULE, NOW).markers).toEqual([]);
  });
});

/** Returns the id of the version that a restore to the given time writes. */
function shownAt(newestFirst: readonly ListedVersion[], moment: number): string | undefined {
  const shown = newestFirst.find(({ lastModifiedAt }) => lastModifiedAt <= moment);
  return shown?.kind === 'version' ? shown.versionId : undefined;
}

const historyArbitrary = fc
  .array(
    fc.record({
      ago: fc.integer({ min: 0, max: 1_100 * 24 }).map((hours) => hours * HOUR),
      isMarker: fc.boolean(),
      isInParts: fc.boolean(),
    }),
    { maxLength: 30 },
  )
  .chain((made) =>
    // Services return versions in different orders, but mostly sorted by time.
    fc.boolean().map((inOrder) => (inOrder ? made.toSorted((a, b) => a.ago - b.ago) : made)),
  )
  .map((made) =>
    made.map(({ ago, isMarker, isInParts }, index) =>
      version(String(index), NOW - ago, {
        isLatest: index === 0,
        ...(isMarker && { kind: 'delete-marker' }),
        ...(isInParts && !isMarker && { etag: `${index}-2` }),
      }),
    ),
  );

const days = (max: number) => fc.integer({ min: 1, max }).map((count) => count * DAY);
const ruleArbitrary = fc.record(
  { all: days(40), daily: days(90), weekly: days(800), monthly: days(2_000) },
  { requiredKeys: ['all'] },
);

it('property: pruning changes the content of no preserved point in time, neither today nor on later days', () => {
  fc.assert(
    fc.property(
      historyArbitrary,
      ruleArbitrary,
      fc.integer({ min: 0, max: 60 }).map((count) => count * 7 * HOUR),
      fc.array(fc.integer({ min: 0, max: 1_100 * 24 }), { maxLength: 50 }),
      (before, rule, laterMs, hours) => {
        let left = before;
        for (const now of [NOW, NOW + laterMs]) {
          const { versions, markers } = removableVersions(left, rule, now);
          left = left.filter((each) => !versions.includes(each) && !markers.includes(each));
        }
        const moments = [
          ...hours.map((hour) => NOW - hour * HOUR),
          ...before.map((v) => v.lastModifiedAt),
        ];
        for (const moment of moments) {
          if (!hasKeptMoment(rule, NOW + laterMs, { from: moment, to: moment + 1 })) continue;
          expect(shownAt(left, moment)).toBe(shownAt(before, moment));
        }
      },
    ),
  );
});

it('property: a second pruning directly after the first finds no version to remove', () => {
  fc.assert(
    fc.property(historyArbitrary, ruleArbitrary, (before, rule) => {
      const { versions } = removableVersions(before, rule, NOW);
      const left = before.filter((each) => !versions.includes(each));
      expect(removableVersions(left, rule, NOW).versions).toEqual([]);
    }),
  );
});
