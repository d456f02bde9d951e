/**
 * Tests of a store that was restored from a snapshot or lost its last writes. The job must upload newer files and
 * report the rollback.
 */

import { cpSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, test } from 'vitest';

import { systemClock } from '../../src/base/clock.ts';
import { silentLogger } from '../../src/base/logger.ts';
import { openEngine } from '../../src/engine/engine.ts';
import { bytesBody } from '../../src/object-store/body.ts';
import { internalCaller } from '../../src/object-store/caller.ts';
import type { ObjectStore } from '../../src/object-store/object-store.ts';
import { laterMillisecond } from '../helpers/later-time.ts';
import { type MirrorBench, openMirrorBench } from '../helpers/mirror-bench.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';

const BUCKET = 'mirrored';
const FILES = 10;
const { signal } = new AbortController();

/** Copies the whole store, or only its database files and the file `opening` as after a crash. */
function copyStore(from: string, to: string, isWhole: boolean): void {
  const isCopied = (name: string) => isWhole || /^(store\.sqlite(-wal|-shm)?|opening)$/.test(name);
  for (const name of readdirSync(to).filter(isCopied)) rmSync(join(to, name), { recursive: true });
  for (const name of readdirSync(from).filter(isCopied))
    if (!name.endsWith('-shm')) cpSync(join(from, name), join(to, name), { recursive: true });
}

/**
 * Backs up two generations of files, and restores the store to its state after the first generation.
 */
async function rolledBack({ versioned = true, isWhole = true } = {}) {
  const [dir, snapshot] = [temporaryFolder('store'), temporaryFolder('snapshot')];
  const open = async () => {
    const options = { dir, clock: systemClock, logger: silentLogger, region: 'us-east-1' };
    const engine = await openEngine(options);
    const user = {
      kind: 'user',
      project: 'p',
      user: 'u',
      customer: 'c',
      fullAccess: true,
    } as const;
    return { engine, store: engine.as(internalCaller(user, Date.now())) };
  };
  let { engine, store } = await open();
  await store.createBucket({ bucket: BUCKET, objectLockEnabled: versioned });
  // Closes only the newest engine, because the others are closed already.
  const close = () => engine.close();
  const service = { store: latest(() => store), bucket: BUCKET, close };
  const bench = await openMirrorBench({ service });
  const write = (generation: string, names: readonly number[]) => {
    for (const name of names) writeFileSync(join(bench.root, `f${name}`), `${generation} ${name}`);
  };
  const all = [...Array.from({ length: FILES }).keys()];
  write('first', all);
  const before = await bench.open();
  await before.settled();
  await before.close();
  await engine.close();
  if (isWhole) copyStore(dir, snapshot, isWhole);
  ({ engine, store } = await open());
  // All later writes to the database log are lost.
  if (!isWhole) copyStore(dir, snapshot, isWhole);
  await laterMillisecond();
  write('second', all);
  write('new', [FILES]);
  const mirror = await bench.open();
  await mirror.settled();
  await mirror.close();
  await engine.close();
  copyStore(snapshot, dir, isWhole);
  ({ engine, store } = await open());
  return { bench, write, expected: bench.tree() };
}

/** Returns a store that forwards each call to the store that is currently open. */
function latest(store: () => ObjectStore): ObjectStore {
  return new Proxy({} as ObjectStore, {
    get: (_, name) => {
      const now = store();
      const member: unknown = now[name as keyof ObjectStore];
      return typeof member === 'function' ? member.bind(now) : member;
    },
  });
}

async function openAgain(bench: MirrorBench) {
  const mirror = await bench.open();
  await mirror.settled();
  expect(mirror.status()).toMatchObject({
    reason: expect.stringContaining('one machine is a copy of the other'),
  });
  await mirror.ownership.takeOver(signal);
  await mirror.settled();
  return mirror;
}

describe.each([
  ['was restored from a snapshot', true],
  ['lost its last writes', false],
])('a store that %s', (_what, isWhole) => {
  test.each([
    ['with versions', true],
    ['without versions', false],
  ])(
    'a job uploads newer files to a rolled-back bucket %s after the user takes over the destination',
    async (_kind, versioned) => {
      const { bench, expected } = await rolledBack({ versioned, isWhole });
      const mirror = await openAgain(bench);
      expect(await bench.heads()).toEqual(expected);
      const { inSync, counts, warnings } = mirror.status();
      expect({ inSync, drifted: counts.drifted, conflicts: counts.conflicts }).toEqual({
        inSync: true,
        drifted: 0,
        conflicts: 0,
      });
      const lost = `lost the newest versions of ${versioned ? FILES + 1 : FILES} files that this job uploaded`;
      expect(warnings).toContainEqual(expect.stringContaining(lost));
      const logged = bench.activities.filter(({ action }) => action === 'outdated');
      expect(logged).toMatchObject([{ level: 'warn', message: expect.stringContaining(lost) }]);
      expect(bench.activities.filter(({ action }) => action === 'drifted')).toEqual([]);
    },
  );
});

test('a job uploads a file that changed after the rollback of the store, without a conflict', async () => {
  const { bench, write } = await rolledBack();
  write('third', [0]);
  const mirror = await openAgain(bench);
  expect(await bench.history('f0')).toEqual(['put first 0', 'put third 0']);
  expect(mirror.status().counts.conflicts).toBe(0);
});

test('a job keeps the object of a file that was deleted after the rollback of the store, and logs it', async () => {
  const { bench } = await rolledBack();
  rmSync(join(bench.root, 'f0'));
  await openAgain(bench);
  expect(await bench.history('f0')).toEqual(['put first 0']);
  expect(bench.activities).toContainEqual(
    expect.objectContaining({ action: 'outdated and deleted', path: 'f0' }),
  );
});

describe('older versions that another client made current again', () => {
  test.each([
    ['with versions', true],
    ['without versions', false],
  ])(
    'a job reports an older version that another client made current as drift and keeps it, in a bucket %s',
    async (_kind, versioned) => {
      const bench = await openMirrorBench({ versioned });
      const { root, store, bucket } = bench;
      writeFileSync(join(root, 'f'), 'first');
      const mirror = await bench.open();
      await mirror.settled();
      const { info } = await store.headObject({ bucket, key: 'f' });
      await laterMillisecond();
      writeFileSync(join(root, 'f'), 'second');
      await mirror.settled();
      await laterMillisecond();
      const attributes = { metadata: info.metadata ?? {} };
      await store.putObject({ bucket, key: 'f', body: bytesBody('first'), attributes });
      await mirror.runNow();
      expect(mirror.status().counts.drifted).toBe(1);
      expect(await bench.heads()).toEqual({ f: 'first' });
    },
  );
});
