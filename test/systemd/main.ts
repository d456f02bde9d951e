/**
 * `npm run test:systemd [-- --install]`: tests Holdfast as a service of systemd in a Debian system. debootstrap creates
 * the Debian system, and the test boots it in separate namespaces. There, the test installs the npm package. A user
 * runs a daemon as a user service, and a store runs as a system service. The user attacks the store, and then both
 * services are upgraded. Finally the `.deb` replaces the npm package, is upgraded and is purged. The test needs root,
 * debootstrap and a cgroup2 hierarchy, and reports which of them is missing.
 */

import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

import { buildPackages } from '../../.ci/packages/build-packages.ts';
import { npm, pack } from '../../.ci/packages/npm.ts';
import { aptLine, install } from '../clients/tools.ts';
import { Debian, missingForDebian } from '../install/debian.ts';
import { Machine, PACKAGES } from './machine.ts';

const NEWER = '99.0.0';
const { values } = parseArgs({ options: { install: { type: 'boolean', default: false } } });

if (values.install) install(['debootstrap']);
const missing = missingForDebian();
if (missing !== undefined) {
  throw new Error(
    `boot Debian: ${missing}; ${aptLine(['debootstrap'])}, or: npm run test:systemd -- --install`,
  );
}
/**
 * The folder is not in /tmp, which may be too small for a Debian system or may forbid device files.
 */
const folder = mkdtempSync(join(process.env['TMPDIR'] ?? '/var/tmp', 'holdfast-systemd-'));
try {
  await prove();
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function prove(): Promise<void> {
  const tarball = pack(folder);
  const debian = new Debian(join(folder, 'debian'), PACKAGES);
  debian.addNode();
  debian.addPerson('ann');
  debian.install(tarball);
  cpSync(import.meta.dirname, join(debian.folder, 'srv/lane'), { recursive: true });
  process.stdout.write(`booting: ${debian.called}\n`);
  await booted(debian, (machine) => {
    machine.run('ann', '/srv/lane/person.sh');
    machine.run('root', '/srv/lane/store.sh');
    machine.run('ann', '/srv/lane/apart.sh');
    debian.install(newer(tarball));
    machine.run('root', '/srv/lane/upgraded.sh');
    machine.run('ann', '/srv/lane/again.sh');
  });
  await booted(debian, (machine) => machine.run('ann', '/srv/lane/rebooted.sh'));
  const packages = join(folder, 'packages');
  mkdirSync(packages);
  const { deb } = buildPackages({ folder: packages, level: 0 });
  debian.take(buildPackages({ folder: packages, version: NEWER, level: 0 }).deb);
  debian.run('root', ['npm', 'uninstall', '--global', 'holdfast']);
  debian.run('root', [
    'apt-get',
    '-qq',
    '-o',
    'Dpkg::Use-Pty=0',
    'install',
    '--yes',
    debian.take(deb),
  ]);
  await booted(debian, (machine) => {
    machine.run('root', '/srv/lane/deb-store.sh');
    machine.run('ann', '/srv/lane/deb-user.sh');
    machine.run('root', '/srv/lane/deb-newer.sh');
    machine.run('ann', '/srv/lane/deb-upgraded.sh');
    machine.run('root', '/srv/lane/deb-purged.sh');
  });
}

async function booted(debian: Debian, use: (machine: Machine) => void): Promise<void> {
  const machine = await Machine.boot(debian);
  try {
    use(machine);
  } finally {
    await machine.stop();
  }
}

/** Packs the tarball again with a later version number, and returns the path of the new tarball. */
function newer(tarball: string): string {
  const place = join(folder, 'newer');
  mkdirSync(place);
  execFileSync('tar', ['-xzf', tarball, '-C', place]);
  const manifest = join(place, 'package/package.json');
  const text = readFileSync(manifest, 'utf8');
  writeFileSync(manifest, text.replace(/"version": "[^"]*"/, `"version": "${NEWER}"`));
  const args = ['pack', join(place, 'package'), '--ignore-scripts', '--silent'];
  return join(place, npm([...args, '--pack-destination', place]).trim());
}
