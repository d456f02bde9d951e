/** Where the first line of acceptance is run: as empty as this machine lets it be. */

import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';

import { Debian, missingForDebian } from './debian.ts';
import { npm, registryEnv } from './npm.ts';

const COMMAND_WITHIN_MS = 60_000;

export interface Place {
  /** For people. */
  readonly called: string;
  /** Of the person who uses it, and where programs are installed: both as seen from outside. */
  readonly home: string;
  readonly prefix: string;
  /** By `npm install --global`. */
  install(tarball: string): void;
  /** As the person, in their home. Standard error passes through. */
  run(command: readonly string[], input?: string): string;
  /** A path below `home`, as the person has it. */
  readonly inside: (path: string) => string;
}

/** A Debian of its own for root, where debootstrap is there; else an empty home, and nothing on the PATH but Node and a shell. */
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
      // The program says `#!/usr/bin/env node`: env itself is not looked for on the PATH.
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
