/**
 * Creates archives whose bytes depend only on the commit. All entries have a fixed time, owner,
 * mode and order.
 */

import { execFileSync } from 'node:child_process';
import { chmodSync, lstatSync, lutimesSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { ROOT } from './npm.ts';

/**
 * Returns the paths of all entries in a folder and its subfolders, sorted. A folder comes before
 * its entries.
 */
export function entriesOf(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).toSorted();
}

/**
 * Returns the time for all entries in seconds since 1970. It is `SOURCE_DATE_EPOCH`
 * (https://reproducible-builds.org/specs/source-date-epoch/) if that is set, and otherwise the time
 * of the last commit.
 */
export function sourceDateEpoch(): number {
  const given = process.env['SOURCE_DATE_EPOCH'];
  const last = () => execFileSync('git', ['log', '-1', '--format=%ct'], { cwd: ROOT });
  const seconds = Number(given || String(last()));
  if (Number.isSafeInteger(seconds)) return seconds;
  throw new Error(`read SOURCE_DATE_EPOCH: not a number of seconds: ${given}`);
}

/**
 * Sets the mode and the time of a folder and all its entries. Folders and executable files get the
 * mode 0755, and other files 0644.
 */
export function settle(folder: string, epoch: number): void {
  for (const path of ['.', ...entriesOf(folder)].map((name) => join(folder, name))) {
    const entry = lstatSync(path);
    const isOpen = entry.isDirectory() || (entry.mode & 0o100) !== 0;
    if (!entry.isSymbolicLink()) chmodSync(path, isOpen ? 0o755 : 0o644);
    lutimesSync(path, epoch, epoch);
  }
}

/** Returns the environment for tar, xz and dpkg-deb, without options that the user has set. */
export function archiveEnv(epoch: number): NodeJS.ProcessEnv {
  return { PATH: process.env['PATH'], LC_ALL: 'C', SOURCE_DATE_EPOCH: String(epoch) };
}

/**
 * Creates a `.tar.xz` of a folder whose modes and times are fixed. `level` is the compression level
 * of xz.
 */
export function tarXz(folder: string, file: string, epoch: number, level: number): void {
  const fixed = ['--format=gnu', '--sort=name', '--owner=0', '--group=0', '--numeric-owner'];
  // With at least two threads, xz writes blocks of the same size whatever the number of threads is.
  const compressed = [`--use-compress-program=xz -T2 -${level}`, '--create', '--file', file];
  const parts = ['--directory', dirname(folder), folder.slice(dirname(folder).length + 1)];
  execFileSync('tar', [...fixed, ...compressed, ...parts], { env: archiveEnv(epoch) });
}
