/**
 * Tests of finding the version of a key at a point in time on services that change the dates of
 * versions.
 */

import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import {
  datedVersions,
  versionAt,
  type VersionTimes,
} from '../../../src/mirror/objects/version-times.ts';
import { removableVersions } from '../../../src/retention/removable-versions.ts';
import { hasKeptMoment } from '../../../src/retention/kept-moments.ts';
import type { KeepRule } from '../../../src/mirror/model/types.ts';
import type { ListedVersion } from '../../../src/object-store/listing.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const NOW = Date.parse('2026-01-20T00:00:00Z');
const jan = (text: string) => Date.parse(`2026-01-${text}:00Z`);

interface Written {
  readonly at: number;
  readonly isMarker?: boolean;
  /**
   * The changed date that the service lists, in milliseconds since 1970. Absent if the service did
   * not change the date.
   */
  readonly listedAt?: number;
  readonly hasOwnTime?: boolean;
}

/** Returns the versions as a service lists them, and the upload times that Holdfast recorded. */
function listed(newestFirst: readonly Written[]) {
  const versions = newestFirst.map(({ at, isMarker, listedAt }, index): ListedVersion => ({
    kind: isMarker ? 'delete-marker' : 'version',
    key: 'k',
    versionId: String(index),
    isLatest: index === 0,
    lastModifiedAt: listedAt ?? at,
    sizeBytes: 1,
    etag: 'e',
  }));
  const asked: string[] = [];
  const times: VersionTimes = {
    ownTime: async ({ versionId }) => {
      asked.push(versionId);
      const written = newestFirst[Number(versionId)];
      return written?.hasOwnTime === false ? undefined : written?.at;
    },
  };
  return { versions, times, asked };
}

describe('the version of a key at a point in time', () => {
  it('Holdfast finds the version that was current even if a lock renewal changed its date on the service', async () => {
    const { versions, times } = listed([{ at: 30 }, { at: 10, listedAt: 20 }]);
    expect(await versionAt(versions, 15, undefined)).toEqual({ isUndated: false });
    expect(await versionAt(versions, 15, times)).toMatchObject({
      version: { versionId: '1', lastModifiedAt: 10 },
      isUndated: false,
    });
  });

  it('Holdfast reports the version as uncertain if its date changed and it has no recorded upload time, unless a newer version existed', async () => {
    const unknown = { at: 10, listedAt: 25, hasOwnTime: false };
    const oldest = { at: 5 };
    const one = listed([{ at: 30 }, unknown, oldest]);
    expect(await versionAt(one.versions, 15, one.times)).toMatchObject({
      version: { versionId: '2' },
      isUndated: true,
    });
    const covered = listed([{ at: 14, listedAt: 26 }, unknown, oldest]);
    expect(await versionAt(covered.versions, 15, covered.times)).toMatchObject({
      version: { versionId: '0' },
      isUndated: false,
    });
  });

  it("Holdfast uses the service's date of a delete marker, because no service changes it", async () => {
    const { versions, times, asked } = listed([
      { at: 30, listedAt: 31, hasOwnTime: false },
      { at: 20, isMarker: true },
      { at: 10 },
    ]);
    expect(await versionAt(versions, 15, times)).toMatchObject({
      version: { versionId: '2' },
      isUndated: false,
    });
    expect(asked).toEqual([]);
  });

  it("Holdfast ignores a recorded upload time that is later than the service's date", async () => {
    const { versions } = listed([{ at: 10 * HOUR }]);
    const forged: VersionTimes = { ownTime: async () => 11 * HOUR };
    expect(await versionAt(versions, 9 * HOUR, forged)).toEqual({ isUndated: true });
  });

  it('Holdfast ignores a recorded upload time that is earlier than the upload time of the previous version', async () => {
    const history = [{ at: 40 * HOUR }, { at: 20 * HOUR }, { at: 10 * HOUR }];
    const { versions } = listed(history);
    // Another client has copied the oldest version with all its metadata, including the recorded
    // upload time.
    const times: VersionTimes = {
      ownTime: async ({ versionId }) =>
        (versionId === '0' ? 10 : 30 - 10 * Number(versionId)) * HOUR,
    };
    expect(await versionAt(versions, 30 * HOUR, times)).toMatchObject({
      version: { versionId: '1' },
      isUndated: true,
    });
    expect((await datedVersions(versions, times)).map(({ isUndated }) => isUndated)).toEqual([
      true,
      undefined,
      undefined,
    ]);
  });

  it('Holdfast reads only one recorded upload time for a key with many later versions', async () => {
    const many = Array.from({ length: 50 }, (_, index) => ({ at: 1_000 - index }));
    const { versions, times, asked } = listed(many);
    expect(await versionAt(versions, 960, times)).toMatchObject({ version: { versionId: '40' } });
    expect(asked).toHaveLength(1);
  });
});

const HISTORY_DAYS = 30;
const MOST_VERSIONS = 12;

/**
 * Random histories, newest version first. A service changes dates only to later dates that are not
 * in the future, so that no version is written after `NOW`.
 */
const historyArbitrary = fc
  .array(
    fc.record({
      hours: fc.integer({ min: 1, max: (HISTORY_DAYS * 24) / MOST_VERSIONS }),
      isMarker: fc.boolean(),
      redatedAfter: fc.option(fc.integer({ min: 0, max: 100 }), { nil: undefined }),
      hasOwnTime: fc.constantFrom(true, true, false),
    }),
    { maxLength: MOST_VERSIONS },
  )
  .map((steps) => {
    let at = NOW - HISTORY_DAYS * DAY;
    const written = steps.map(({ hours, isMarker, redatedAfter, hasOwnTime }): Written => {
      at += hours * HOUR;
      const isRedated = redatedAfter !== undefined && !isMarker;
      return {
        at,
        isMarker,
        hasOwnTime,
        ...(isRedated && { listedAt: Math.min(at + redatedAfter * HOUR, NOW) }),
      };
    });
    return written.toReversed();
  });

/** Returns the index of the version that was truly current at the time, or -1. */
const truthAt = (newestFirst: readonly Written[], at: number) =>
  newestFirst.findIndex((written) => written.at <= at);

it('property: Holdfast finds the correct version at a time or reports uncertainty, even if the service changed dates', async () => {
  await fc.assert(
    fc.asyncProperty(
      historyArbitrary,
      fc.integer({ min: 0, max: 200 * 24 }),
      async (all, hours) => {
        const { versions, times } = listed(all);
        for (const at of [NOW - hours * HOUR, ...all.map((written) => written.at)]) {
          const { version, isUndated } = await versionAt(versions, at, times);
          if (isUndated) expect(all.some(({ hasOwnTime }) => hasOwnTime === false)).toBe(true);
          else expect(Number(version?.versionId ?? -1)).toBe(truthAt(all, at));
        }
      },
    ),
  );
});

describe('version pruning on services that change dates', () => {
  const RULE: KeepRule = { all: 7 * DAY, daily: 30 * DAY };
  const covered = [{ at: jan('10T15:00') }, { at: jan('01T12:00'), listedAt: jan('10T10:00') }];

  it('Holdfast keeps a version that was current at nine preserved midnights even though a lock renewal changed its date', async () => {
    const { versions, times } = listed(covered);
    const byService = removableVersions(versions, RULE, NOW);
    expect(byService.versions.map(({ versionId }) => versionId)).toEqual(['1']);
    expect(removableVersions(await datedVersions(versions, times), RULE, NOW)).toEqual({
      versions: [],
      markers: [],
      undated: [],
    });
  });

  it('Holdfast keeps a version whose date is not reliable and counts it as undated', async () => {
    const { versions } = listed(covered);
    const unknown: VersionTimes = { ownTime: async () => undefined };
    const { versions: gone, undated } = removableVersions(
      await datedVersions(versions, unknown),
      RULE,
      NOW,
    );
    expect([gone, undated.map(({ versionId }) => versionId)]).toEqual([[], ['1']]);
  });

  it('property: pruning changes no preserved point in time even if the service changes the dates of versions', async () => {
    await fc.assert(
      fc.asyncProperty(historyArbitrary, async (all) => {
        const { versions, times } = listed(all);
        const dated = await datedVersions(versions, times);
        const { versions: gone, markers } = removableVersions(dated, RULE, NOW);
        const removed = [...gone, ...markers].map(({ versionId }) => Number(versionId));
        const moments = all.flatMap(({ at }) => [at, Math.ceil(at / DAY) * DAY]);
        for (const from of moments.filter((at) => at <= NOW)) {
          if (!hasKeptMoment(RULE, NOW, { from, to: from + 1 })) continue;
          const shown = truthAt(all, from);
          if (all[shown]?.isMarker !== true) expect(removed).not.toContain(shown);
        }
      }),
    );
  });
});
