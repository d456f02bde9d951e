/**
 * `npm run test:install`: the packed tarball is installed as a user would, with nothing there but Node, npm and a shell
 * (koffi's install script needs one to find that it has nothing to build), and used from an empty home. It asks the
 * registry for the dependencies. Prints the sizes, and fails where they are not those of the README. Then the
 * shells complete it, and it runs as a service: that needs bash, zsh and fish, root and systemd, and fails by name without.
 */

import { execFileSync } from 'node:child_process';
import {
  copyFileSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { isWithinBand, ROOT, statedMegabytes } from './figures.ts';
import { proveService } from './service.ts';
import { proveShells } from './shells.ts';

/** A registry that cannot be reached is asked for much longer otherwise. */
const INSTALL_WITHIN_MS = 180_000;
const COMMAND_WITHIN_MS = 60_000;

const folder = mkdtempSync(join(tmpdir(), 'holdfast-install-'));
const place = {
  bin: join(folder, 'bin'),
  home: join(folder, 'home'),
  prefix: join(folder, 'prefix'),
  notes: join(folder, 'home/notes'),
};
for (const each of Object.values(place)) mkdirSync(each, { recursive: true });

/** Nothing else is on the PATH: no compiler, no git, no other Node. */
copyFileSync(process.execPath, join(place.bin, 'node'));
symlinkSync('/bin/sh', join(place.bin, 'sh'));
const env = {
  HOME: place.home,
  PATH: place.bin,
  // Where this machine's way to the registry needs them.
  ...pick('NODE_EXTRA_CA_CERTS', 'HTTPS_PROXY', 'https_proxy', 'npm_config_registry'),
};

try {
  const tarball = pack();
  const seconds = install(tarball);
  use();
  expectIn(readFileSync(join(place.prefix, 'share/man/man1/holdfast.1'), 'utf8'), '.SH COMMANDS');
  proveShells({ ...env, PATH: `${place.prefix}/bin:${place.bin}:/usr/bin:/bin` });
  proveService({ folder });
  const packedBytes = statSync(tarball).size;
  const installedBytes = sizeOf(place.prefix);
  say(`tarball ${megabytes(packedBytes)}, installed ${megabytes(installedBytes)} in ${seconds} s`);
  const stated = statedMegabytes();
  if (!isWithinBand(stated.tarball, packedBytes) || !isWithinBand(stated.installed, installedBytes))
    throw new Error(`the README says ${stated.tarball} MB and ${stated.installed} MB`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** `npm run` names the npm that runs this. */
function npm(args: readonly string[], environment: NodeJS.ProcessEnv): string {
  const program = process.env['npm_execpath'];
  if (program === undefined) throw new Error('find npm: run this by `npm run test:install`');
  return execFileSync(process.execPath, [program, ...args], {
    cwd: ROOT,
    env: environment,
    encoding: 'utf8',
    timeout: INSTALL_WITHIN_MS,
  });
}

function pack(): string {
  // What `prepare` would do was done by the script that runs this.
  const args = ['pack', '--ignore-scripts', '--silent', '--pack-destination', folder];
  return join(folder, npm(args, process.env).trim());
}

/** In seconds. */
function install(tarball: string): string {
  const began = performance.now();
  npm(['install', '--global', '--prefix', place.prefix, tarball], env);
  return ((performance.now() - began) / 1_000).toFixed(1);
}

function use(): void {
  const text = 'buy milk\n';
  writeFileSync(join(place.notes, 'todo.txt'), text);
  // Another Holdfast may have the usual port.
  mkdirSync(join(place.home, '.config/holdfast'), { recursive: true, mode: 0o700 });
  writeFileSync(join(place.home, '.config/holdfast/config.yaml'), 'storage:\n  port: 0\n');
  const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
    readonly version: string;
  };
  expectIn(holdfast('--version'), version);
  expectIn(holdfast('up', place.notes, '--once'), 'in sync');
  withDaemon(() => holdfast('restore', 'notes', '--to', join(place.home, 'back')));
  expectIn(readFileSync(join(place.home, 'back/todo.txt'), 'utf8'), text);
}

/** `restore` of a job asks the daemon. The shell is what can wait for it in the background. */
function withDaemon(work: () => void): void {
  run('sh', ['-c', 'holdfast daemon >daemon.log 2>&1 & until holdfast jobs list 2>&-; do :; done']);
  try {
    work();
  } finally {
    holdfast('down');
  }
}

function holdfast(...args: readonly string[]): string {
  return run('holdfast', args);
}

function run(program: string, args: readonly string[]): string {
  say(`$ ${program} ${args.join(' ')}`);
  // The program says `#!/usr/bin/env node`: env itself is not looked for on the PATH.
  const PATH = `${place.prefix}/bin:${place.bin}`;
  const options = { cwd: place.home, env: { ...env, PATH }, timeout: COMMAND_WITHIN_MS };
  const stdio: ['ignore', 'pipe', 'inherit'] = ['ignore', 'pipe', 'inherit'];
  const file = program === 'sh' ? '/bin/sh' : join(place.prefix, 'bin', program);
  return execFileSync(file, args, { ...options, stdio, encoding: 'utf8' });
}

function expectIn(text: string, part: string): void {
  if (!text.includes(part)) throw new Error(`expected ${JSON.stringify(part)} in:\n${text}`);
}

function sizeOf(directory: string): number {
  return readdirSync(directory, { recursive: true, encoding: 'utf8' })
    .map((name) => lstatSync(join(directory, name)))
    .reduce((sum, entry) => sum + (entry.isFile() ? entry.size : 0), 0);
}

function pick(...names: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = process.env[name];
      return value === undefined ? [] : [[name, value]];
    }),
  );
}

function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(1)} MB`;
}

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}
