/**
 * Tests of operating system errors in all commands that read or write files. The message must
 * explain the error and contain the path.
 */

import { chmodSync, mkdirSync, mkdtempSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, expect, it } from 'vitest';

import { runCliHere } from '../helpers/run-cli.ts';
import { type DaemonHere, startDaemonHere } from '../helpers/daemon-here.ts';
import { makeHome } from '../helpers/daemon-process.ts';
import { removeFolder } from '../helpers/temporary-folder.ts';

let folder: string;
let daemon: DaemonHere;
let env: Record<string, string>;

/**
 * Creates a job with one file, an unwritable folder, an unreadable file, and a symbolic link that
 * points to itself.
 */
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'hf-fail-'));
  for (const name of ['docs', 'shut', 'up']) mkdirSync(join(folder, name));
  for (const name of ['docs/plan', 'shut/file', 'up/locked', 'up/open'])
    writeFileSync(join(folder, name), 'content');
  symlinkSync('loop', join(folder, 'loop'));
  makeHome(join(folder, 'home'));
  chmodSync(join(folder, 'up/locked'), 0);
  chmodSync(join(folder, 'shut'), 0o500);
  daemon = await startDaemonHere(join(folder, 'home'));
  await daemon.client.call('jobs.add', { folder: join(folder, 'docs') });
  await daemon.client.call('jobs.settled', { name: 'docs' });
  const key = await daemon.client.call('credentials', {});
  env = {
    HOLDFAST_TARGET_ACCESS_KEY_ID: key.accessKeyId,
    HOLDFAST_TARGET_SECRET_ACCESS_KEY: key.secretAccessKey,
    ENDPOINT: key.endpointUrl,
  };
});

afterAll(async () => {
  await daemon.stop();
  removeFolder(folder);
});

const FROM = 'restore --from ENDPOINT/docs --protocol svc --to';

it.each([
  [
    's3 get docs/plan shut/out',
    'cannot write FOLDER/shut/out: permission denied',
    'change the permissions',
  ],
  [
    's3 get docs/plan loop/out',
    'cannot write FOLDER/loop/out: the path has too many symbolic links',
  ],
  ['s3 get docs/plan LONG', 'the path is too long for the file system', 'choose a shorter path'],
  ['s3 get docs/plan /dev/full', 'cannot write /dev/full: the disk is full', 'free disk space'],
  ['s3 put up/locked docs/x', 'read FOLDER/up/locked: permission denied', 'change the permissions'],
  ['s3 put loop docs/x', 'read FOLDER/loop: the path has too many symbolic links'],
  ['s3 cp ./up/locked docs/x', 'read FOLDER/up/locked: permission denied'],
  ['s3 cp ./LONG docs/x', 'the path is too long for the file system'],
  ['s3 cp docs/plan ./shut/out', 'cannot write FOLDER/shut/out: permission denied'],
  ['s3 cp --recursive docs ./shut/below', 'cannot write FOLDER/shut/below: permission denied'],
  ['s3 cp --recursive docs ./loop/below', 'too many symbolic links'],
  [
    'restore docs --to shut/back',
    'cannot restore into FOLDER/shut/back: permission denied',
    'another folder',
  ],
  ['restore docs --to loop/back', 'too many symbolic links'],
  ['restore docs --to LONG', 'the path is too long for the file system'],
  ['restore docs --to home/back', 'it is inside FOLDER/home, which Holdfast uses for its own data'],
  [`${FROM} shut/back`, 'cannot restore into FOLDER/shut/back: permission denied'],
  [`${FROM} loop/back`, 'too many symbolic links'],
  [`${FROM} LONG`, 'the path is too long for the file system'],
  ['s3 get docs/plan up/new --key-file up/locked', 'up/locked: permission denied'],
  ['s3 policy set docs up/locked', 'read FOLDER/up/locked: permission denied'],
  ['admin backup-state shut/saved', 'permission denied'],
  ['admin backup-state loop/saved', 'too many symbolic links'],
  ['support-bundle shut/bundle', 'cannot create folder FOLDER/shut/bundle: permission denied'],
  ['support-bundle LONG', 'the path is too long for the file system'],
  ['job add loop', 'cannot back up FOLDER/loop: the path has too many symbolic links'],
  ['job add shut/file/below', 'a part of the path is not a folder'],
])('`%s` fails with the message "%s"', async (line, words, hint = '') => {
  const { ENDPOINT = '' } = env;
  const typed = line.replace('ENDPOINT', ENDPOINT).replace('LONG', 'n'.repeat(300));
  const argv = typed.split(' ');
  const options = { cwd: folder, env };
  const result = await runCliHere([...argv, '--home', join(folder, 'home')], options);
  const said = result.stdout + result.stderr;
  expect({ said, exitCode: result.exitCode }).toEqual({
    said: expect.stringContaining(words.replace('FOLDER', folder)) as string,
    exitCode: 1,
  });
  expect(said).toContain(hint);
  expect(said).not.toMatch(/\bE[A-Z]{3,}:|defect|\n {4}at /);
});
