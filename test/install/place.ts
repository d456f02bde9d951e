/**
 * The environments in which a new user's first steps run. They are as empty as this computer
 * allows.
 */

import { execFileSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';

import type { Packages } from '../../.ci/packages/build-packages.ts';
import { npm } from '../../.ci/packages/npm.ts';
import { Debian, DEBIAN_PATH, missingForDebian } from './debian.ts';
import { registryEnv } from './registry-env.ts';

const COMMAND_WITHIN_MS = 60_000;

export interface Place {
  /** Description of the environment for the output. */
  readonly called: string;
  /** Home folder of the user, as a path outside of the environment. */
  readonly home: string;
  /**
   * Folder with the installed dependencies and the program, as a path outside of the environment.
   */
  readonly program: string;
  /** Installs the package, or replaces an older version of it. */
  readonly install: (file: string) => void;
  readonly remove: () => void;
  /**
   * Returns the paths of files that remained after the removal. The text is empty if no file
   * remained.
   */
  readonly left: () => string;
  /**
   * Runs a command as the user in the home folder, and returns its output. Standard error is passed
   * through.
   */
  readonly run: (command: readonly string[], input?: string) => string;
  /** Converts a path below `home` to the path that the user sees. */
  readonly inside: (path: string) => string;
}

/**
 * Environment of each package. The `.deb` has no environment if no Debian system can be created.
 */
export type Places = Partial<Record<keyof Packages, Place>>;

/**
 * Debian packages with the tools that show manual pages, complete commands, unpack the `.tar.xz`
 * and check systemd units.
 */
const TOOLS = ['bash-completion', 'fish', 'man-db', 'systemd', 'xz-utils', 'zsh'];

/**
 * Returns environments in a separate Debian system if the user is root and debootstrap is installed. Otherwise returns
 * empty home folders with only a shell on the PATH, and Node for the npm package. The order of the packages matters:
 * npm needs Node, and the other packages must not find Node.
 */
export function emptyPlaces(folder: string): Places {
  const missing = missingForDebian();
  if (missing !== undefined) return cleanHomes(folder, missing);
  return placesIn(new Debian(join(folder, 'debian'), TOOLS));
}

function placesIn(debian: Debian): Places {
  return {
    tarXz: tarXzInDebian(debian, 'bob'),
    deb: debInDebian(debian, 'ann'),
    npm: npmInDebian(debian, 'cid'),
  };
}

/** Returns those parts of an environment that do not depend on the package. */
function inDebian(debian: Debian, person: string, path = DEBIAN_PATH) {
  debian.addPerson(person);
  const find = ['find', '/usr', '/etc', '/opt', '/var/lib', '-xdev', '-name', '*holdfast*'];
  return {
    called: `${debian.called}, by user ${person}`,
    home: join(debian.folder, 'home', person),
    left: () => debian.run('root', find),
    run: (command: readonly string[], input = '') =>
      debian.run(person, ['env', `PATH=${path}`, ...command], input),
    inside: (path: string) => path.slice(debian.folder.length),
  };
}

/** Folder below the home folder into which docs/start/install.md unpacks the archive. */
const UNPACKED = '.local/opt/holdfast';

function unpack(file: string): string {
  return `rm -rf ${UNPACKED} && mkdir -p ${UNPACKED} && tar -xJf ${file} --strip-components=1 -C ${UNPACKED}`;
}

function tarXzInDebian(debian: Debian, person: string): Place {
  const own = `/home/${person}/${UNPACKED}`;
  const place = inDebian(debian, person, `${own}/bin:${DEBIAN_PATH}`);
  return {
    ...place,
    program: join(debian.folder, own, 'lib/holdfast'),
    install: (file) => void place.run(['sh', '-euc', unpack(debian.take(file))]),
    remove: () => void place.run(['rm', '-r', UNPACKED]),
  };
}

function debInDebian(debian: Debian, person: string): Place {
  const apt = (...args: string[]) =>
    void debian.run('root', [
      'env',
      'DEBIAN_FRONTEND=noninteractive',
      'apt-get',
      '-qq',
      '-o',
      'Dpkg::Use-Pty=0',
      ...args,
    ]);
  return {
    ...inDebian(debian, person),
    program: join(debian.folder, 'usr/lib/holdfast'),
    install: (file) => apt('install', '--yes', debian.take(file)),
    remove: () => apt('purge', '--yes', 'holdfast'),
  };
}

function npmInDebian(debian: Debian, person: string): Place {
  return {
    ...inDebian(debian, person),
    program: join(debian.folder, 'usr/local/lib/node_modules/holdfast'),
    install: (file) => {
      if (!existsSync(join(debian.folder, 'usr/local/bin/npm'))) debian.addNode();
      debian.install(file);
    },
    remove: () => void debian.run('root', ['npm', 'uninstall', '--global', 'holdfast']),
  };
}

function cleanHomes(folder: string, missing: string): Places {
  const called = (more: string) =>
    `an empty home, with ${more} alone on the PATH (no root of its own: ${missing})`;
  const withoutNode = cleanHome(join(folder, 'tar-xz'), UNPACKED);
  const withNode = cleanHome(join(folder, 'npm'), '.local');
  copyFileSync(process.execPath, join(withNode.tools, 'node'));
  const global = ['--global', '--prefix', join(withNode.home, '.local')];
  return {
    tarXz: {
      ...withoutNode,
      called: called('a shell'),
      program: join(withoutNode.home, UNPACKED, 'lib/holdfast'),
      install: (file) => void execFileSync('sh', ['-euc', unpack(file)], { cwd: withoutNode.home }),
      remove: () => rmSync(join(withoutNode.home, UNPACKED), { recursive: true }),
    },
    npm: {
      ...withNode,
      called: called('Node and a shell'),
      program: join(withNode.home, '.local/lib/node_modules/holdfast'),
      install: (file) => void npm(['install', ...global, file], { env: withNode.env }),
      remove: () => void npm(['uninstall', ...global, 'holdfast'], { env: withNode.env }),
    },
  };
}

function cleanHome(folder: string, prefix: string) {
  const [tools = '', home = ''] = ['bin', 'home'].map((name) => join(folder, name));
  for (const each of [tools, home]) mkdirSync(each, { recursive: true });
  for (const tool of ['rm', 'readlink', 'sh']) symlinkSync(`/bin/${tool}`, join(tools, tool));
  const bin = join(home, prefix, 'bin');
  const env = { HOME: home, PATH: `${bin}:${tools}`, ...registryEnv() };
  return {
    tools,
    home,
    env,
    left: () => '',
    run: ([program = '', ...args]: readonly string[], input = '') =>
      // The first line of the program is `#!/bin/sh`. The kernel starts this shell by its path, and
      // the shell finds Node on the PATH.
      execFileSync(program === 'holdfast' ? join(bin, program) : join('/bin', program), args, {
        cwd: home,
        env,
        input,
        encoding: 'utf8',
        stdio: ['pipe', 'pipe', 'inherit'],
        timeout: COMMAND_WITHIN_MS,
      }),
    inside: (path: string) => path,
  };
}
