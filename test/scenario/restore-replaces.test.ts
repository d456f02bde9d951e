/**
 * Tests of in-place restores that replace local files. A restore must store the bytes of a file as a version before
 * it replaces the file, and keep a file that it cannot store.
 */

import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test, vi } from 'vitest';

import { systemClock } from '../../src/base/clock.ts';
import { DAY_MS } from '../../src/base/durations.ts';
import { silentLogger } from '../../src/base/logger.ts';
import type { SaveLocal } from '../../src/mirror/transfer/save-version.ts';
import { restoreTree } from '../../src/restore/restore.ts';
import type { RestoreOptions } from '../../src/restore/restore-options.ts';
import { bytesBody } from '../../src/object-store/body.ts';
import { MULTIPART_FROM_BYTES } from '../../src/object-store/multipart-put.ts';
import { StorageError } from '../../src/object-store/storage-error.ts';
import { overriding } from '../helpers/forgetful-store.ts';
import { type MirrorBench, openMirrorBench } from '../helpers/mirror-bench.ts';

type OpenOptions = Parameters<MirrorBench['open']>[0];

/**
 * Backs up a file with the content `one`, pauses the job, and changes the file to `two`. No version has the
 * content `two`.
 */
async function unsaved(options: (bench: MirrorBench) => OpenOptions = () => ({})) {
  const bench = await openMirrorBench();
  const file = join(bench.root, 'a');
  writeFileSync(file, 'one');
  const mirror = await bench.open(options(bench));
  await mirror.settled();
  mirror.pause();
  writeFileSync(file, 'two');
  const at = Date.now();
  const restore = (saveLocal: SaveLocal, changes: Partial<RestoreOptions> = { at }) =>
    restoreTree({
      store: bench.store,
      bucket: bench.bucket,
      prefix: '',
      to: bench.root,
      root: bench.root,
      saveLocal,
      clock: systemClock,
      logger: silentLogger,
      ...changes,
    });
  const content = () => readFileSync(file, 'utf8');
  const { saveLocal } = mirror.writes;
  return { bench, mirror, file, restore, content, saveLocal };
}

test('an in-place restore stores the bytes of a local file as a version, and then replaces the file', async () => {
  const { bench, mirror, restore, content, saveLocal } = await unsaved();
  const report = await restore(saveLocal);
  expect(report).toMatchObject({ files: 1, aside: 1, saved: 1, problemCount: 0 });
  expect(report.asideFolder).toBeUndefined();
  expect([content(), readdirSync(bench.root)]).toEqual(['one', ['a']]);
  expect(await bench.history('a')).toEqual(['put one', 'put two']);
  mirror.resume();
  await mirror.settled();
  expect(await bench.history('a')).toEqual(['put one', 'put two', 'put one']);
  // A watch event of the replaced file may arrive late and start another round.
  await vi.waitFor(() => {
    expect(mirror.status()).toMatchObject({ inSync: true, counts: { conflicts: 0 } });
  });
});

test('an in-place restore restores the version that was current before it stored the local bytes as a version', async () => {
  const { restore, content, saveLocal, file } = await unsaved();
  writeFileSync(file, 'two, and longer');
  expect(await restore(saveLocal, {})).toMatchObject({ files: 1, saved: 1, problemCount: 0 });
  expect(content()).toBe('one');
});

test('an in-place restore stores a large file by a multipart upload, and a failed one leaves no upload', async () => {
  let failure: StorageError | undefined;
  const { bench, restore, saveLocal, file } = await unsaved((own) => ({
    store: overriding(own.store, {
      putObject: async (request, options) => {
        if ((request.body.sizeBytes ?? 0) > MULTIPART_FROM_BYTES)
          throw new StorageError('EntityTooLarge', '');
        return own.store.putObject(request, options);
      },
      uploadPart: async (request, options) => {
        if (failure) throw failure;
        return own.store.uploadPart(request, options);
      },
    }),
  }));
  const large = Buffer.alloc(MULTIPART_FROM_BYTES + 1, 'large');
  writeFileSync(file, large);
  failure = new StorageError('InsufficientStorage', 'the disk is full');
  expect(await restore(saveLocal)).toMatchObject({ files: 0, saved: 0, problemCount: 1 });
  expect(readFileSync(file).equals(large)).toBe(true);
  expect(await bench.store.listUploads({ bucket: bench.bucket })).toMatchObject({ uploads: [] });
  failure = undefined;
  expect(await restore(saveLocal)).toMatchObject({ files: 1, saved: 1, problemCount: 0 });
  const { info } = await bench.store.headObject({ bucket: bench.bucket, key: 'a' });
  expect(info.sizeBytes).toBe(large.byteLength);
});

test('an in-place restore does not store bytes again that a version already has', async () => {
  const { bench, restore, content, saveLocal, file } = await unsaved();
  writeFileSync(file, 'two');
  await restore(saveLocal);
  writeFileSync(file, 'two');
  const report = await restore(saveLocal);
  expect([content(), report.saved]).toEqual(['one', 0]);
  expect(await bench.history('a')).toEqual(['put one', 'put two']);
});

test('an in-place restore keeps a file that changes after its bytes were stored', async () => {
  const { bench, restore, content, saveLocal, file } = await unsaved();
  const report = await restore(async (...asked) => {
    const saved = await saveLocal(...asked);
    writeFileSync(file, 'three, typed meanwhile');
    return saved;
  });
  expect(content()).toBe('three, typed meanwhile');
  expect(report).toMatchObject({ files: 0, aside: 0, problemCount: 1 });
  expect(readdirSync(bench.root)).toEqual(['a']);
});

test('an in-place restore keeps a file if the service has no space for its bytes', async () => {
  const full = async () => {
    throw new StorageError('InsufficientStorage', 'the disk is full');
  };
  let isFull = false;
  const { bench, restore, content, saveLocal } = await unsaved((own) => ({
    store: overriding(own.store, {
      putObject: (...asked) => (isFull ? full() : own.store.putObject(...asked)),
    }),
  }));
  isFull = true;
  const report = await restore(saveLocal);
  expect([content(), report.problemCount]).toEqual(['two', 1]);
  expect(report.problems[0]?.message).toContain('a is not replaced');
  expect(await bench.history('a')).toEqual(['put one']);
});

test('a restore that is stopped between storing and replacing keeps the file, and a later restore completes', async () => {
  const { bench, restore, content, saveLocal } = await unsaved();
  const stop = new AbortController();
  const stopped = restore(
    async (...asked) => {
      const saved = await saveLocal(...asked);
      stop.abort();
      return saved;
    },
    { signal: stop.signal },
  );
  await expect(stopped).rejects.toThrow('aborted');
  expect([content(), readdirSync(bench.root)]).toEqual(['two', ['a']]);
  const report = await restore(saveLocal);
  expect([content(), report.saved]).toEqual(['one', 0]);
});

test('a lock of the current version does not prevent an in-place restore', async () => {
  const lock = { mode: 'COMPLIANCE', days: 1, refreshDays: 1 } as const;
  const { bench, restore, content, saveLocal } = await unsaved(() => ({ lock }));
  expect(await restore(saveLocal)).toMatchObject({ saved: 1, problemCount: 0 });
  expect(content()).toBe('one');
  const { info } = await bench.store.headObject({ bucket: bench.bucket, key: 'a' });
  expect(info.retention?.retainUntil).toBeGreaterThan(Date.now() + DAY_MS / 2);
});

test('an in-place restore keeps a file that the job excludes, because it must not be uploaded', async () => {
  const { bench, mirror, restore, content } = await unsaved();
  await mirror.close();
  const excluding = await bench.open({ exclude: ['a'] });
  excluding.pause();
  const report = await restore(excluding.writes.saveLocal);
  expect([content(), report.problemCount]).toEqual(['two', 1]);
  expect(report.problems[0]?.message).toContain('the job excludes it');
});

test('an in-place restore stores a link that is in the way of folders, and no file below the link', async () => {
  const { bench, restore, saveLocal } = await unsaved();
  const { store, bucket, root, home } = bench;
  await store.putObject({ bucket, key: 'd/e/f', body: bytesBody('one') });
  const outside = join(home, 'outside');
  mkdirSync(outside);
  writeFileSync(join(outside, 'e'), 'secret');
  symlinkSync(outside, join(root, 'd'));
  const saved: string[] = [];
  const noting: SaveLocal = (path, ...others) => {
    saved.push(path);
    return saveLocal(path, ...others);
  };
  expect(await restore(noting, {})).toMatchObject({ saved: 2, problemCount: 0 });
  expect(saved.toSorted()).toEqual(['a', 'd']);
  expect(readFileSync(join(root, 'd/e/f'), 'utf8')).toBe('one');
  expect(readFileSync(join(outside, 'e'), 'utf8')).toBe('secret');
});
