/**
 * Tests that a damaged object, however the damage is detected, is repaired from its file or reported as a
 * problem.
 */

import {
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  truncateSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';

import { describe, expect, test } from 'vitest';

import { systemClock } from '../../src/base/clock.ts';
import { silentLogger } from '../../src/base/logger.ts';
import type { Mirror } from '../../src/mirror/mirror.ts';
import type { VerifyRow } from '../../src/verification/verify.ts';
import { restoreTree } from '../../src/restore/restore.ts';
import { collect } from '../../src/object-store/body.ts';
import type { ObjectStore } from '../../src/object-store/object-store.ts';
import { laterMillisecond } from '../helpers/later-time.ts';
import { blobFiles, blobPath } from '../helpers/store-files.ts';
import { type MirrorBench, openMirrorBench } from '../helpers/mirror-bench.ts';
import { patternBytes } from '../helpers/test-engine.ts';
import { until } from '../helpers/until.ts';

const SIZE = 200_000;
const LIMIT = 64 * 1024 ** 2;

const DAMAGES = {
  'a flipped byte': (path: string) => {
    const bytes = readFileSync(path);
    bytes[SIZE / 2] = (bytes[SIZE / 2] ?? 0) ^ 1;
    writeFileSync(path, bytes);
  },
  'a missing file': unlinkSync,
  'a truncated file': (path: string) => truncateSync(path, SIZE / 2),
  'an empty file': (path: string) => truncateSync(path, 0),
};

interface Damaged {
  readonly bench: MirrorBench;
  readonly mirror: Mirror;
}

const FINDERS: Readonly<Record<string, (damaged: Damaged) => Promise<unknown>>> = {
  'verify --read-back': ({ mirror }) => rowsOf(mirror, LIMIT),
  'a restore test': ({ mirror }) => mirror.verification.drill(new AbortController().signal),
  "the store's scrub": ({ bench }) => bench.engine?.upkeep.scrub() ?? Promise.reject(new Error()),
  'a GET of another client': async ({ bench }) => {
    for (const key of ['big', 'other']) await read(bench, key).catch(() => undefined);
  },
  'a restore': ({ bench }) =>
    restoreTree({
      store: bench.store,
      bucket: bench.bucket,
      prefix: '',
      to: join(bench.home, 'restored'),
      clock: systemClock,
      logger: silentLogger,
    }),
};

/** Backs up two files that have a blob each, and a small file without a blob. */
async function mirrored(): Promise<Damaged> {
  const bench = await openMirrorBench({ ownStore: true });
  writeFileSync(join(bench.root, 'big'), patternBytes(SIZE));
  writeFileSync(join(bench.root, 'other'), patternBytes(SIZE, 2));
  writeFileSync(join(bench.root, 'small'), 'small');
  const mirror = await bench.open();
  await mirror.settled();
  // The test waits, because verification skips objects that were written after it started.
  await laterMillisecond();
  return { bench, mirror };
}

function damageAll({ home }: MirrorBench, damage: (path: string) => void): void {
  const dir = join(home, 'store');
  for (const file of blobFiles(dir)) damage(blobPath(dir, file));
}

async function read({ store, bucket }: MirrorBench, key: string, versionId?: string) {
  const ref = { bucket, key, ...(versionId !== undefined && { versionId }) };
  const { body } = await store.getObject(ref);
  return Buffer.from(await collect(body, LIMIT));
}

async function versionsOf({ store, bucket }: MirrorBench, key: string): Promise<string[]> {
  const { versions } = await store.listVersions({ bucket, prefix: key });
  return versions.flatMap((each) => (each.key === key ? [each.versionId] : []));
}

async function rowsOf(mirror: Mirror, readBackBytes?: number): Promise<VerifyRow[]> {
  const rows: VerifyRow[] = [];
  const options = readBackBytes === undefined ? {} : { readBackBytes };
  for await (const row of mirror.verification.verify(options))
    if (row.is === 'finding') rows.push(row);
  return rows;
}

function problemsOf(mirror: Mirror): string[] {
  return mirror.status().problems.map(({ code, path }) => `${code} ${path}`);
}

const ALL = Object.entries(DAMAGES).flatMap(([what, damage]) =>
  Object.entries(FINDERS).map(([finder, find]) => ({ what, damage, finder, find })),
);
/**
 * Each kind of damage with two or three ways to detect it, and each way with two kinds of damage.
 */
const CASES = ALL.filter((_, index) => index % 2 === 0);

describe.each(CASES)('repairable damage: $what that $finder found', ({ damage, find }) => {
  test('a job repairs a damaged object at once from its file, and makes its earlier version readable again', async () => {
    const { bench, mirror } = await mirrored();
    damageAll(bench, damage);
    await find({ bench, mirror });
    await mirror.settled();
    expect(mirror.status()).toMatchObject({ inSync: true, problems: [] });
    for (const [key, seed] of Object.entries({ big: 1, other: 2 })) {
      const versions = await versionsOf(bench, key);
      expect(versions).toHaveLength(2);
      for (const versionId of versions)
        expect((await read(bench, key, versionId)).equals(patternBytes(SIZE, seed))).toBe(true);
    }
    expect(await versionsOf(bench, 'small')).toHaveLength(1);
    expect(bench.engine?.upkeep.health()).toMatchObject({ state: 'in order' });
    expect(await rowsOf(mirror, LIMIT)).toEqual([]);
  });
});

// Selects some combinations, so that each kind of damage is detected in a different way.
const SOME = ALL.filter((_, index) => index % 6 === 1);

describe.each(SOME)(
  'damage without an intact copy: $what that $finder found',
  ({ damage, find }) => {
    test('a job reports a damaged object and how to repair it if its file is missing or changed', async () => {
      const { bench, mirror } = await mirrored();
      rmSync(join(bench.root, 'big'));
      writeFileSync(join(bench.root, 'other'), 'changed');
      mirror.pause();
      damageAll(bench, damage);
      await find({ bench, mirror });
      await mirror.settled();
      await until(
        () => problemsOf(mirror),
        (problems) => problems.length === 2,
      );
      expect(problemsOf(mirror)).toEqual(['damaged big', 'damaged other']);
      expect(mirror.status().inSync).toBe(false);
      const [big] = mirror.status().problems;
      expect(big?.message).toContain('put a copy of it into the folder');
      expect(big?.message).not.toContain('ENOENT');
      mirror.resume();
      await mirror.settled();
      // The damaged objects are earlier versions by now, and no copy of their content exists.
      expect(problemsOf(mirror)).toEqual(['damaged big', 'damaged other']);
      expect(mirror.status().inSync).toBe(false);
      expect((await rowsOf(mirror)).map((row) => row.is === 'finding' && row.path)).toEqual([
        'big',
        'other',
      ]);
    });
  },
);

test('verify --read-back continues after a damaged object, and reports all damaged objects with their version ids', async () => {
  const { bench, mirror } = await mirrored();
  const versionIds = [...(await versionsOf(bench, 'big')), ...(await versionsOf(bench, 'other'))];
  mirror.pause();
  damageAll(bench, DAMAGES['a missing file']);
  const rows = await rowsOf(mirror, LIMIT);
  expect(rows).toMatchObject([
    { code: 'damaged', path: 'big', versionId: versionIds[0] },
    { code: 'damaged', path: 'other', versionId: versionIds[1] },
  ]);
});

test('a job with a damaged object is not in sync, and verify and the queue list the object', async () => {
  const { bench, mirror } = await mirrored();
  mirror.pause();
  damageAll(bench, DAMAGES['an empty file']);
  await read(bench, 'big').catch(() => undefined);
  await until(
    () => problemsOf(mirror),
    (problems) => problems.length > 0,
  );
  const status = mirror.status();
  expect(status).toMatchObject({ inSync: false, counts: { problems: 1 }, proof: { damaged: 1 } });
  expect(status.problems[0]?.message).toContain('is uploaded again as a new version');
  expect(await rowsOf(mirror)).toMatchObject([{ code: 'damaged', path: 'big' }]);
  expect(mirror.work.queue({ limit: 10, reason: 'error' }).rows).toMatchObject([{ path: 'big' }]);
  mirror.resume();
  await mirror.settled();
  expect(mirror.status()).toMatchObject({ inSync: true, problems: [] });
});

test('a job repairs an object whose damage was detected before a restart', async () => {
  const { bench, mirror } = await mirrored();
  mirror.pause();
  damageAll(bench, DAMAGES['a missing file']);
  await read(bench, 'other').catch(() => undefined);
  await until(
    () => problemsOf(mirror),
    (problems) => problems.length > 0,
  );
  const again = await bench.open();
  await again.settled();
  expect(again.status()).toMatchObject({ inSync: true, problems: [] });
  expect(await versionsOf(bench, 'other')).toHaveLength(2);
});

test('a job uploads a touched or rewritten file if its object is damaged, even if the content is unchanged', async () => {
  const { bench, mirror } = await mirrored();
  mirror.pause();
  damageAll(bench, DAMAGES['a truncated file']);
  for (const key of ['big', 'other']) await read(bench, key).catch(() => undefined);
  utimesSync(join(bench.root, 'big'), 1_000, 1_000);
  writeFileSync(join(bench.root, 'other'), patternBytes(SIZE, 2));
  mirror.resume();
  await mirror.settled();
  expect(mirror.status()).toMatchObject({ inSync: true, problems: [] });
  expect((await read(bench, 'big')).equals(patternBytes(SIZE))).toBe(true);
  expect((await read(bench, 'other')).equals(patternBytes(SIZE, 2))).toBe(true);
});

test('a job uploads a renamed file instead of copying its damaged object', async () => {
  const { bench, mirror } = await mirrored();
  mirror.pause();
  damageAll(bench, DAMAGES['a flipped byte']);
  await read(bench, 'big').catch(() => undefined);
  renameSync(join(bench.root, 'big'), join(bench.root, 'renamed'));
  mirror.resume();
  await mirror.settled();
  expect((await read(bench, 'renamed')).equals(patternBytes(SIZE))).toBe(true);
  expect(mirror.status().problems).toEqual([]);
});

test('a job uploads a file that the user restored if its object is damaged', async () => {
  const { bench, mirror } = await mirrored();
  rmSync(join(bench.root, 'big'));
  await mirror.settled();
  damageAll(bench, DAMAGES['a missing file']);
  await bench.engine?.upkeep.scrub();
  await mirror.settled();
  expect(problemsOf(mirror)).toEqual(['damaged big']);
  writeFileSync(join(bench.root, 'big'), patternBytes(SIZE));
  await mirror.settled();
  expect((await read(bench, 'big')).equals(patternBytes(SIZE))).toBe(true);
  expect(mirror.status()).toMatchObject({ inSync: true, problems: [] });
});

test('a job reports and repairs every object that shares the same damaged content', async () => {
  const { bench, mirror } = await mirrored();
  mkdirSync(join(bench.root, 'd'));
  writeFileSync(join(bench.root, 'd/copy'), patternBytes(SIZE));
  await mirror.settled();
  mirror.pause();
  damageAll(bench, DAMAGES['a flipped byte']);
  await read(bench, 'big').catch(() => undefined);
  await until(
    () => problemsOf(mirror),
    (problems) => problems.length > 1,
  );
  expect(problemsOf(mirror)).toEqual(['damaged big', 'damaged d/copy']);
  mirror.resume();
  await mirror.settled();
  expect(mirror.status()).toMatchObject({ inSync: true, problems: [] });
});

test('a job repairs all parts of a damaged multipart object', async () => {
  const { bench, mirror } = await mirrored();
  const bytes = patternBytes(20 * 1024 ** 2, 3);
  writeFileSync(join(bench.root, 'large'), bytes);
  await mirror.settled();
  damageAll(bench, DAMAGES['a flipped byte']);
  const { signal } = new AbortController();
  await mirror.verification.drill(signal);
  await rowsOf(mirror, LIMIT);
  await mirror.settled();
  expect(mirror.status()).toMatchObject({ inSync: true, problems: [] });
  const versions = await versionsOf(bench, 'large');
  for (const versionId of versions)
    expect((await read(bench, 'large', versionId)).equals(bytes)).toBe(true);
});

/** Returns a remote service that reports no damage, but returns wrong bytes for versions that `isBad` selects. */
function rotting(
  store: ObjectStore,
  isBad: (key: string, versionId: string | undefined) => boolean,
): ObjectStore {
  return new Proxy(store, {
    get(target, name: keyof ObjectStore) {
      if (name !== 'getObject') {
        const method: unknown = target[name];
        return typeof method === 'function' ? method.bind(target) : method;
      }
      return async (...call: Parameters<ObjectStore['getObject']>) => {
        const content = await target.getObject(...call);
        if (!isBad(call[0].key, content.info.versionId ?? call[0].versionId)) return content;
        const { bytes: _, ...rest } = content;
        return { ...rest, body: flipped(content.body) };
      };
    },
  });
}

async function* flipped(body: AsyncIterable<Uint8Array>) {
  for await (const chunk of body) yield chunk.map((byte) => byte ^ 1);
}

describe('a damaged object on a remote service', () => {
  test.each(['verify --read-back', 'a restore test'])(
    'a job uploads a file whose damaged object was found by %s, and counts the damaged earlier version',
    async (finder) => {
      const { bench } = await mirrored();
      const bad = await versionsOf(bench, 'big');
      const store = rotting(bench.store, (_, versionId = '') => bad.includes(versionId));
      const mirror = await bench.open({ store, isRemote: true });
      await mirror.settled();
      await FINDERS[finder]?.({ bench, mirror });
      await mirror.settled();
      expect(mirror.status()).toMatchObject({
        inSync: true,
        problems: [],
        proof: { damaged: 0, damagedEarlier: 1 },
      });
      expect(await versionsOf(bench, 'big')).toHaveLength(2);
      expect(await versionsOf(bench, 'other')).toHaveLength(1);
    },
  );

  test('a job uploads a file again at most three times if the service damages every version, and then reports a problem', async () => {
    const { bench } = await mirrored();
    const store = rotting(bench.store, (key) => key === 'big');
    const mirror = await bench.open({ store, isRemote: true });
    await mirror.settled();
    await rowsOf(mirror, LIMIT);
    await until(
      () => mirror.settled().then(() => mirror.status().problems),
      ([problem]) => problem?.message.includes('uploaded again 3 times') === true,
    );
    expect(await versionsOf(bench, 'big')).toHaveLength(4);
    await mirror.settled();
    expect(await versionsOf(bench, 'big')).toHaveLength(4);
    expect(mirror.status().inSync).toBe(false);
  });
});
