/**
 * Tests of server-side copies on services that ignore conditions on the copy source. The job verifies the copied
 * content.
 */

import { chmodSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import Database from 'better-sqlite3';
import { describe, expect, test } from 'vitest';

import { collect } from '../../src/object-store/body.ts';
import type { ObjectStore } from '../../src/object-store/object-store.ts';
import {
  type Fault,
  faultyStore,
  hangsAfterWriting,
  losesTheAnswer,
  slipsIn,
} from '../helpers/faulty-store.ts';
import { forgetfulStore, overriding } from '../helpers/forgetful-store.ts';
import { type MirrorBench, openMirrorBench } from '../helpers/mirror-bench.ts';
import { blobFiles, blobPath } from '../helpers/store-files.ts';
import { until } from '../helpers/until.ts';

interface Options {
  readonly versioned?: boolean;
  readonly lock?: {
    readonly mode: 'GOVERNANCE';
    readonly days: number;
    readonly refreshDays: number;
  };
}

async function mirrored(
  wrap: (store: ObjectStore) => ObjectStore,
  { versioned = false, ...job }: Options = {},
) {
  const bench = await openMirrorBench({ versioned });
  writeFileSync(join(bench.root, 'old'), 'content');
  writeFileSync(join(bench.root, 'other'), 'something else');
  const faulty = faultyStore(wrap(bench.store));
  const open = () => bench.open({ store: faulty.store, ...job });
  const mirror = await open();
  await mirror.settled();
  const before = faulty.calls.length;
  const called = (pattern: RegExp) =>
    faulty.calls.slice(before).filter((call) => pattern.test(call));
  return { bench, faulty, mirror, open, called };
}

const move = ({ root }: MirrorBench, from: string, to: string) =>
  renameSync(join(root, from), join(root, to));

/** Returns the content of all objects in a subfolder of `.holdfast/`, such as the saved conflict versions. */
async function savedIn({ store, bucket }: MirrorBench, folder: string): Promise<readonly string[]> {
  const { objects } = await store.listObjects({ bucket, prefix: `.holdfast/${folder}/` });
  const read = async (key: string) => {
    const { body } = await store.getObject({ bucket, key });
    return Buffer.from(await collect(body, 1_000)).toString();
  };
  return Promise.all(objects.map(({ key }) => read(key)));
}

/** Returns a store whose copyObject copies another object than the requested one. */
function wrongly(store: ObjectStore): ObjectStore {
  return overriding(store, {
    copyObject: (request, options) => {
      const source = { bucket: request.bucket, key: 'other' };
      return store.copyObject({ ...request, source, sourceConditions: {} }, options);
    },
  });
}

describe('copy sources that another client replaces just before the copy', () => {
  test('a job uploads a moved file if another client replaced its copy source just before the copy', async () => {
    const { bench, faulty, mirror, called } = await mirrored(forgetfulStore);
    const slip = slipsIn(() => bench.writeForeign('old', 'theirs!'));
    void faulty.inject({ on: 'copyObject', key: 'new', fault: slip });
    move(bench, 'old', 'new');
    await mirror.settled();
    expect((await bench.heads())['new']).toBe('content');
    expect(called(/^putObject new/)).toHaveLength(1);
    expect(mirror.status().problems).toEqual([]);
  });

  test.each<[string, Fault, boolean]>([
    ['with a lost response', losesTheAnswer, false],
    ['followed by a stop of the mirror', hangsAfterWriting, true],
  ])(
    'a job does not accept a replaced copy source as the moved file after a copy %s',
    async (_when, ends, restarts) => {
      const { bench, faulty, mirror, open } = await mirrored(forgetfulStore);
      const met = faulty.inject({
        on: 'copyObject',
        key: 'new',
        fault: async (call) => {
          await bench.writeForeign('old', 'theirs!');
          return ends(call);
        },
      });
      move(bench, 'old', 'new');
      await met;
      await (restarts ? await open() : mirror).settled();
      expect((await bench.heads())['new']).toBe('content');
    },
  );
});

describe('wrong server-side copies in a versioned bucket', () => {
  test('a job deletes its own wrong copy before it uploads the content', async () => {
    const { bench, mirror } = await mirrored(wrongly, { versioned: true });
    move(bench, 'old', 'new');
    await mirror.settled();
    expect(await bench.heads()).toEqual(bench.tree());
    expect(await bench.history('new')).toEqual(['put content']);
  });

  test('a job uploads the correct content over a wrong copy that Object Lock protects from deletion', async () => {
    const lock = { mode: 'GOVERNANCE', days: 1, refreshDays: 1 } as const;
    const { bench, mirror } = await mirrored(wrongly, { versioned: true, lock });
    move(bench, 'old', 'new');
    await mirror.settled();
    expect(await bench.heads()).toEqual(bench.tree());
    expect(await bench.history('new')).toEqual(['put something else', 'put content']);
  });

  test('a job deletes a wrong copy that it created to restore a deleted object', async () => {
    const { bench, mirror } = await mirrored(wrongly, { versioned: true });
    await bench.store.deleteObject({ bucket: bench.bucket, key: 'old' });
    await mirror.runNow();
    expect(await bench.history('old')).toEqual(['put content', 'marker', 'put content']);
  });
});

test.each([true, false])(
  'a job accepts a copy whose source matched, even if the copy has a new ETag (versions: %s)',
  async (versioned) => {
    const withOwnEtags = (store: ObjectStore) =>
      overriding(store, {
        copyObject: async (request, options) => ({
          ...(await store.copyObject(request, options)),
          etag: 'another',
        }),
      });
    const { bench, mirror, called } = await mirrored(withOwnEtags, { versioned });
    move(bench, 'old', 'new');
    await mirror.settled();
    expect((await bench.heads())['new']).toBe('content');
    expect(called(/^putObject new/)).toEqual([]);
  },
);

describe('saved copies of objects that are overwritten or deleted', () => {
  test('a job saves an object again if another client replaced it in the meantime, and then overwrites it', async () => {
    const { bench, faulty, mirror } = await mirrored(forgetfulStore);
    await bench.writeForeign('old', 'theirs first');
    const slip = slipsIn(() => bench.writeForeign('old', 'theirs then'));
    void faulty.inject({ on: 'copyObject', fault: slip });
    writeFileSync(join(bench.root, 'old'), 'our change');
    await mirror.settled();
    expect((await bench.heads())['old']).toBe('our change');
    expect(await savedIn(bench, 'conflict')).toContain('theirs then');
  });

  test('a job does not delete an object that another client replaced just before the delete', async () => {
    const { bench, faulty, mirror } = await mirrored(forgetfulStore);
    const slip = slipsIn(() => bench.writeForeign('old', 'theirs'));
    void faulty.inject({ on: 'copyObject', fault: slip });
    rmSync(join(bench.root, 'old'));
    await mirror.settled();
    expect((await bench.heads())['old']).toBe('theirs');
    expect(bench.activities.map(({ action }) => action)).toContain('delete skipped');
  });
});

/**
 * Backs up a file, damages its stored content and waits until the store has detected the damage.
 */
async function withDamaged(path: string, content: Buffer) {
  const bench = await openMirrorBench({ ownStore: true });
  writeFileSync(join(bench.root, path), content);
  const mirror = await bench.open();
  await mirror.settled();
  const store = join(bench.home, 'store');
  const [file = ''] = blobFiles(store);
  writeFileSync(blobPath(store, file), Buffer.alloc(content.length, 'x'));
  const read = async (key: string) => {
    const { body } = await bench.store.getObject({ bucket: bench.bucket, key });
    return Buffer.from(await collect(body, content.length));
  };
  await expect(read(path)).rejects.toMatchObject({ code: 'InternalError' });
  const database = new Database(join(store, 'store.sqlite'), { readonly: true });
  const count = database.prepare('SELECT count(*) FROM quarantine').pluck();
  await until(
    () => count.get(),
    (known) => known === 1,
  );
  database.close();
  return { bench, mirror, read };
}

describe('damaged objects whose files move or change attributes', () => {
  const content = Buffer.alloc(300_000, 'whole');

  test('a job uploads a moved file instead of copying its damaged object', async () => {
    const { bench, mirror, read } = await withDamaged('old', content);
    move(bench, 'old', 'new');
    await mirror.settled();
    expect((await read('new')).equals(content)).toBe(true);
  });

  test('a job uploads a file with changed attributes instead of copying its damaged object', async () => {
    const { bench, mirror, read } = await withDamaged('file', content);
    chmodSync(join(bench.root, 'file'), 0o600);
    await mirror.settled();
    expect((await read('file')).equals(content)).toBe(true);
  });
});
