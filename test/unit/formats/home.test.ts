/**
 * Tests that the home folders of earlier releases open with their configuration, users, alarms,
 * clusters and job.
 */

import { chmodSync, existsSync, mkdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import Database from 'better-sqlite3';
import { describe, expect, it, onTestFinished } from 'vitest';

import { compose } from '../../../daemon/compose/compose.ts';
import type { Rooms } from '../../../daemon/services/rooms.ts';
import { systemClock } from '../../../src/base/clock.ts';
import { MINUTE_MS } from '../../../src/base/durations.ts';
import { silentLogger } from '../../../src/base/logger.ts';
import { CLUSTERS_FORMAT, openClusterFile } from '../../../src/cluster/engine/cluster-file.ts';
import type { Config } from '../../../src/config/config.ts';
import { type Home, resolveHome } from '../../../src/config/home.ts';
import { loadConfig } from '../../../src/config/load.ts';
import { STORE_FORMAT } from '../../../src/engine/schema/schema.ts';
import { openIdentityFile } from '../../../src/identity/identity-file.ts';
import { IDENTITY_FORMAT } from '../../../src/identity/schema.ts';
import type { Mirror } from '../../../src/mirror/mirror.ts';
import { STATE_FORMAT } from '../../../src/mirror/state/state-schema.ts';
import type { BaselineEntry } from '../../../src/mirror/model/types.ts';
import { openStateFile } from '../../../src/mirror/state/state-file.ts';
import { openMonitoringFile } from '../../../src/monitoring/monitoring-file.ts';
import { MONITORING_FORMAT } from '../../../src/monitoring/schema.ts';
import { fixtureNames, formatOf, readFixture, setFormat, unpack } from '../../formats/fixture.ts';
import { DATABASES, type HomeFixture, MANY, NOTES } from '../../formats/home-fixture.ts';
import { ShiftedClock } from '../../helpers/shifted-clock.ts';
import { temporaryFolder } from '../../helpers/temporary-folder.ts';
import { until } from '../../helpers/until.ts';

const NEWEST: Readonly<Record<string, number>> = {
  store: STORE_FORMAT,
  state: STATE_FORMAT,
  identity: IDENTITY_FORMAT,
  monitoring: MONITORING_FORMAT,
  clusters: CLUSTERS_FORMAT,
};

const PATIENCE_MS = 10_000;
/** Homes of early releases whose processes ended during a file move and a conflict. */
const EARLIEST: ReadonlySet<string> = new Set(['home-01', 'home-02']);

interface OldHome {
  readonly fixture: HomeFixture;
  readonly folder: string;
  readonly home: Home;
}

function unpacked(name: string): OldHome {
  const fixture = readFixture(name) as HomeFixture;
  const folder = temporaryFolder('hf-format');
  unpack(fixture, folder);
  mkdirSync(join(folder, NOTES), { recursive: true });
  // Replaces the recorded path of the job's folder by its path on this machine, so that the job
  // does not detect a move.
  const place = join(folder, `home/state/jobs/${NOTES}/place.json`);
  writeFileSync(place, readFileSync(place, 'utf8').replace(fixture.folder, folder));
  if (!EARLIEST.has(name)) restoreAttributes(folder);
  return {
    fixture,
    folder,
    home: resolveHome({ homeFlag: join(folder, 'home'), env: {}, cwd: folder }),
  };
}

/**
 * Restores the file modes and modification times that the job recorded, because a fixture has none.
 */
function restoreAttributes(folder: string): void {
  const state = new Database(join(folder, 'home', DATABASES.state), { readonly: true });
  const known = state.prepare<[], Pick<BaselineEntry, 'path' | 'mode' | 'mtimeMs'>>(
    'SELECT folder || name AS path, mode, mtime_ms AS mtimeMs FROM baseline',
  );
  for (const { path, mode, mtimeMs } of known.iterate()) {
    const file = join(folder, NOTES, path);
    if (!existsSync(file)) continue;
    chmodSync(file, mode);
    utimesSync(file, mtimeMs / 1_000, mtimeMs / 1_000);
  }
  state.close();
}

async function opened({ fixture, home }: OldHome) {
  const clock = new ShiftedClock();
  // The clock starts one minute after the home was closed, so that nothing is due because of its
  // age.
  clock.jump(fixture.madeAt + MINUTE_MS - systemClock.now());
  const config = await loadConfig(home);
  const logger = { ...silentLogger, area: () => silentLogger };
  const rooms = await compose({ home, config, clock, logger });
  let isOpen = true;
  const close = async () => {
    if (isOpen) await rooms.close();
    isOpen = false;
  };
  onTestFinished(close);
  return { rooms, config, close };
}

async function openJob(rooms: Rooms, config: Config): Promise<Mirror> {
  const [job] = config.jobs;
  if (!job) throw new Error('open job: config.yaml has none');
  const { store } = rooms;
  const hooks = { onChange: () => undefined, onActivity: () => undefined };
  const place = { config: job, target: undefined, service: store, store };
  const mirror = await rooms.openJob(place, hooks);
  onTestFinished(async () => void (await mirror.close()));
  return mirror;
}

/** Returns the versions of the job's files, without Holdfast's internal objects. */
async function versionsOf({ store }: Rooms): Promise<string[]> {
  const { versions } = await store.listVersions({ bucket: NOTES });
  const ofFiles = versions.filter(({ key }) => !key.startsWith('.holdfast/'));
  return ofFiles.map(({ key, versionId }) => `${key} ${versionId}`);
}

describe.each(fixtureNames('home'))('%s', (name) => {
  it('Holdfast opens the home folder of an earlier release, and its job keeps all versions and all changes held for review', async () => {
    const old = unpacked(name);
    const { formats, contents } = old.fixture;
    const { rooms, config, close } = await opened(old);
    const { storage, jobs } = config;
    expect([storage.port, jobs]).toMatchObject([0, [{ name: NOTES, lock: { days: 30 } }]]);
    const keys = rooms.identity.keys.listKeys();
    // The user who runs the test may be new to the home and then gets a first key.
    expect(keys.length).toBeGreaterThanOrEqual(contents.keys);
    expect(rooms.monitoring.alarms().length).toBe(formats['monitoring'] ? 1 : 0);
    const clusters = await rooms.clusters.service().listClusters({});
    expect(clusters.clusters.length).toBe(formats['clusters'] ? 1 : 0);

    const before = await versionsOf(rooms);
    const mirror = await openJob(rooms, config);
    // The user must accept the root folder, because this machine is not the one on which the home
    // was created.
    mirror.acceptRoot();
    mirror.start();
    await mirror.ownership.takeOver(AbortSignal.timeout(PATIENCE_MS));
    await mirror.settled(AbortSignal.timeout(PATIENCE_MS));
    // Retries may still be in progress after the sync round.
    const { counts, state, problems } = await until(
      () => mirror.status(),
      (status) => status.state !== 'mirroring',
    );
    // The first fixture stores its blobs two folder levels deep. No release reads such folders.
    const others = problems.filter(({ code }) => name !== 'home-01' || code !== 'damaged');
    expect({ state, problems: others }).toEqual({ state: 'held', problems: [] });
    expect(counts).toMatchObject({ held: MANY + 1, conflicts: 1, foreign: 0 });
    // `files` counts existing files and files whose deletes are held for review.
    expect(counts.files).toBe(3 + MANY + 1);
    const after = await versionsOf(rooms);
    expect(after).toEqual(expect.arrayContaining(before));
    // The job uploads no file again.
    if (!EARLIEST.has(name)) expect(after).toHaveLength(before.length);
    await mirror.close();
    await close();
    for (const [kind, path] of Object.entries(DATABASES))
      expect([kind, formatOf(join(old.home.dataDir, '..', path))]).toEqual([kind, NEWEST[kind]]);
  });
});

const OPENERS = {
  state: (path) => openStateFile(path),
  identity: (path) => openIdentityFile(path),
  monitoring: (path) => openMonitoringFile(path),
  clusters: (path) => openClusterFile(path),
} satisfies Record<string, (path: string) => unknown>;

describe('databases that a later release wrote', () => {
  it.each(Object.entries(OPENERS))(
    'Holdfast refuses a %s database that a later release wrote',
    (kind, open) => {
      const { folder } = unpacked(fixtureNames('home').at(-1) ?? '');
      const path = join(folder, 'home', DATABASES[kind as keyof typeof OPENERS]);
      const later = (NEWEST[kind] ?? 0) + 1;
      setFormat(path, later);
      const before = readFileSync(path);
      expect(() => open(path)).toThrow(new RegExp(`(version|format) ${later}.*use (that|a newer)`));
      expect(readFileSync(path).equals(before)).toBe(true);
    },
  );
});
