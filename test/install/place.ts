/** The place where the first steps of a new user run: as empty as this machine allows. */

import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';

import { Debian, missingForDebian } from './debian.ts';
import { npm, registryEnv } from './npm.ts';

const COMMAND_WITHIN_MS = 60_000;

export interface Place {
  /** Description of the place for the output. */
  readonly called: string;
  /** Home of the user, as a path outside of the place. `prefix` is the folder of installed programs, likewise. */
  readonly home: string;
  readonly prefix: string;
  /** Installs the tarball by `npm install --global`. */
  install(tarball: string): void;
  /** Runs a command as the user in the home, and returns its output. Standard error is passed on. */
  run(command: readonly string[], input?: string): string;
  /** Converts a path below `home` to the path that the user sees. */
  readonly inside: (path: string) => string;
}

/**
 * Returns a separate Debian if the user is root and debootstrap is installed. Otherwise returns an empty home with only
 * Node and a shell on the PATH.
 */
export function emptyPlace(folder: string): Place {
  const missing = missingForDebian();
  return missing === undefined ? debianPlace(folder) : cleanHome(folder, missing);
}

const PERSON = 'ann';

function debianPlace(folder: string): Place {
  const debian = new Debian(join(folder, 'debian'));
  debian.addPerson(PERSON);
  const home = join(debian.folder, 'home', PERSON);
  return {
    called: `${debian.called}, by user ${PERSON}`,
    home,
    prefix: join(debian.folder, 'usr/local'),
    install: (tarball) => debian.install(tarball),
    run: (command, input) => debian.run(PERSON, command, input),
    inside: (path) => path.slice(debian.folder.length),
  };
}

function cleanHome(folder: string, missing: string): Place {
  const [bin, home, prefix] = ['bin', 'home', 'prefix'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  for (const each of [bin, home, prefix]) mkdirSync(each);
  copyFileSync(process.execPath, join(bin, 'node'));
  symlinkSync('/bin/sh', join(bin, 'sh'));
  const env = { HOME: home, PATH: `${prefix}/bin:${bin}`, ...registryEnv() };
  return {
    called: `an empty home, with Node and a shell alone on the PATH (no root of its own: ${missing})`,
    home,
    prefix,
    install: (tarball) => void npm(['install', '--global', '--prefix', prefix, tarball], env),
    run: ([program = '', ...args], input = '') =>
      // The first line of the program is `#!/bin/sh`, which the kernel finds by its path. The shell finds Node on the PATH.
      execFileSync(program === 'sh' ? '/bin/sh' : join(prefix, 'bin', program), args, {
        cwd: home,
        env,
        input,
        encoding: 'utf8',
        stdio: ['pipe', 'pipe', 'inherit'],
        timeout: COMMAND_WITHIN_MS,
      }),
    inside: (path) => path,
  };
}
