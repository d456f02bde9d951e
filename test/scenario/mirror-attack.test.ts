/** An attack that encrypts the folder, against a real mirror: what is stored, what is held, and what is had again. */

import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, test } from 'vitest';

import { silentLogger } from '../../src/base/logger.ts';
import { restoreTree } from '../../src/mirror/restore/restore.ts';
import { type Attack, ATTACKS, encrypt, fillFolder, filesBelow } from '../helpers/attacks.ts';
import { type MirrorBench, openMirrorBench } from '../helpers/mirror-bench.ts';
import { ShiftedClock } from '../helpers/shifted-clock.ts';
import { until } from '../helpers/until.ts';

const LOCK = { mode: 'GOVERNANCE', days: 10, refreshDays: 5 } as const;
const DAY_MS = 24 * 3_600_000;
const MINUTE_MS = 60_000;

/** A mirrored folder of eight kinds of files, `sets` of each. */
async function mirrored({ sets = 3, ...options }: { sets?: number; versioned?: boolean } = {}) {
  const clock = new ShiftedClock();
  const bench = await openMirrorBench({ ...options, clock });
  fillFolder(bench.root, sets);
  const open = () => bench.open(options.versioned === false ? {} : { lock: LOCK });
  const mirror = await open();
  await mirror.settled();
  clock.putForward(2 * DAY_MS);
  return { bench, clock, mirror, open, before: bench.tree() };
}

function attackAll({ root }: MirrorBench, attack: Attack): void {
  for (const path of filesBelow(root)) ATTACKS[attack](path);
}

/** The one command: `restore --at`, just before the first sign. */
async function restoredBefore(bench: MirrorBench, clock: ShiftedClock, at: number) {
  const to = join(bench.home, 'restored');
  rmSync(to, { recursive: true, force: true });
  const { store, bucket } = bench;
  await restoreTree({ store, bucket, prefix: '', to, at, clock, logger: silentLogger });
  return Object.fromEntries(
    filesBelow(to).map((path) => [path.slice(to.length + 1), readFileSync(path, 'latin1')]),
  );
}

/** Until when each version of the keys is retained, the oldest of each first. */
async function locksOf({ store, bucket }: MirrorBench, keys: readonly string[]) {
  return Promise.all(
    keys.map(async (key) => {
      const { versions } = await store.listVersions({ bucket, prefix: key });
      const first = versions.findLast((version) => version.key === key);
      const { info } = await store.headObject({ bucket, key, versionId: first?.versionId ?? '' });
      return info.retention?.retainUntil ?? 0;
    }),
  );
}

describe('an attack', () => {
  test.each(Object.keys(ATTACKS) as Attack[])(
    '%s: is noticed, held and outlived; the tree of before is had by one command',
    async (attack) => {
      const { bench, clock, mirror, before } = await mirrored();
      attackAll(bench, attack);
      await mirror.settled();
      const status = mirror.status();
      expect(status).toMatchObject({ state: 'held', inSync: false });
      expect(status.reason).toContain('signs of an attack');
      expect(bench.activities.some(({ action }) => action === 'alarm')).toBe(true);
      const { signs, changes, total } = mirror.brake.review({ limit: 1000 });
      expect(total).toBeGreaterThan(0);
      expect(changes.every(({ why }) => why !== undefined)).toBe(true);
      expect(await restoredBefore(bench, clock, signs?.since ?? 0)).toEqual(before);
      const until = clock.now() + (LOCK.days + LOCK.refreshDays) * DAY_MS;
      const held = changes.map(({ path }) => path);
      for (const lock of await locksOf(bench, held)) {
        expect(lock).toBeGreaterThan(until - MINUTE_MS);
        expect(lock).toBeLessThanOrEqual(until);
      }
    },
  );
});
