/** Builds the `.deb` for amd64. It installs the prefix as `/usr`, with units of systemd and the scripts of the package. */

import { createHash } from 'node:crypto';
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  cpSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';

import manifest from '../../package.json' with { type: 'json' };
import { storeFiles, userFile } from '../../src/cli/commands/service/systemd-files.ts';
import { packagedText } from '../../src/cli/commands/service/systemd-units.ts';
import { DOC, INSTALLED_PROGRAM } from './prefix.ts';
import { archiveEnv, entriesOf, settle } from './reproducible.ts';

/** The scripts and texts of the package. */
const DEBIAN = join(import.meta.dirname, 'debian');
const SCRIPTS = ['postinst', 'prerm', 'postrm'];
/** There is no public address yet. The domain `.invalid` never exists (RFC 2606). */
const MAINTAINER = 'Holdfast maintainers <maintainers@holdfast.invalid>';

/** The C libraries that Node and the native modules need: Debian 12, Ubuntu 22.04 or newer. */
const DEPENDS = 'libc6 (>= 2.34), libgcc-s1, libstdc++6 (>= 11)';

export interface Deb {
  /** A folder that does not exist yet, for the files of the package. */
  readonly root: string;
  /** The prefix, which is copied. */
  readonly prefix: string;
  readonly version: string;
  readonly epoch: number;
  /** The compression level of xz. */
  readonly level: number;
}

/** Returns the version of the package. In a version for Debian, `~` sorts before the release, as `-` does for npm. */
export function debianVersion(version: string): string {
  return version.replace('-', '~');
}

/** Writes the package to `file`. */
export function makeDeb(deb: Deb, file: string): void {
  const { root, epoch, level } = deb;
  fillRoot(deb);
  writeControl(deb);
  settle(root, epoch);
  for (const script of SCRIPTS) chmodSync(join(root, 'DEBIAN', script), 0o755);
  const how = ['--root-owner-group', '-Zxz', `-z${level}`, '--build', root, file];
  execFileSync('dpkg-deb', how, { env: archiveEnv(epoch), stdio: ['ignore', 'ignore', 'inherit'] });
}

function fillRoot({ root, prefix, version, epoch }: Deb): void {
  const usr = join(root, 'usr');
  cpSync(prefix, usr, { recursive: true });
  const write = (path: string, text: string | Uint8Array) => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  };
  // zsh of Debian has another folder for completions of packages.
  renameSync(join(usr, 'share/zsh/site-functions'), join(usr, 'share/zsh/vendor-completions'));
  // The copyright file refers to the copy of this licence that every Debian has.
  rmSync(join(usr, DOC, 'LICENSE'));
  const unit = { program: INSTALLED_PROGRAM, environment: {} };
  for (const { packagedPath = '', text } of [userFile('', unit), ...storeFiles(INSTALLED_PROGRAM)])
    write(packagedPath, packagedText(text));
  copyFileSync(join(DEBIAN, 'copyright'), join(usr, DOC, 'copyright'));
  write('usr/share/lintian/overrides/holdfast', readFileSync(join(DEBIAN, 'lintian-overrides')));
  write(join('usr', DOC, 'changelog.gz'), gzipSync(changelog(version, epoch), { level: 9 }));
}

/** The form that Debian's tools read. The changes themselves are in CHANGELOG.md beside it. */
function changelog(version: string, epoch: number): string {
  const date = new Date(epoch * 1_000).toUTCString().replace('GMT', '+0000');
  return (
    `holdfast (${debianVersion(version)}) stable; urgency=medium\n\n` +
    `  * Release ${version}. CHANGELOG.md in this folder lists the changes.\n\n` +
    ` -- ${MAINTAINER}  ${date}\n`
  );
}

function writeControl({ root, version }: Deb): void {
  const control = join(root, 'DEBIAN');
  mkdirSync(control);
  const files = entriesOf(root).filter((path) => lstatSync(join(root, path)).isFile());
  const kilobytes = files.map((path) => Math.ceil(lstatSync(join(root, path)).size / 1_024));
  const fields = {
    Package: manifest.name,
    Version: debianVersion(version),
    Section: 'utils',
    Priority: 'optional',
    Architecture: 'amd64',
    Maintainer: MAINTAINER,
    'Installed-Size': kilobytes.reduce((sum, each) => sum + each, 0),
    Depends: DEPENDS,
    Suggests: 'bash-completion, man-db',
    Description: readFileSync(join(DEBIAN, 'description'), 'utf8').trimEnd(),
  };
  const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}\n`);
  writeFileSync(join(control, 'control'), lines.join(''));
  const sums = files.map((path) => {
    const md5 = createHash('md5').update(readFileSync(join(root, path)));
    return `${md5.digest('hex')}  ${path}\n`;
  });
  writeFileSync(join(control, 'md5sums'), sums.join(''));
  for (const script of SCRIPTS) copyFileSync(join(DEBIAN, script), join(control, script));
}
