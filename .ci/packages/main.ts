/**
 * `npm run package`: builds the npm tarball, the `.deb`, the `.tar.xz` and the list of components
 * in `packages/`.
 */

import { mkdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';

import { buildPackages } from './build-packages.ts';
import { ROOT } from './npm.ts';

const folder = join(ROOT, 'packages');
rmSync(folder, { recursive: true, force: true });
mkdirSync(folder);
const onStep = (step: string) => process.stdout.write(`building: ${step}\n`);
for (const file of Object.values(buildPackages({ folder, onStep }))) {
  const megabytes = (statSync(file).size / 1e6).toFixed(1);
  process.stdout.write(`packages/${basename(file)}: ${megabytes} MB\n`);
}
process.stdout.write(readFileSync(join(folder, 'SHA256SUMS'), 'utf8'));
