/**
 * Creates the folder that the `.deb` and the `.tar.xz` contain. It has the subfolders `bin`, `lib`
 * and `share`, as `/usr` has.
 */

import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  globSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';

import { DAEMON_ASSIGNMENTS, V8_FLAGS } from '../../src/cli/node-options.ts';
import { copyNode } from './node-program.ts';
import { npm, ROOT } from './npm.ts';
import { entriesOf } from './reproducible.ts';

/** Paths in the created folder. */
export const LIB = 'lib/holdfast';
export const DOC = 'share/doc/holdfast';
const PROGRAM = join(LIB, 'dist/src/cli/main.js');

/**
 * Path of each shell's completion script. Each shell searches its folder for a file with this name.
 */
const COMPLETIONS = {
  bash: 'share/bash-completion/completions/holdfast',
  zsh: 'share/zsh/site-functions/_holdfast',
  fish: 'share/fish/vendor_completions.d/holdfast.fish',
};

/**
 * Files of the dependencies that the packages do not need: sources of native modules, and binaries
 * for other systems.
 */
const UNUSED = [
  '**/.npmignore',
  '.bin',
  '.package-lock.json',
  'better-sqlite3/{binding.gyp,deps,src}',
  'better-sqlite3/prebuilds/!(linux-x64.node)',
  '@koromix/koffi-linux-x64/musl_x64',
  'fast-xml-parser/src/cli',
  'koffi/{cnoke.cjs,doc,src/koffi/src/trampolines.cjs,vendor}',
  'node-addon-api',
];

/**
 * Launcher that starts the program with the Node of the package. It also works through symbolic
 * links in any folder.
 */
const LAUNCHER = `#!/bin/sh
own=$(readlink -f "$0")
lib=\${own%/bin/holdfast}/${LIB}
export ${DAEMON_ASSIGNMENTS.join(' ')}
exec "$lib/node" ${V8_FLAGS.join(' ')} "$lib/${PROGRAM.slice(LIB.length + 1)}" "$@"
`;

/** Command with which systemd units run the program if it is installed below `/usr`. */
export const INSTALLED_PROGRAM = {
  node: join('/usr', LIB, 'node'),
  script: join('/usr', PROGRAM),
};

/** Creates the folder. Moves the files of the unpacked npm tarball into it. */
export function makePrefix(prefix: string, unpacked: string): void {
  const inPrefix = (path: string) => {
    mkdirSync(dirname(join(prefix, path)), { recursive: true });
    return join(prefix, path);
  };
  for (const name of readdirSync(unpacked)) {
    const isProgram = name === 'dist' || name === 'package.json';
    renameSync(join(unpacked, name), inPrefix(join(isProgram ? LIB : DOC, name)));
  }
  for (const name of readdirSync(join(prefix, LIB, 'dist')).filter((each) => each.endsWith('.1'))) {
    const page = join(prefix, LIB, 'dist', name);
    writeFileSync(
      inPrefix(`share/man/man1/${name}.gz`),
      gzipSync(readFileSync(page), { level: 9 }),
    );
    rmSync(page);
  }
  installDependencies(join(prefix, LIB));
  copyNode(join(prefix, LIB, 'node'), join(prefix, DOC, 'node-LICENSE'));
  writeFileSync(inPrefix('bin/holdfast'), LAUNCHER, { mode: 0o755 });
  for (const [shell, file] of Object.entries(COMPLETIONS)) {
    const args = [join(prefix, PROGRAM), 'completion', shell];
    writeFileSync(inPrefix(file), execFileSync(process.execPath, args));
  }
}

/**
 * Installs the dependencies in the versions of the lockfile. npm verifies the checksum of each
 * dependency.
 */
function installDependencies(lib: string): void {
  const lock = join(lib, 'package-lock.json');
  const manifest = join(lib, 'package.json');
  const text = readFileSync(manifest);
  // Tests may change the version of the package. npm compares package.json with the lockfile, so
  // the original is used here.
  copyFileSync(join(ROOT, 'package.json'), manifest);
  copyFileSync(join(ROOT, 'package-lock.json'), lock);
  const system = ['--os=linux', '--cpu=x64', '--libc=glibc'];
  npm(['ci', '--omit=dev', '--ignore-scripts', '--prefer-offline', '--silent', ...system], {
    cwd: lib,
  });
  writeFileSync(manifest, text);
  rmSync(lock);
  const modules = join(lib, 'node_modules');
  for (const name of globSync(UNUSED, { cwd: modules }))
    rmSync(join(modules, name), { recursive: true });
  // Removes the execute permission of all files, because Holdfast runs no program of its
  // dependencies.
  for (const name of entriesOf(modules)) {
    const path = join(modules, name);
    if (lstatSync(path).isFile()) chmodSync(path, 0o644);
  }
}
