/** Tests that release archives depend only on the content of their files. */

import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  mkdirSync,
  readFileSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { debianVersion } from '../../../.ci/packages/deb.ts';
import { settle, tarXz } from '../../../.ci/packages/reproducible.ts';
import { temporaryFolder } from '../../helpers/temporary-folder.ts';

const EPOCH = 1_790_000_000;
const FILES = { 'bin/program': '#!/bin/sh\n', 'share/b': 'b\n', 'share/a': 'a\n' };

/** Writes the files in the order of `names`, with modes and times that differ between calls. */
function folderWith(names: readonly (keyof typeof FILES)[], time: number, mode: number): string {
  const folder = join(temporaryFolder('hf-archive'), 'program-1.0.0');
  for (const name of names) {
    const file = join(folder, name);
    mkdirSync(join(file, '..'), { recursive: true, mode: 0o700 + mode });
    writeFileSync(file, FILES[name]);
    chmodSync(file, name === 'bin/program' ? 0o700 + mode : 0o600 + mode);
    utimesSync(file, time, time);
  }
  symlinkSync('a', join(folder, 'share/link'));
  return folder;
}

test('the same files give the same archive, whatever their modes, times and order are', () => {
  const archives = [
    folderWith(['bin/program', 'share/a', 'share/b'], 1_700_000_000, 0o44),
    folderWith(['share/b', 'share/a', 'bin/program'], 1_600_000_000, 0o66),
  ].map((folder) => {
    settle(folder, EPOCH);
    const file = `${folder}.tar.xz`;
    tarXz(folder, file, EPOCH, 0);
    return file;
  });
  const [first, second] = archives.map((file) => readFileSync(file).toString('hex'));
  expect(first).toBe(second);
  const listed = execFileSync('tar', ['-tvJf', archives[0] ?? ''], {
    encoding: 'utf8',
    env: { ...process.env, TZ: 'UTC' },
  });
  expect(listed.trimEnd().split('\n')).toEqual(
    [
      'drwxr-xr-x 0/0 0 2026-09-21 14:13 program-1.0.0/',
      'drwxr-xr-x 0/0 0 2026-09-21 14:13 program-1.0.0/bin/',
      '-rwxr-xr-x 0/0 10 2026-09-21 14:13 program-1.0.0/bin/program',
      'drwxr-xr-x 0/0 0 2026-09-21 14:13 program-1.0.0/share/',
      '-rw-r--r-- 0/0 2 2026-09-21 14:13 program-1.0.0/share/a',
      '-rw-r--r-- 0/0 2 2026-09-21 14:13 program-1.0.0/share/b',
      'lrwxrwxrwx 0/0 0 2026-09-21 14:13 program-1.0.0/share/link -> a',
    ].map((line) => expect.stringMatching(pattern(line)) as string),
  );
});

/** Matches a line of `tar -tv`, whose columns are aligned. */
function pattern(line: string): RegExp {
  return new RegExp(`^${line.replaceAll('.', '\\.').replaceAll(' ', ' +')}$`);
}

test('dpkg sorts the package of a release candidate before the package of the release', () => {
  const versions = [debianVersion('1.0.0-rc.1'), 'lt', debianVersion('1.0.0')];
  execFileSync('dpkg', ['--compare-versions', ...versions]);
  expect(versions).toEqual(['1.0.0~rc.1', 'lt', '1.0.0']);
});
