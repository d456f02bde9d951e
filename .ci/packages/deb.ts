/**
 * Builds the `.deb` for amd64. The package installs the program below `/usr`, and contains systemd
 * units and maintainer scripts.
 */

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

/** Folder with the maintainer scripts and texts of the package. */
const DEBIAN = join(import.meta.dirname, 'debian');
const SCRIPTS = ['postinst', 'prerm', 'postrm'];
/**
 * Debian policy (5.6.2) requires a name and an e-mail address, and allows no web address instead.
 * The maintainers have no public address yet. An address in the domain `.invalid` (RFC 2606) cannot
 * belong to another person or receive mail, in contrast to one in a real domain or `localhost`.
 */
const MAINTAINER = 'Holdfast maintainers <maintainers@holdfast.invalid>';

/**
 * C libraries that Node and the native modules need. They exist in Debian 12, Ubuntu 22.04 and
 * newer releases.
 */
const DEPENDS = 'libc6 (>= 2.34), libgcc-s1, libstdc++6 (>= 11)';

export interface Deb {
  /** Path for the files of the package. The folder must not exist yet. */
  readonly root: string;
  /** Folder with `bin`, `lib` and `share`, which is copied to `/usr` in the package. */
  readonly prefix: string;
  readonly version: string;
  readonly epoch: number;
  /** Compression level of xz. */
  readonly level: number;
}

/**
 * Returns the Debian version of a package. In Debian versions, `~` sorts a pre-release before its
 * release, as `-` does in npm versions.
 */
export function debianVersion(version: string): string {
  return version.replace('-', '~');
}

/** Builds the package and writes it to `file`. */
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
  // zsh in Debian searches another folder for the completions of packages.
  renameSync(join(usr, 'share/zsh/site-functions'), join(usr, 'share/zsh/vendor-completions'));
  // The copyright file refers to the copy of the licence that every Debian system contains, so the
  // package needs no copy.
  rmSync(join(usr, DOC, 'LICENSE'));
  const unit = { program: INSTALLED_PROGRAM, environment: {} };
  for (const { packagedPath = '', text } of [userFile('', unit), ...storeFiles(INSTALLED_PROGRAM)])
    write(packagedPath, packagedText(text));
  copyFileSync(join(DEBIAN, 'copyright'), join(usr, DOC, 'copyright'));
  write('usr/share/lintian/overrides/holdfast', readFileSync(join(DEBIAN, 'lintian-overrides')));
  write(join('usr', DOC, 'changelog.gz'), gzipSync(changelog(version, epoch), { level: 9 }));
}

/**
 * Returns a changelog in the form that Debian tools require. CHANGELOG.md in the same folder lists
 * the changes themselves.
 */
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
