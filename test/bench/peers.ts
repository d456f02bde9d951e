/** Installs the embeddable S3 servers with which the benchmark compares Holdfast, into a folder that git ignores. */

import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const VERSIONS = { fauxqs: '2.4.1', s3rver: '3.7.1' } as const;

export type PeerName = keyof typeof VERSIONS;

const FOLDER = join(import.meta.dirname, '../../.bench/peers');

/**
 * Installs the servers if they are missing. Returns false if this fails. Prints a message first, because the
 * installation takes a while and needs the npm registry.
 */
export function installPeers(): boolean {
  const names = Object.keys(VERSIONS) as PeerName[];
  if (names.every(isInstalled)) return true;
  const wanted = names.map((name) => `${name} ${VERSIONS[name]}`).join(' and ');
  process.stdout.write(`bench: installing ${wanted} into .bench/peers, once\n`);
  mkdirSync(FOLDER, { recursive: true });
  const manifest = { private: true, dependencies: VERSIONS };
  writeFileSync(join(FOLDER, 'package.json'), JSON.stringify(manifest));
  const npm = spawnSync('npm', ['install', '--ignore-scripts'], { cwd: FOLDER, stdio: 'ignore' });
  if (npm.status === 0) return true;
  process.stdout.write(
    'bench: npm could not install the other servers, so their rows are missing\n',
  );
  return false;
}

/** Returns the path of the package's main module, for a dynamic import. */
export function entryOf(name: PeerName): string {
  const entry = { fauxqs: 'dist/app.js', s3rver: 'lib/s3rver.js' }[name];
  return join(folderOf(name), entry);
}

function isInstalled(name: PeerName): boolean {
  const manifest = join(folderOf(name), 'package.json');
  if (!existsSync(manifest)) return false;
  const { version } = JSON.parse(readFileSync(manifest, 'utf8')) as { readonly version: string };
  return version === VERSIONS[name];
}

function folderOf(name: PeerName): string {
  return join(FOLDER, 'node_modules', name);
}
