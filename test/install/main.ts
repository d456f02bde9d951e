/**
 * `npm run test:install`: the packed tarball is installed as a newcomer would, with nothing there but Node and npm, and
 * used from an empty home: set up by a script's answers, mirrored, restored, compared. It says in which root, and how long each
 * step took, and fails beyond two minutes. It asks the registry for the dependencies. Then the shells complete it (that needs
 * bash, zsh and fish, and fails by name without), and the sizes are held against those of the README.
 */

import { lstatSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';

import { isWithinBand, statedMegabytes } from './figures.ts';
import { firstRun } from './first-run.ts';
import { pack } from './npm.ts';
import { emptyPlace, type Place } from './place.ts';
import { proveShells } from './shells.ts';

/** Not /tmp, which may be too small for a Debian, or forbid devices. */
const folder = mkdtempSync(join(process.env['TMPDIR'] ?? '/var/tmp', 'holdfast-install-'));

try {
  const tarball = pack(folder);
  const place = emptyPlace(folder);
  process.stdout.write(`in ${place.called}:\n`);
  firstRun(place, tarball);
  const manual = readFileSync(join(place.prefix, 'share/man/man1/holdfast.1'), 'utf8');
  if (!manual.includes('.SH COMMANDS')) throw new Error('find manual page: it has no commands');
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
    throw new Error(`the README says ${stated.tarball} MB and ${stated.installed} MB`);
}

function sizeOf(directory: string): number {
  return readdirSync(directory, { recursive: true, encoding: 'utf8' })
    .map((name) => lstatSync(join(directory, name)))
    .reduce((sum, entry) => sum + (entry.isFile() ? entry.size : 0), 0);
}

function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(1)} MB`;
}
