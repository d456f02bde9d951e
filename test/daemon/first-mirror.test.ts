/** Tests `up FOLDER --once` and `restore` together, by backing up and restoring a whole folder. */

import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  lutimesSync,
  mkdirSync,
  readdirSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';

import { expect, it, onTestFinished } from 'vitest';

import { startDaemonHere } from '../helpers/daemon-here.ts';
import { withoutProgress } from '../helpers/cli-process.ts';
import { makeHome } from '../helpers/daemon-process.ts';
import { runCliHere } from '../helpers/run-cli.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';
import { makeTree } from '../helpers/tree.ts';
import { picture } from '../helpers/tree-picture.ts';

const UNREADABLE = 'modes/secret.txt';

/** Size in bytes of a file that is uploaded in several parts. */
const LARGE_BYTES = 40 * 2 ** 20;

/**
 * Creates a folder that is difficult to back up: unusual names, modes and times, symbolic links,
 * and an unreadable file.
 */
function makeDifficultTree(root: string): void {
  const write = (path: string, content: string | Uint8Array, mode = 0o644) => {
    const file = join(root, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, content);
    chmodSync(file, mode);
  };
  write('name with spaces  .txt', 'two at the end');
  write('Grüße/日本語/emoji 🗄️.md', '# ok');
  write('line\nfeed\tand "quotes" \\ %2F & <xml>.txt', 'x');
  write('empty file', '');
  write('large.bin', randomBytes(LARGE_BYTES));
  write('modes/private', 'p', 0o600);
  write('modes/program', '#!/bin/sh\n', 0o755);
  write('modes/read-only', 'r', 0o444);
  write('private folder/inside', 'i');
  write(UNREADABLE, 'no process reads this', 0o000);
  mkdirSync(join(root, 'empty/also empty'), { recursive: true });
  mkdirSync(join(root, 'links'));
  symlinkSync('nowhere/at all', join(root, 'links/dangling'));
  symlinkSync('/etc/hostname', join(root, 'links/absolute'));
  symlinkSync('../links', join(root, 'links/loop'));
  symlinkSync('../large.bin', join(root, 'links/relative'));
  chmodSync(join(root, 'private folder'), 0o700);
  chmodSync(join(root, 'empty'), 0o750);
  utimesSync(join(root, 'modes/private'), 1, 0.123_456);
  // Sets a modification time before 1970 with nanoseconds. Node cannot set such a time.
  execFileSync('touch', ['-d', '1969-12-30T10:00:00.123456789Z', join(root, 'modes/program')]);
  lutimesSync(join(root, 'links/dangling'), 1, 978_307_200.75);
}

it('one command backs up a folder, and a restore returns every file except the unreadable file', async () => {
  const folder = temporaryFolder('hf-first');
  const root = join(folder, 'Fotos & mehr');
  const home = join(folder, 'home');
  const back = join(folder, 'back');
  makeDifficultTree(root);
  makeTree(join(root, 'many'), 500);
  makeHome(home);
  const files = readdirSync(root, { recursive: true, withFileTypes: true });
  const readable = files.filter((entry) => entry.isFile()).length - 1;

  const up = withoutProgress(await runCliHere(['up', root, '--once', '--home', home]));
  expect(up).toMatchObject({ exitCode: 3, stderr: '' });
  expect(up.stdout).toContain(`1 problem:\n`);
  expect(up.stdout).toContain(`${UNREADABLE}: unreadable`);
  expect(up.stdout).toContain(
    'kept against mistakes only: the store is on the same disk as the folder',
  );
  expect(up.stdout).toMatch(/[\d,]+ files, [\d.]+ MB in [\d.]+ s: [\d,]+ sent/);

  const daemon = await startDaemonHere(home);
  onTestFinished(() => daemon.stop());
  const { job } = await daemon.client.call('jobs.settled', { name: 'fotos-mehr' });
  expect(job).toMatchObject({
    state: 'watching',
    inSync: false,
    counts: { files: readable, uploadedVersions: 0, problems: 1 },
    problems: [{ path: UNREADABLE, code: 'unreadable' }],
  });

  const restored = await runCliHere(['restore', job.name, '--to', back, '--home', home]);
  expect(withoutProgress(restored)).toMatchObject({ exitCode: 0, stderr: '' });
  rmSync(join(root, UNREADABLE));
  expect(picture(back)).toEqual(picture(root));
});
