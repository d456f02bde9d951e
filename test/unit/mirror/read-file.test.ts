/**
 * Tests of stable reads: a file that changes while it is read is never uploaded as if the content
 * were consistent.
 */

import { createHash } from 'node:crypto';
import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  lstatSync,
  mkdirSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';

import { describe, expect, test } from 'vitest';

import { type Clock, systemClock } from '../../../src/base/clock.ts';
import { collect } from '../../../src/object-store/body.ts';
import { createExcluder } from '../../../src/mirror/local/exclude.ts';
import {
  type FileReading,
  MEMORY_BODY_BYTES,
  readFileStable,
} from '../../../src/mirror/local/read-file.ts';
import { unchanged } from '../../../src/mirror/model/compare.ts';
import { scanFolder } from '../../../src/mirror/local/scan.ts';
import type { LocalEntry } from '../../../src/mirror/model/types.ts';
import { temporaryFolder } from '../../helpers/temporary-folder.ts';

const SIZES = [0, 1, 300 * 1024, MEMORY_BODY_BYTES, MEMORY_BODY_BYTES + 1];

/** A clock for which every file was last changed more than one clock tick ago. */
const LATER = { ...systemClock, now: () => Date.now() + 60_000 };

async function entriesOf(root: string): Promise<readonly LocalEntry[]> {
  const excluder = createExcluder({ root, patterns: [], protectedFolders: [] });
  return (await scanFolder(root, '', excluder)).entries;
}

async function onlyEntry(root: string): Promise<LocalEntry> {
  const [entry] = await entriesOf(root);
  if (!entry) throw new Error('the folder is empty');
  return entry;
}

async function read(root: string, clock: Clock = systemClock) {
  return readOf(await readFileStable(root, await onlyEntry(root), { clock }));
}

function readOf(reading: FileReading) {
  if (reading.status !== 'read') throw new Error(`the file is ${reading.status}`);
  return reading;
}

function patterned(sizeBytes: number): Buffer {
  return Buffer.alloc(sizeBytes, 'pattern of eleven');
}

function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

describe.each(SIZES)('a stable read of a file of %i bytes', (sizeBytes) => {
  test('a stable read returns the digest and exact mtime of a file, and a body that can be opened more than once', async () => {
    const root = temporaryFolder();
    const bytes = patterned(sizeBytes);
    writeFileSync(join(root, 'file'), bytes);
    const { entry, mtimeNs, body, sha256: digest } = await read(root);
    expect(entry).toEqual(await onlyEntry(root));
    expect(mtimeNs).toBe(statSync(join(root, 'file'), { bigint: true }).mtimeNs);
    expect([digest, body.sha256, body.sizeBytes]).toEqual([sha256(bytes), digest, sizeBytes]);
    for (let time = 0; time < 2; time++)
      expect(sha256(await collect(body.open(), sizeBytes))).toBe(digest);
  });

  test('the body of a file can be read in parts for a multipart upload', async () => {
    const root = temporaryFolder();
    const bytes = patterned(sizeBytes);
    writeFileSync(join(root, 'file'), bytes);
    const { body } = await read(root);
    const middle = Math.floor(sizeBytes / 2);
    for (const [first, end] of [
      [0, middle],
      [middle, sizeBytes],
    ] as const) {
      const part = body.slice(first, end);
      expect(part.sizeBytes).toBe(end - first);
      expect(bytes.subarray(first, end).equals(await collect(part.open(), sizeBytes))).toBe(true);
    }
  });
});

describe('a large file that changes after it was hashed', () => {
  test.each<[string, (path: string) => void]>([
    ['is modified in place', (path) => writeFileSync(path, patterned(MEMORY_BODY_BYTES + 10))],
    ['grows', (path) => appendFileSync(path, 'x')],
    ['shrinks', (path) => truncateSync(path, MEMORY_BODY_BYTES)],
    ['is deleted', (path) => rmSync(path)],
    [
      'is replaced by a file with equal content',
      (path) => {
        writeFileSync(`${path}2`, patterned(MEMORY_BODY_BYTES + 10));
        renameSync(`${path}2`, path);
      },
    ],
    [
      'is replaced by a symbolic link',
      (path) => {
        renameSync(path, `${path}2`);
        symlinkSync(`${path}2`, path);
      },
    ],
  ])('the upload of a large file that %s after it was hashed fails', async (_what, change) => {
    const root = temporaryFolder();
    const path = join(root, 'file');
    writeFileSync(path, patterned(MEMORY_BODY_BYTES + 10));
    const { body } = await read(root);
    change(path);
    const failure = expect.objectContaining({ name: 'FileChangedError', path });
    await expect(collect(body.open(), Infinity)).rejects.toEqual(failure);
    await expect(collect(body.slice(0, 10).open(), Infinity)).rejects.toEqual(failure);
  });

  test('the upload of a large file fails if the file grows before its last bytes are read', async () => {
    const root = temporaryFolder();
    const path = join(root, 'file');
    writeFileSync(path, patterned(MEMORY_BODY_BYTES + 10));
    const { body } = await read(root);
    let seenBytes = 0;
    const reading = (async () => {
      for await (const chunk of body.open()) {
        if (seenBytes === 0) appendFileSync(path, 'x');
        seenBytes += chunk.byteLength;
      }
    })();
    await expect(reading).rejects.toMatchObject({ name: 'FileChangedError' });
    expect(seenBytes).toBeLessThan(body.sizeBytes);
  });
});

describe('a file that was written to recently', () => {
  /** Creates a clock that always returns the file's ctime and calls `during` in each sleep. */
  function clockAt(path: string, during: () => void): Clock & { readonly slept: number[] } {
    const slept: number[] = [];
    const now = () => Number(lstatSync(path, { bigint: true }).ctimeNs / 1_000_000n);
    const sleep = async (ms: number) => {
      slept.push(ms);
      during();
    };
    return { ...systemClock, now, sleep, slept };
  }

  test('a stable read waits until the ctime of a recently written file is more than one clock tick old, to detect later writes', async () => {
    const root = temporaryFolder();
    writeFileSync(join(root, 'file'), 'x');
    const clock = clockAt(join(root, 'file'), () => undefined);
    await read(root, clock);
    expect(clock.slept).toEqual([11]);
  });

  test('a stable read waits one clock tick for a file whose ctime is later than the local time', async () => {
    const root = temporaryFolder();
    const path = join(root, 'file');
    writeFileSync(path, 'x');
    const clock = clockAt(path, () => writeFileSync(path, 'y'));
    const ours = { ...clock, now: () => clock.now() - 60_000 };
    const reading = await readFileStable(root, await onlyEntry(root), { clock: ours });
    expect(reading).toMatchObject({ status: 'busy' });
    expect(clock.slept).toEqual([11]);
  });

  test('a stable read reports a recently written file as busy if it is written to during the wait', async () => {
    const root = temporaryFolder();
    const path = join(root, 'file');
    writeFileSync(path, 'x');
    const clock = clockAt(path, () => appendFileSync(path, 'y'));
    const reading = await readFileStable(root, await onlyEntry(root), { clock });
    expect(reading).toMatchObject({ status: 'busy', problem: { path: 'file', code: 'busy' } });
  });
});

test('a stable read reports a large file as busy if it grows while it is hashed', async () => {
  const root = temporaryFolder();
  const path = join(root, 'file');
  writeFileSync(path, patterned(MEMORY_BODY_BYTES + 10));
  const entry = await onlyEntry(root);
  expect((await readFileStable(root, entry, { clock: LATER })).status).toBe('read');
  const reading = readFileStable(root, entry, { clock: LATER });
  await setImmediate();
  appendFileSync(path, 'x');
  expect((await reading).status).toBe('busy');
});

test('a stable read returns the new state of a small file that changed after it was listed', async () => {
  const root = temporaryFolder();
  const path = join(root, 'file');
  writeFileSync(path, 'listed');
  const entry = await onlyEntry(root);
  expect(await readFileStable(root, entry, { clock: LATER })).toMatchObject({ entry });
  for (const content of ['saved ', 'a longer text', '']) {
    writeFileSync(path, content);
    const reading = readOf(await readFileStable(root, entry, { clock: LATER }));
    expect(reading.sha256).toBe(sha256(Buffer.from(content)));
    expect(reading.entry).toEqual(await onlyEntry(root));
  }
});

describe('symbolic links, folders and other entries that are not plain files', () => {
  test('a stable read returns the target path of a symbolic link as its content, even if the target does not exist', async () => {
    const root = temporaryFolder();
    symlinkSync('../somewhere else', join(root, 'link'));
    const { body, sha256: digest } = await read(root);
    expect(Buffer.from(await collect(body.open(), 100)).toString()).toBe('../somewhere else');
    expect(digest).toBe(sha256(Buffer.from('../somewhere else')));
  });

  test('a stable read returns an empty body for a folder', async () => {
    const root = temporaryFolder();
    mkdirSync(join(root, 'folder'));
    const { entry, body, sha256: digest } = await read(root);
    expect([entry.kind, body.sizeBytes, digest]).toEqual([
      'directory',
      0,
      sha256(new Uint8Array()),
    ]);
  });

  test.each<[string, (path: string) => void]>([
    ['was deleted', () => undefined],
    ['was replaced by a folder', (path) => mkdirSync(path)],
    ['was replaced by a symbolic link', (path) => symlinkSync('/etc/passwd', path)],
    ['was replaced by a pipe without a writer', (path) => execFileSync('mkfifo', [path])],
  ])('a stable read reports a file that %s after the scan as gone', async (_what, replace) => {
    const root = temporaryFolder();
    const path = join(root, 'file');
    writeFileSync(path, 'x');
    const entry = await onlyEntry(root);
    rmSync(path);
    replace(path);
    for (const clock of [systemClock, LATER])
      expect(await readFileStable(root, entry, { clock })).toEqual({ status: 'gone' });
  });

  test.each(SIZES)(
    'a stable read reports a file of %i bytes as gone if its folder was replaced by a symbolic link',
    async (size) => {
      const [root, elsewhere] = [temporaryFolder(), temporaryFolder()];
      for (const folder of [join(root, 'd'), elsewhere]) {
        mkdirSync(folder, { recursive: true });
        writeFileSync(join(folder, 'f'), patterned(size));
      }
      const { entries } = await scanFolder(
        root,
        'd',
        createExcluder({ root, patterns: [], protectedFolders: [] }),
      );
      renameSync(join(root, 'd'), join(root, 'd.was'));
      symlinkSync(elsewhere, join(root, 'd'));
      const readings = entries.map((entry) => readFileStable(root, entry, { clock: systemClock }));
      expect(await Promise.all(readings)).toEqual([{ status: 'gone' }]);
    },
  );

  test('a stable read succeeds if the root folder of the job is a symbolic link', async () => {
    const [real, home] = [temporaryFolder(), temporaryFolder()];
    writeFileSync(join(real, 'f'), 'x');
    symlinkSync(real, join(home, 'link'));
    expect((await read(join(home, 'link'))).sha256).toHaveLength(64);
  });

  test('a stable read reports a file without read permission as unreadable', async () => {
    const root = temporaryFolder();
    writeFileSync(join(root, 'secret'), 'x', { mode: 0o000 });
    const reading = await readFileStable(root, await onlyEntry(root), { clock: LATER });
    expect(reading).toMatchObject({
      status: 'unreadable',
      problem: { path: 'secret', code: 'unreadable' },
    });
  });
});

test('an aborted stable read rejects with the reason of the abort signal', async () => {
  const root = temporaryFolder();
  writeFileSync(join(root, 'file'), patterned(MEMORY_BODY_BYTES + 10));
  const reason = new Error('enough');
  const options = { clock: systemClock, signal: AbortSignal.abort(reason) };
  await expect(readFileStable(root, await onlyEntry(root), options)).rejects.toBe(reason);
});

describe('reuse of the recorded digest of an unchanged file', () => {
  const baseline: LocalEntry = {
    path: 'a',
    kind: 'file',
    sizeBytes: 1,
    mtimeMs: 2.5,
    ctimeMs: 3.5,
    inode: 4,
    mode: 0o644,
    uid: 0,
    gid: 0,
  };

  test.each<[string, Partial<LocalEntry>, boolean]>([
    ['nothing', {}, true],
    ['the size', { sizeBytes: 2 }, false],
    ['the mtime', { mtimeMs: 2.5004 }, false],
    ['the ctime', { ctimeMs: 3.6 }, false],
    ['the inode', { inode: 5 }, false],
    ['the kind', { kind: 'symlink' }, false],
  ])(
    'a job decides whether to reuse the recorded digest of a file if %s changed: %s → %s',
    (_what, members, stands) => {
      expect(unchanged(baseline, { ...baseline, ...members })).toBe(stands);
    },
  );

  test('a job treats a folder as unchanged if its attributes are unchanged, even if files in the folder changed', () => {
    const folder: LocalEntry = { ...baseline, kind: 'directory' };
    expect(unchanged(folder, { ...folder, mtimeMs: 9, ctimeMs: 9 })).toBe(true);
    expect(unchanged(folder, { ...folder, mode: 0o700 })).toBe(false);
  });

  test('a job detects that a file was written to even if a program restored its previous mtime', async () => {
    const root = temporaryFolder();
    const path = join(root, 'file');
    writeFileSync(path, 'one');
    const { mtime } = statSync(path);
    const { entry } = await read(root);
    writeFileSync(path, 'two');
    utimesSync(path, mtime, mtime);
    expect(unchanged(entry, await onlyEntry(root))).toBe(false);
  });
});
