/**
 * Tests of stores whose process was killed at a fail point, for every fail point. Acknowledged writes must survive, and other
 * writes must be complete or absent.
 */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, expect, test } from 'vitest';

import { defined } from '../../src/base/defined.ts';
import { invariant } from '../../src/base/errors.ts';
import type { CommandName } from '../../src/engine/writes/commands/commands.ts';
import { type Crash, FAIL_POINTS, type FailPoint } from '../../src/engine/disk/faults.ts';
import type { ObjectRef, ObjectStore } from '../../src/object-store/object-store.ts';
import { isStorageError } from '../../src/object-store/storage-error.ts';
import {
  type Acknowledged,
  blockOfStep,
  BULK_OBJECTS,
  crash,
  EXPIRING_OBJECTS,
  grantOfStep,
  inconsistencies,
  keysOf,
  nameOfBody,
  policyOfStep,
  preparationOf,
} from '../helpers/engine-crash.ts';
import { blobFiles, temporaryFiles } from '../helpers/store-files.ts';
import { openTestEngine, readBytes } from '../helpers/test-engine.ts';

/**
 * For each command, the number of the commit at which the process is killed, counted from 1.
 */
const COMMANDS: Readonly<Record<CommandName, number>> = {
  createBucket: 3,
  deleteBucket: 2,
  putVersioning: 2,
  putBucketConfig: 1,
  putBucketQuota: 1,
  putProjectQuota: 1,
  putBucketAcl: 2,
  putObjectAcl: 2,
  putBucketPolicy: 3,
  putPublicAccessBlock: 2,
  putLockConfiguration: 3,
  putRetention: 2,
  putLegalHold: 2,
  putObjectTags: 2,
  putObject: 12,
  putObjects: 3,
  copyObject: 8,
  deleteObject: 8,
  createUpload: 3,
  putPart: 4,
  completeUpload: 1,
  abortUpload: 1,
  forgetGarbage: 3,
  quarantine: 1,
  endQuarantine: 1,
  healVersion: 1,
  saveScrub: 1,
  saveTrustedTime: 1,
  runLifecycle: 2,
  repairTables: 1,
};

/**
 * The passes of a fail point at which the test kills the process. The default is the first pass. At a later pass, the
 * store already contains data. A migration passes its points only while the store is opened.
 */
const PASSES: Partial<Readonly<Record<FailPoint, readonly number[]>>> = {
  'after-migration-step': [1, 3],
  'after-migration': [1, 2],
  'after-tmp-create': [9],
  'after-tmp-write': [12],
  'after-tmp-sync': [15],
  'after-folder-make': [8],
  'after-rename': [14],
  'after-folder-sync': [16],
  'before-unlink': [6],
  'after-unlink': [7],
};

/**
 * Commands that change only rows of the database, and no file. After a kill before the commit, SQLite undoes the
 * changes of each of them as it undoes those of `createBucket`. The test therefore kills the process only after the
 * commit.
 */
const ROWS_ONLY: ReadonlySet<string> = new Set<CommandName>([
  'putVersioning',
  'putBucketConfig',
  'putBucketQuota',
  'putProjectQuota',
  'putBucketAcl',
  'putObjectAcl',
  'putPublicAccessBlock',
  'putLockConfiguration',
  'putRetention',
  'putLegalHold',
  'putObjectTags',
  'createUpload',
  'saveScrub',
  'saveTrustedTime',
]);

const ofCommits = Object.entries(COMMANDS).flatMap(([command, pass]) =>
  (ROWS_ONLY.has(command)
    ? (['after-commit'] as const)
    : (['before-commit', 'after-commit'] as const)
  ).map((point) => ({ point, command, pass })),
);
const ofSteps = FAIL_POINTS.filter((point) => !point.endsWith('-commit')).flatMap((point) =>
  (PASSES[point] ?? [1]).map((pass) => ({ point, command: undefined, pass })),
);
const PLANS: readonly Crash[] = [...ofSteps, ...ofCommits];

const folder = mkdtempSync(join(tmpdir(), 'engine-crash-'));
const crashes = PLANS.map((plan, index) => ({
  ...plan,
  dir: join(folder, String(index)),
  acknowledged: Promise.withResolvers<Acknowledged>(),
}));
const ended = crashThemAll();
afterAll(async () => {
  await ended;
  rmSync(folder, { recursive: true });
});

/** Runs the processes one after the other. The tests check the stores of a process while the next one runs. */
async function crashThemAll(): Promise<void> {
  const lives = Map.groupBy(crashes, preparationOf);
  for (const [number, plans] of [...lives.values()].entries()) {
    await crash(join(folder, `life${number}`), plans, (crashed, acknowledged) =>
      plans[crashed]?.acknowledged.resolve(acknowledged),
    );
    for (const { acknowledged } of plans)
      acknowledged.reject(new Error('the process ended without the fail point'));
  }
}

test.each(
  PLANS.map(
    ({ point, command, pass }, index) => [point, command ?? 'a life', pass, index] as const,
  ),
)(
  'a store keeps all acknowledged writes if its process is killed at the fail point %s of %s (pass %i)',
  async (_point, _of, pass, index) => {
    const crashed = crashes[index];
    invariant(crashed, 'every plan is carried out');
    const { dir } = crashed;
    const acknowledged = await crashed.acknowledged.promise;
    // Up to pass 5, the process may not have acknowledged any put yet.
    if (pass > 5) expect(acknowledged.put.length).toBeGreaterThan(0);

    const { engine, store } = await openTestEngine({ dir });
    expect((await engine.sweep()).damaged).toEqual([]);
    for (const each of acknowledged.put) await expectKept(store, each, acknowledged);
    for (const { body: _, ...version } of acknowledged.locked) await expectLocked(store, version);
    await expectGranted(store, acknowledged.granted);
    await expectUndivided(store);
    await expectWhole(store);
    await engine.close();
    expect(inconsistencies(dir, blobFiles(dir))).toEqual([]);
    expect(temporaryFiles(dir)).toEqual([]);
  },
);

const RUNS = PLANS.flatMap(({ command, point }, index) =>
  command === 'runLifecycle' ? ([[point, index]] as const) : [],
);

test.each(RUNS)(
  '[lc-57] a lifecycle run whose process is killed at the fail point %s resumes where it stopped',
  async (_, index) => {
    const { engine, store } = await openTestEngine({ dir: join(folder, String(index)) });
    expect(engine.lifecycle.runs(9)).toMatchObject([{ runId: 1, finishedAt: null }]);
    // The lifecycle run skips no object and processes none twice. Its totals include the work of the
    // killed process.
    const done = { runId: 1, expired: EXPIRING_OBJECTS, looked: EXPIRING_OBJECTS };
    expect(await engine.lifecycle.run()).toMatchObject(done);
    expect((await store.listVersions({ bucket: 'expiring' })).versions).toEqual([]);
  },
);

async function expectKept(
  store: ObjectStore,
  { bucket, key, versionId, body }: Acknowledged['put'][number],
  { removed }: Acknowledged,
): Promise<void> {
  const found = await bodyFound(store, { bucket, key, versionId });
  const index = Number(body.slice(1));
  if (versionId === undefined) {
    // An unacknowledged put may have replaced the object, and an unacknowledged delete may have removed the copy.
    if (found !== 'NoSuchKey') expect(Number(found?.slice(1))).toBeGreaterThanOrEqual(index);
    else expect(key).toContain('copy');
  } else if (removed.some((each) => each.versionId === versionId)) {
    expect(found).toBe('NoSuchVersion');
  } else if (found !== 'NoSuchVersion' || index % 5 !== 0) {
    expect(found).toBe(body);
  }
}

async function expectLocked(store: ObjectStore, version: ObjectRef): Promise<void> {
  const removed = store.deleteObject({ ...version, bypassGovernance: true });
  await expect(removed).rejects.toMatchObject({ code: 'AccessDenied' });
}

/** Expects that each bulk write, acknowledged or not, is stored as a whole or not at all. */
async function expectUndivided(store: ObjectStore): Promise<void> {
  const bucket = 'bulk';
  if (!(await store.listBuckets()).some(({ name }) => name === bucket)) return;
  const { objects } = await store.listObjects({ bucket });
  const written = Map.groupBy(objects, ({ key }) => key.split('/')[0]);
  for (const each of written.values()) expect(each).toHaveLength(BULK_OBJECTS);
}

/**
 * Expects that each ACL and policy is the result of the last acknowledged step or of the step in
 * progress.
 */
async function expectGranted(store: ObjectStore, step: number): Promise<void> {
  if (step === 0) return;
  const shared = { bucket: 'shared', key: 'k1' };
  const either = (of: (step: number) => unknown) => [of(step), of(step + 1)];
  expect(either(grantOfStep)).toContainEqual((await store.getBucketAcl(shared)).grants[0]);
  expect(either(grantOfStep)).toContainEqual((await store.getObjectAcl(shared)).grants[0]);
  expect(either(policyOfStep)).toContainEqual(await store.getBucketPolicy(shared));
  expect(either(blockOfStep)).toContainEqual(await store.getPublicAccessBlock(shared));
}

async function bodyFound(
  store: ObjectStore,
  { versionId, ...ref }: { bucket: string; key: string; versionId: string | undefined },
): Promise<string | undefined> {
  try {
    const keys = ref.bucket === 'versions' || ref.bucket === 'plain' ? keysOf(ref.key) : {};
    const asked = defined({ ...ref, ...keys, versionId });
    return nameOfBody(await readBytes(store, asked));
  } catch (error) {
    if (isStorageError(error)) return error.code;
    throw error;
  }
}

/** Expects that every stored version, acknowledged or not, has a complete body. */
async function expectWhole(store: ObjectStore): Promise<void> {
  for (const { name: bucket } of await store.listBuckets()) {
    const { versions } = await store.listVersions({ bucket });
    for (const { kind, key, versionId } of versions) {
      if (kind === 'version')
        expect(await bodyFound(store, { bucket, key, versionId })).toMatch(/^[km]/);
    }
  }
}
