/** Builds all packages of one version of the program. */

import { createHash } from 'node:crypto';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';

import manifest from '../../package.json' with { type: 'json' };
import { componentsText } from './components.ts';
import { debianVersion, makeDeb } from './deb.ts';
import { pack } from './npm.ts';
import { makePrefix } from './prefix.ts';
import { settle, sourceDateEpoch, tarXz } from './reproducible.ts';

export interface BuildOptions {
  /** Folder in which the packages are created. It must be empty. */
  readonly folder: string;
  /** Version of the packages. Tests build the same program with different versions. */
  readonly version?: string;
  /** Compression level of xz. */
  readonly level?: number;
  /** Called before each step, which can take a minute. */
  readonly onStep?: (step: string) => void;
}

export interface Packages {
  readonly npm: string;
  readonly deb: string;
  readonly tarXz: string;
}

/**
 * Builds the packages from `dist`, which `npm run build` must have created. Throws an error on any
 * system except Linux on x64.
 */
export function buildPackages({
  folder,
  version = manifest.version,
  level = 6,
  onStep = () => undefined,
}: BuildOptions): Packages {
  if (`${process.platform}-${process.arch}` !== 'linux-x64')
    throw new Error(
      'cannot build the packages: they contain programs for Linux on x64 and can be built only there',
    );
  const epoch = sourceDateEpoch();
  const work = mkdtempSync(join(tmpdir(), 'holdfast-packages-'));
  try {
    onStep('npm package');
    const unpacked = unpackNpmPackage(work, version, epoch);
    const npm = pack(folder, unpacked);
    onStep('program with Node');
    const named = `holdfast-${version}-linux-x64`;
    const prefix = join(work, named);
    makePrefix(prefix, unpacked);
    settle(prefix, epoch);
    const packages = {
      npm,
      deb: join(folder, `holdfast_${debianVersion(version)}_amd64.deb`),
      tarXz: join(folder, `${named}.tar.xz`),
    };
    onStep(basename(packages.deb));
    const root = join(work, 'root');
    complete(packages.deb, (file) => makeDeb({ root, prefix, version, epoch, level }, file));
    onStep(basename(packages.tarXz));
    complete(packages.tarXz, (file) => tarXz(prefix, file, epoch, level));
    onStep('list of components and checksums');
    const components = join(folder, `holdfast-${version}.cdx.json`);
    writeFileSync(components, componentsText(version, epoch));
    writeSums(folder, [...Object.values(packages), components]);
    return packages;
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

/** Creates a file under another name and renames it, so that the file is complete when it exists. */
function complete(file: string, create: (file: string) => void): void {
  const partial = `${file}.partial`;
  create(partial);
  renameSync(partial, file);
}

/**
 * Returns the folder of the npm package. File modes and times in the folder are fixed, because npm
 * would otherwise copy those of the checkout into the tarball.
 */
function unpackNpmPackage(work: string, version: string, epoch: number): string {
  const first = pack(work);
  execFileSync('tar', ['--extract', '--gzip', '--file', first, '--directory', work]);
  const unpacked = join(work, 'package');
  const file = join(unpacked, 'package.json');
  const text = readFileSync(file, 'utf8');
  writeFileSync(file, text.replace(`"version": "${manifest.version}"`, `"version": "${version}"`));
  settle(unpacked, epoch);
  return unpacked;
}

/** Writes the checksum file `SHA256SUMS`, which `sha256sum --check` reads. */
function writeSums(folder: string, files: readonly string[]): void {
  const lines = files.map((file) => {
    const sha256 = createHash('sha256').update(readFileSync(file));
    return `${sha256.digest('hex')}  ${basename(file)}\n`;
  });
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'SHA256SUMS'), lines.join(''));
}
