/**
 * Tests that a restore sets owners and the setuid, setgid and sticky bits (mode bits 07000) only for versions that
 * the job uploaded.
 */

import {
  chmodSync,
  chownSync,
  lchownSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';

import { describe, expect, test } from 'vitest';

import { systemClock } from '../../src/base/clock.ts';
import { silentLogger } from '../../src/base/logger.ts';
import { copyForward } from '../../src/restore/undo.ts';
import { folderOfFile } from '../../src/restore/in-place.ts';
import { restoreTree } from '../../src/restore/restore.ts';
import type { RestoreOptions } from '../../src/restore/restore-options.ts';
import type { MirrorJob } from '../../src/mirror/model/types.ts';
import { bytesBody } from '../../src/object-store/body.ts';
import { overriding } from '../helpers/forgetful-store.ts';
import { type MirrorBench, openMirrorBench } from '../helpers/mirror-bench.ts';
import { sha256 } from '../helpers/tree.ts';

const isRoot = process.getuid?.() === 0;
const FOREIGN = { 'holdfast-uid': '4711', 'holdfast-gid': '4712' };

const modeOf = (path: string) => (lstatSync(path).mode & 0o7777).toString(8);

function ownerOf(path: string) {
  const { uid, gid } = lstatSync(path);
  return [uid, gid];
}

const OWN = [process.getuid?.(), process.getgid?.()];

async function opened(changes: Partial<MirrorJob> = {}) {
  const bench = await openMirrorBench();
  const mirror = await bench.open(changes);
  await mirror.settled();
  const { store, bucket, home, isProven } = bench;
  const to = join(home, 'back');
  const fixed = { store, bucket, prefix: '', to, clock: systemClock, logger: silentLogger };
  const restore = (options: Partial<RestoreOptions> = {}) =>
    restoreTree({ ...fixed, isProven, ...options });
  return { ...bench, mirror, restore, to, at: (path: string) => join(bench.root, path) };
}

/** Writes an object with arbitrary metadata, as any client with write permission can. */
async function forge(
  { store, bucket }: MirrorBench,
  key: string,
  { text = '', ...metadata }: Record<string, string>,
) {
  const said = { 'holdfast-sha256': sha256(Buffer.from(text)), ...FOREIGN, ...metadata };
  const attributes = { metadata: said };
  return store.putObject({ bucket, key, body: bytesBody(text), attributes });
}

describe('versions of other clients', () => {
  test("a restore omits the owner and the mode bits 07000 of another client's version, and reports the omission", async () => {
    const { restore, to, ...bench } = await opened();
    await forge(bench, 'tool', { text: 'evil', 'holdfast-mode': '6755' });
    await forge(bench, 'folder/', { 'holdfast-type': 'directory', 'holdfast-mode': '7777' });
    await forge(bench, 'link', { text: 'tool', 'holdfast-type': 'symlink' });
    const report = await restore();
    expect([modeOf(join(to, 'tool')), modeOf(join(to, 'folder'))]).toEqual(['755', '777']);
    for (const name of ['tool', 'folder', 'link']) expect(ownerOf(join(to, name))).toEqual(OWN);
    const paths = isRoot ? ['folder', 'link', 'tool'] : ['folder', 'tool'];
    expect(report).toMatchObject({ unproven: { count: paths.length, paths }, problems: [] });
  });

  test("a restore sets neither the owner nor the mode bits 07000 of another client's version on an existing file", async () => {
    const { restore, to, ...bench } = await opened();
    await forge(bench, 'tool', { text: 'evil', 'holdfast-mode': '6755' });
    mkdirSync(to);
    writeFileSync(join(to, 'tool'), 'evil', { mode: 0o600 });
    expect(await restore()).toMatchObject({ kept: 1, unproven: { paths: ['tool'] } });
    expect(modeOf(join(to, 'tool'))).toBe('755');
    expect(ownerOf(join(to, 'tool'))).toEqual(OWN);
  });

  test("a restore sets the owner and the mode bits 07000 of another client's version if the user trusts all writers", async () => {
    const { restore, to, ...bench } = await opened();
    await forge(bench, 'tool', { text: 'x', 'holdfast-mode': '6755' });
    expect((await restore({ isProven: () => true })).unproven).toBeUndefined();
    expect(modeOf(join(to, 'tool'))).toBe('6755');
  });

  test.each([
    ['under another key', 'other', {}],
    ['with other bits', 'tool', { 'holdfast-mode': '6755' }],
    ['with another owner', 'tool', { 'holdfast-uid': '4711' }],
  ])(
    'a restore does not trust metadata of the job that another client copied to an object %s',
    async (_what, key, change) => {
      const { mirror, restore, to, at, ...bench } = await opened();
      writeFileSync(at('tool'), 'tool');
      chmodSync(at('tool'), 0o4700);
      await mirror.settled();
      const { info } = await bench.store.headObject({ bucket: bench.bucket, key: 'tool' });
      await forge(bench, key, { ...info.metadata, text: 'tool', ...change });
      const report = await restore();
      expect(report.unproven?.paths).toContain(key);
      expect(Number.parseInt(modeOf(join(to, key)), 8)).toBeLessThan(0o1000);
    },
  );

  test("a restore does not trust another client's version, even if it is dated before the proof key of the job", async () => {
    const { restore, to, ...bench } = await opened();
    const metadata = { 'holdfast-journal': 'forged', 'holdfast-mode': '4755' };
    await forge(bench, 'tool', { text: 'x', ...metadata });
    const store = redated(bench.store);
    expect((await restore({ store })).unproven?.paths).toEqual(['tool']);
    expect(modeOf(join(to, 'tool'))).toBe('755');
  });
});

/** Returns a store that reports an old date for each object. */
function redated(store: MirrorBench['store']): MirrorBench['store'] {
  const older = <T extends { info: object }>(answer: T) => ({
    ...answer,
    info: { ...answer.info, lastModifiedAt: 1 },
  });
  return overriding(store, {
    headObject: async (...asked) => older(await store.headObject(...asked)),
    getObject: async (...asked) => older(await store.getObject(...asked)),
  });
}

describe('versions that the job uploaded', () => {
  test("a restore sets the mode bits 07000 of the job's own files and folders", async () => {
    const { mirror, restore, to, at } = await opened();
    writeFileSync(at('tool'), 'tool');
    chmodSync(at('tool'), 0o4755);
    mkdirSync(at('shared'));
    chmodSync(at('shared'), 0o3777);
    await mirror.settled();
    expect((await restore()).unproven).toBeUndefined();
    expect([modeOf(join(to, 'tool')), modeOf(join(to, 'shared'))]).toEqual(['4755', '3777']);
  });

  test.runIf(isRoot)(
    "a restore sets the owners of the job's own files, folders and symbolic links",
    async () => {
      const { mirror, restore, to, at } = await opened();
      writeFileSync(at('file'), 'x');
      symlinkSync('file', at('link'));
      mkdirSync(at('folder'));
      chownSync(at('file'), 4711, 4712);
      lchownSync(at('link'), 4713, 4714);
      chownSync(at('folder'), 4715, 4716);
      chmodSync(at('folder'), 0o705);
      await mirror.settled();
      expect((await restore()).unproven).toBeUndefined();
      expect(['file', 'link', 'folder'].map((name) => ownerOf(join(to, name)))).toEqual([
        [4711, 4712],
        [4713, 4714],
        [4715, 4716],
      ]);
    },
  );
});

describe("privileges in the job's folder", () => {
  test("conflict policy remote applies neither the owner nor the mode bits 07000 of another client's version", async () => {
    const { mirror, at, ...bench } = await opened({ conflict: 'remote' });
    writeFileSync(at('tool'), 'first');
    await mirror.settled();
    await forge(bench, 'tool', { text: 'evil', 'holdfast-mode': '6755' });
    writeFileSync(at('tool'), 'edited meanwhile');
    await mirror.settled();
    expect(readFileSync(at('tool'), 'utf8')).toBe('evil');
    expect(modeOf(at('tool'))).toBe('755');
    expect(ownerOf(at('tool'))).toEqual(OWN);
  });

  test('undo applies neither the owner nor the mode bits 07000 to the restored file, and reports the omission', async () => {
    const { mirror, at, store, bucket, root } = await opened();
    for (const text of ['old', 'new']) {
      writeFileSync(at('tool'), text);
      chmodSync(at('tool'), 0o4755);
      await mirror.settled();
    }
    const destination = await mirror.writes.destination(new AbortController().signal);
    const options = { ...destination, path: 'tool', clock: systemClock, logger: silentLogger };
    const objects = copyForward({ ...options, ...mirror.writes }, () => undefined);
    const to = folderOfFile(root, 'tool');
    const report = await restoreTree({ ...options, store, bucket, objects, to, root });
    expect(readFileSync(at('tool'), 'utf8')).toBe('old');
    expect(modeOf(at('tool'))).toBe('755');
    expect(report.unproven).toEqual({ count: 1, paths: ['tool'] });
  });

  test('a restore keeps the mode bits 07000 of existing files and folders whose other mode bits are the same', async () => {
    const { mirror, at, restore, root } = await opened();
    mkdirSync(at('shared'));
    chmodSync(at('shared'), 0o2770);
    writeFileSync(at('shared/file'), 'x');
    chmodSync(at('shared/file'), 0o2750);
    await mirror.settled();
    await restore({ to: root, root, isProven: () => false });
    expect([modeOf(at('shared')), modeOf(at('shared/file'))]).toEqual(['2770', '2750']);
  });
});

describe('proofs for versions of other clients', () => {
  test("a job that restores a deleted object does not prove the mode bits 07000 of another client's version", async () => {
    const { mirror, at, restore, to, ...bench } = await opened({ conflict: 'remote' });
    writeFileSync(at('tool'), 'first');
    await mirror.settled();
    await forge(bench, 'tool', { text: 'evil', 'holdfast-mode': '6755' });
    writeFileSync(at('tool'), 'edited meanwhile');
    await mirror.settled();
    await bench.store.deleteObject({ bucket: bench.bucket, key: 'tool' });
    await mirror.runNow();
    expect(bench.activities.map(({ action }) => action)).toContain('copy');
    await restore();
    expect(readFileSync(join(to, 'tool'), 'utf8')).toBe('evil');
    expect(modeOf(join(to, 'tool'))).toBe('755');
    expect(ownerOf(join(to, 'tool'))).toEqual(OWN);
  });

  test('undo does not prove the mode bits 07000 of a version dated before the proof key of the job', async () => {
    const { mirror, ...bench } = await opened();
    const metadata = { 'holdfast-journal': 'forged', 'holdfast-mode': '6755' };
    const { attributesOfCopy } = mirror.writes;
    await forge(bench, 'tool', { text: 'x', ...metadata });
    const store = redated(bench.store);
    const { info } = await store.headObject({ bucket: bench.bucket, key: 'tool' });
    const described = await attributesOfCopy('tool', info);
    expect(described.metadata).toMatchObject({ 'holdfast-mode': '0755' });
    expect(described.metadata).not.toHaveProperty('holdfast-uid');
  });
});

test('a restored file with mode 0600 stays unreadable for other users', async () => {
  const { restore, to, ...bench } = await opened();
  await forge(bench, 'secret', { text: 'x', 'holdfast-mode': '4600' });
  await restore();
  expect(statSync(join(to, 'secret')).mode & 0o7777).toBe(0o600);
});
