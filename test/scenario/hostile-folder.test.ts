/**
 * Tests of backups of a folder with hostile content. Restores must be exact, and the job must not read anything
 * outside the folder.
 */

import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  linkSync,
  lstatSync,
  mkdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';

import { describe, expect, onTestFinished, test } from 'vitest';

import { systemClock } from '../../src/base/clock.ts';
import { silentLogger } from '../../src/base/logger.ts';
import { problemLines } from '../../src/cli/output/job-text.ts';
import { restoreTree } from '../../src/restore/restore.ts';
import type { MirrorJob } from '../../src/mirror/model/types.ts';
import { overriding } from '../helpers/forgetful-store.ts';
import { openMirrorBench } from '../helpers/mirror-bench.ts';
import { makeTree } from '../helpers/tree.ts';
import { picture } from '../helpers/tree-picture.ts';

const SECRET = 'secret of another folder';
const isRoot = process.getuid?.() === 0;

/** Opens a mirror bench, and creates a folder with a secret file next to the job's folder. */
async function opened() {
  const bench = await openMirrorBench();
  const outside = join(bench.home, 'outside');
  mkdirSync(outside);
  writeFileSync(join(outside, 'key'), SECRET);
  const restored = async () => {
    const { store, bucket, isProven } = bench;
    const to = join(bench.home, 'back');
    const place = { store, bucket, prefix: '', to, isProven, clock: systemClock };
    return { to, report: await restoreTree({ ...place, logger: silentLogger }) };
  };
  const mirrored = async (changes: Partial<MirrorJob> = {}) => {
    const mirror = await bench.open(changes);
    await mirror.settled();
    return mirror;
  };
  return { ...bench, outside, restored, mirrored, at: (path: string) => join(bench.root, path) };
}

describe('a folder with hostile file names', () => {
  const NAMES = [
    'line\nfeed',
    'carriage\rreturn',
    '\u001b[2J\u001b]0;title\u0007',
    'invoice\u202Efdp.exe',
    '\u2066isolate\u2069',
    'tab\there',
    '-rf',
    '--exact',
    '%2e%2e',
    '..%2fup',
    '...',
    '~',
    '$(touch x)',
    '__proto__',
    'constructor',
    'a\\..\\b',
    ' blank ',
    'note.constructor',
    'x'.repeat(255),
  ];

  test('a restore preserves file names with control characters, bidirectional text and shell syntax byte for byte', async () => {
    const { root, at, mirrored, restored } = await opened();
    for (const name of NAMES) writeFileSync(at(name), name);
    const mirror = await mirrored();
    expect(mirror.status().problems).toEqual([]);
    const { to, report } = await restored();
    expect(report).toMatchObject({ files: NAMES.length, problemCount: 0 });
    expect(picture(to)).toEqual(picture(root));
  });

  test('messages about problems contain no control characters of hostile file names', async () => {
    const names = NAMES.filter((each) => each.length < 255);
    const problems = names.map((path) => ({
      path,
      code: 'failed',
      message: `mirror ${path}: failed`,
    }));
    const plain = (_style: string, text: string) => text;
    const lines = problemLines(problems, problems.length, plain, problems.length);
    expect(lines.filter((line) => /[\p{Cc}\p{Cf}]/u.test(line))).toEqual([]);
  });

  test("a file with a reserved name is reported as a problem and does not overwrite the job's object of that name", async () => {
    const { at, mirrored, store, bucket } = await opened();
    const mirror = await mirrored();
    const claim = async () => {
      const { info } = await store.headObject({ bucket, key: '.holdfast/claim' });
      return info.etag;
    };
    const before = await claim();
    mkdirSync(at('.holdfast'));
    writeFileSync(at('.holdfast/claim'), '{"job":"another"}');
    await mirror.settled();
    expect(mirror.status().problems.map(({ code }) => code)).toContain('reserved-name');
    expect(await claim()).toBe(before);
  });
});

describe('a folder with symbolic links that point outside', () => {
  test("a symbolic link that points outside the job's folder is stored as a link, and its target is not read", async () => {
    const { at, mirrored, heads, outside } = await opened();
    symlinkSync(outside, at('folder'));
    symlinkSync(join(outside, 'key'), at('file'));
    symlinkSync('/dev/zero', at('device'));
    symlinkSync('/proc/self/mem', at('memory'));
    symlinkSync('.', at('circle'));
    await mirrored();
    expect(await heads()).toEqual({
      folder: outside,
      file: join(outside, 'key'),
      device: '/dev/zero',
      memory: '/proc/self/mem',
      circle: '.',
    });
  });

  test('a restore of a symbolic link that points outside the folder creates the link and writes nothing through it', async () => {
    const { at, mirrored, restored, outside, store, bucket } = await opened();
    symlinkSync(outside, at('folder'));
    const mirror = await mirrored();
    await mirror.close();
    const body = {
      sizeBytes: 4,
      replayable: false,
      open: async function* () {
        yield Buffer.from('evil');
      },
    };
    await store.putObject({ bucket, key: 'folder/key', body });
    await restored();
    expect(lstatSync(join(outside, 'key')).size).toBe(SECRET.length);
  });

  test('a symbolic link that replaces a folder during a sync round does not make the job upload a secret', async () => {
    const { at, root, mirrored, store, heads, outside, open } = await opened();
    for (let index = 0; index < 20; index += 1) {
      mkdirSync(at(`d${index}`));
      writeFileSync(at(`d${index}/key`), `own ${index}`);
    }
    let swapped = 0;
    // Each upload replaces another folder by a symbolic link to the folder with the secret.
    const swapping = overriding(store, {
      putObject: async (...asked) => {
        const folder = join(root, `d${swapped}`);
        if (asked[0].key.startsWith('d') && lstatSync(folder, { throwIfNoEntry: false })) {
          renameSync(folder, `${folder} away`);
          symlinkSync(outside, folder);
          swapped += 1;
        }
        return store.putObject(...asked);
      },
    });
    const mirror = await open({ store: swapping });
    await mirror.settled();
    await mirror.close();
    expect(swapped).toBeGreaterThan(1);
    await mirrored();
    const found = await heads();
    expect(Object.values(found).filter((text) => text.includes(SECRET))).toEqual([]);
    expect(Object.values(found).filter((text) => text === outside)).toHaveLength(swapped);
  });

  test('a symbolic link that replaces the root folder does not make the job upload a secret', async () => {
    const { at, root, mirrored, heads, outside } = await opened();
    writeFileSync(at('file'), 'own');
    const mirror = await mirrored();
    renameSync(root, `${root} away`);
    symlinkSync(outside, root);
    await mirror.settled();
    expect(Object.values(await heads())).not.toContain(SECRET);
    rmSync(root);
  });
});

describe('a folder with pipes, sockets and devices', () => {
  test('a job counts pipes and sockets as skipped without opening them, and backs up the other files', async () => {
    const { at, mirrored, heads } = await opened();
    execFileSync('mkfifo', [at('pipe')]);
    const server = createServer();
    await new Promise<void>((listening) => server.listen(at('socket'), listening));
    onTestFinished(() => void server.close());
    writeFileSync(at('file'), 'own');
    const mirror = await mirrored();
    expect(await heads()).toEqual({ file: 'own' });
    expect(mirror.status()).toMatchObject({ inSync: true, problems: [], counts: { skipped: 2 } });
  });

  test.runIf(isRoot)(
    'a job counts a device file as skipped and does not read it',
    async ({ skip }) => {
      const { at, mirrored, heads } = await opened();
      try {
        execFileSync('mknod', [at('zero'), 'c', '1', '5'], { stdio: 'pipe' });
      } catch {
        skip('this system makes no devices');
      }
      const mirror = await mirrored();
      expect(await heads()).toEqual({});
      expect(mirror.status()).toMatchObject({ problems: [], counts: { skipped: 1 } });
    },
  );

  test('a sync round completes when a named pipe replaces a file, and keeps the object of the file', async () => {
    const { at, mirrored, history } = await opened();
    writeFileSync(at('file'), 'own');
    const mirror = await mirrored();
    rmSync(at('file'));
    execFileSync('mkfifo', [at('file')]);
    await mirror.settled();
    expect((await history('file'))[0]).toBe('put own');
  });
});

describe('a folder with hostile file attributes', () => {
  test('a restore sets the setuid bit of a file if a proof shows that the job stored the object', async () => {
    const { at, mirrored, restored } = await opened();
    writeFileSync(at('tool'), 'x');
    chmodSync(at('tool'), 0o4755);
    await mirrored();
    const { to, report } = await restored();
    expect(lstatSync(join(to, 'tool')).mode & 0o7777).toBe(0o4755);
    expect(report.unproven).toBeUndefined();
  });

  test('a restore of hard links does not change another file outside the folder', async () => {
    const { at, mirrored, restored, outside } = await opened();
    linkSync(join(outside, 'key'), at('one'));
    linkSync(join(outside, 'key'), at('two'));
    await mirrored();
    const { to } = await restored();
    const [one, two] = ['one', 'two'].map((name) => lstatSync(join(to, name)));
    expect([one?.ino, one?.nlink]).toEqual([two?.ino, 2]);
    expect(lstatSync(join(outside, 'key')).nlink).toBe(3);
  });
});

describe('a folder with a hostile tree', () => {
  test('a path that is too long for an object key is reported as a problem, and the other files are backed up', async () => {
    const { at, mirrored, heads } = await opened();
    const deep = Array.from({ length: 40 }, () => 'd'.repeat(60)).join('/');
    mkdirSync(at(deep), { recursive: true });
    writeFileSync(at(`${deep}/file`), 'x');
    writeFileSync(at('file'), 'own');
    const mirror = await mirrored();
    expect(await heads()).toMatchObject({ file: 'own' });
    expect(mirror.status().problems.map(({ code }) => code)).toContain('key-too-long');
  });

  test('a job backs up a tree whose .holdfastignore files are folders, links, pipes or binary data', async () => {
    const { at, mirrored, heads, outside } = await opened();
    makeTree(at('tree'), 3);
    for (const name of ['a', 'b', 'c', 'd']) mkdirSync(at(name));
    mkdirSync(at('a/.holdfastignore'));
    writeFileSync(join(outside, 'rules'), '*\n');
    symlinkSync(join(outside, 'rules'), at('b/.holdfastignore'));
    execFileSync('mkfifo', [at('c/.holdfastignore')]);
    writeFileSync(at('d/.holdfastignore'), Buffer.from([0xff, 0xfe, 0, 0x0a, 0x5b, 0x0a, 0x5c]));
    for (const name of ['a', 'b', 'c', 'd']) writeFileSync(at(`${name}/file`), name);
    await mirrored();
    expect(await heads()).toMatchObject({ 'a/file': 'a', 'c/file': 'c', 'd/file': 'd' });
  });
});
