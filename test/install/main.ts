/**
 * `npm run test:install`: installs the packed tarball as a new user would, with only Node and npm, and uses it from an
 * empty home: `init` with a script's answers, a mirror, a restore and a comparison. It prints the root folder and the
 * time of each step, and fails after more than two minutes. It downloads the dependencies from the registry. Then it
 * tests the shell completion (it needs bash, zsh and fish, and names a missing one), and compares the sizes with
 * docs/start/install.md.
 */

import { lstatSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';

import { isWithinBand, statedMegabytes } from './figures.ts';
import { firstRun } from './first-run.ts';
import { pack } from './npm.ts';
import { emptyPlace, type Place } from './place.ts';
import { proveShells } from './shells.ts';

/** Not in /tmp, which may be too small for a Debian, or may forbid devices. */
const folder = mkdtempSync(join(process.env['TMPDIR'] ?? '/var/tmp', 'holdfast-install-'));

try {
  const tarball = pack(folder);
  const place = emptyPlace(folder);
  process.stdout.write(`in ${place.called}:\n`);
  firstRun(place, tarball);
  const manual = readFileSync(join(place.prefix, 'share/man/man1/holdfast-restore.1'), 'utf8');
  if (!manual.includes('.SH OPTIONS'))
    throw new Error('the manual page holdfast-restore(1) has no options');
  proveShells({ HOME: folder, PATH: `${place.prefix}/bin:${join(folder, 'bin')}:/usr/bin:/bin` });
  checkSizes(tarball, place);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function checkSizes(tarball: string, { prefix }: Place): void {
  const packedBytes = statSync(tarball).size;
  const installedBytes = sizeOf(join(prefix, 'lib/node_modules/holdfast'));
  process.stdout.write(
    `tarball ${megabytes(packedBytes)}, installed ${megabytes(installedBytes)}\n`,
  );
  const stated = statedMegabytes();
  if (!isWithinBand(stated.tarball, packedBytes) || !isWithinBand(stated.installed, installedBytes))
    throw new Error(`docs/start/install.md says ${stated.tarball} MB and ${stated.installed} MB`);
}

function sizeOf(directory: string): number {
  return readdirSync(directory, { recursive: true, encoding: 'utf8' })
    .map((name) => lstatSync(join(directory, name)))
    .reduce((sum, entry) => sum + (entry.isFile() ? entry.size : 0), 0);
}

function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(1)} MB`;
}
