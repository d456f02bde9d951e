/**
 * Checks the files that the packages install in addition to the program: manual pages and systemd
 * units.
 */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { Place } from './place.ts';

const UNIT = '/usr/lib/systemd/user/holdfast.service';

/** Throws an error if `man` does not show a manual page of the package. */
export function proveManual({ run }: Place): void {
  const page = run(['env', 'MANWIDTH=80', 'man', 'holdfast-restore']);
  if (!page.includes('OPTIONS')) throw new Error(`man holdfast-restore: no options in:\n${page}`);
  process.stdout.write('man holdfast-restore: shows the page\n');
}

/**
 * Throws an error if systemd does not accept the user unit of the `.deb`, or if the units differ
 * from the output of `service install --print`.
 */
export function proveUnits({ run }: Place): void {
  run(['env', 'XDG_RUNTIME_DIR=/tmp', 'systemd-analyze', 'verify', '--user', UNIT]);
  for (const [options, file] of [
    [[], UNIT],
    [['--system'], '/usr/lib/systemd/system/holdfast-store.service'],
    [['--system'], '/usr/lib/sysusers.d/holdfast.conf'],
    [['--system'], '/usr/lib/tmpfiles.d/holdfast.conf'],
  ] as const) {
    // The first line is a comment about the origin of the file, so it is not compared.
    const [, ...lines] = run(['cat', file]).trimEnd().split('\n');
    const printed = run(['holdfast', 'service', 'install', '--print', ...options]);
    if (!printed.includes(lines.join('\n'))) throw new Error(`${file} is not in:\n${printed}`);
  }
  process.stdout.write('units: valid, and the same as those of holdfast service install\n');
}

/** Throws an error if the user `holdfast` or the home of the store does not exist. */
export function proveStoreUser({ run, inside, home }: Place): void {
  const root = home.slice(0, -inside(home).length);
  if (!readFileSync(join(root, 'etc/passwd'), 'utf8').includes('\nholdfast:'))
    throw new Error('the user holdfast does not exist');
  const owner = run(['stat', '--format=%U %a', '/var/lib/holdfast']).trim();
  if (owner !== 'holdfast 700') throw new Error(`/var/lib/holdfast belongs to ${owner}`);
}

/**
 * Throws an error if Node is on the PATH of the user. The test would then not show that the
 * package's own Node works.
 */
export function proveNoNode({ run }: Place): void {
  const found = run(['sh', '-c', 'command -v node || :']);
  if (found !== '') throw new Error(`Node is on the PATH: ${found}`);
}
