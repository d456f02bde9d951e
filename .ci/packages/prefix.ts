/** Creates the folder that the `.deb` and the `.tar.xz` contain: `bin`, `lib` and `share`, as below `/usr`. */

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

import { V8_FLAGS } from '../../src/cli/v8-flags.ts';
import { copyNode } from './node-program.ts';
import { npm, ROOT } from './npm.ts';
import { entriesOf } from './reproducible.ts';

/** Paths in the prefix. */
export const LIB = 'lib/holdfast';
export const DOC = 'share/doc/holdfast';
const PROGRAM = join(LIB, 'dist/src/cli/main.js');

/** The completion script of each shell. Each shell finds its file there by its name. */
const COMPLETIONS = {
  bash: 'share/bash-completion/completions/holdfast',
  zsh: 'share/zsh/site-functions/_holdfast',
  fish: 'share/fish/vendor_completions.d/holdfast.fish',
};

/** Files of the dependencies that are of no use here: sources of native modules, and binaries for other systems. */
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

/** Starts the program with its own Node. Links to this file may be anywhere. */
const LAUNCHER = `#!/bin/sh
own=$(readlink -f "$0")
lib=\${own%/bin/holdfast}/${LIB}
exec "$lib/node" ${V8_FLAGS.join(' ')} "$lib/${PROGRAM.slice(LIB.length + 1)}" "$@"
`;

/** The program as systemd units run it, where the prefix is `/usr`. */
export const INSTALLED_PROGRAM = {
  node: join('/usr', LIB, 'node'),
  script: join('/usr', PROGRAM),
};

/** Creates the prefix. Moves the files of the unpacked npm tarball there. */
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

/** Installs the dependencies as the lockfile has them. npm verifies the checksum of each. */
function installDependencies(lib: string): void {
  const lock = join(lib, 'package-lock.json');
  const manifest = join(lib, 'package.json');
  const text = readFileSync(manifest);
  // The version may be another one in tests, and npm compares both files.
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
  // Some packages have programs that nothing here runs.
  for (const name of entriesOf(modules)) {
    const path = join(modules, name);
    if (lstatSync(path).isFile()) chmodSync(path, 0o644);
  }
}
