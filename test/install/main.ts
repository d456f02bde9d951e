/**
 * `npm run test:install`: builds the packages, and installs, uses, upgrades and removes each of
 * them as a new user does, in an empty environment. The test runs `init` with scripted answers,
 * backs up a folder, restores it and compares the files. It prints the environment and the time of
 * each step, and fails if the steps take more than two minutes. The npm package gets its
 * dependencies from the registry. The test also checks the manual pages, the units and the shell
 * completion, and compares the package sizes with docs/start/install.md.
 */

import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
} from 'node:fs';
import { join } from 'node:path';

import { buildPackages, type Packages } from '../../.ci/packages/build-packages.ts';
import { isWithinBand, statedMegabytes } from './figures.ts';
import { firstRun, remove, upgrade } from './first-run.ts';
import { proveManual, proveNoNode, proveStoreUser, proveUnits } from './installed-files.ts';
import { emptyPlaces, type Place } from './place.ts';
import { proveShells } from './shells.ts';

const NEWER = '99.0.0';

/**
 * The folder is not in /tmp, which may be too small for a Debian system or may forbid device files.
 */
const folder = mkdtempSync(join(process.env['TMPDIR'] ?? '/var/tmp', 'holdfast-install-'));

try {
  const packages = build('packages');
  checkComponents(join(folder, 'packages'));
  const newer = build('newer', NEWER);
  const places = emptyPlaces(folder);
  for (const [kind, place] of Object.entries(places) as [keyof Packages, Place][]) {
    process.stdout.write(`in ${place.called}:\n`);
    if (kind !== 'npm') proveNoNode(place);
    firstRun(place, packages[kind]);
    if (places.deb) proveManual(place);
    if (kind === 'npm') checkSizes(packages.npm, place);
    if (kind === 'deb') {
      proveUnits(place);
      proveStoreUser(place);
    }
    proveShells(place, kind === 'deb' ? 'by itself' : 'by a line');
    upgrade(place, newer[kind], NEWER);
    remove(place);
  }
  if (!places.deb) throw new Error('cannot install the .deb: the test needs root and debootstrap');
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** Builds the packages with a low compression level, which affects only their sizes. */
function build(name: string, version?: string): Packages {
  const into = join(folder, name);
  mkdirSync(into);
  return buildPackages({ folder: into, level: 0, ...(version === undefined ? {} : { version }) });
}

/**
 * Throws an error if the list of components lacks a dependency, an included package or Node, or
 * contains a development tool.
 */
function checkComponents(packages: string): void {
  const file = readdirSync(packages).find((name) => name.endsWith('.cdx.json')) ?? '';
  const { components } = JSON.parse(readFileSync(join(packages, file), 'utf8')) as {
    readonly components: readonly { readonly name: string }[];
  };
  const names = new Set(components.map(({ name }) => name));
  for (const [name, isThere] of [
    ['better-sqlite3', true],
    ['ink', true],
    ['nodejs', true],
    ['vitest', false],
  ] as const) {
    if (names.has(name) !== isThere)
      throw new Error(`${file}: ${name} is ${isThere ? 'missing' : 'listed'}`);
  }
}

function checkSizes(tarball: string, { program }: Place): void {
  const packedBytes = statSync(tarball).size;
  const installedBytes = sizeOf(program);
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
