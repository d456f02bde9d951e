/**
 * Creates a minimal Debian system in a folder with debootstrap. It requires root. The system
 * contains no Node at first.
 */

import { execFileSync } from 'node:child_process';
import { accessSync, constants, copyFileSync, existsSync, mkdirSync } from 'node:fs';
import { basename, delimiter, dirname, join } from 'node:path';

import { npm } from '../../.ci/packages/npm.ts';
import { registryEnv } from './registry-env.ts';

/** Debian release with the oldest widely used systemd. The tests work with any other release. */
const RELEASE = 'bookworm';
const MIRROR = 'http://deb.debian.org/debian';
/** Timeout of debootstrap in milliseconds. It is long, because a mirror may be slow. */
const MADE_WITHIN_MS = 600_000;
const COMMAND_WITHIN_MS = 180_000;
export const CONTAINER = join(import.meta.dirname, 'container.sh');
export const DEBIAN_PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';

/**
 * Returns the reason why no Debian system can be created on this computer, or undefined if it is
 * possible.
 */
export function missingForDebian(): string | undefined {
  if (process.getuid?.() !== 0) return 'only root can create one';
  return isOnPath('debootstrap') ? undefined : 'debootstrap is not installed';
}

export class Debian {
  readonly folder: string;
  readonly called: string;

  /** Creates a Debian system in a folder that does not exist yet. */
  constructor(folder: string, packages: readonly string[] = []) {
    const began = performance.now();
    const more = packages.length === 0 ? [] : [`--include=${packages.join(',')}`];
    const debootstrap = ['debootstrap', '--variant=minbase', ...more, RELEASE, folder, MIRROR];
    // debootstrap mounts file systems. In their own mount namespace, the mounts end with
    // debootstrap.
    execFileSync('unshare', ['--mount', '--propagation', 'private', ...debootstrap], {
      stdio: ['ignore', 'ignore', 'inherit'],
      timeout: MADE_WITHIN_MS,
    });
    this.folder = folder;
    this.#reachRegistry();
    const seconds = ((performance.now() - began) / 1_000).toFixed(0);
    this.called = `a Debian ${RELEASE} of debootstrap (made in ${seconds} s)`;
  }

  /** Installs the Node that runs this test, and npm from the registry. */
  addNode(): void {
    copyFileSync(process.execPath, join(this.folder, 'usr/local/bin/node'));
    const prefix = join(this.folder, 'usr/local');
    npm(['install', '--global', '--silent', '--prefix', prefix, 'npm@11']);
  }

  addPerson(name: string): void {
    this.run('root', ['useradd', '--create-home', '--shell', '/bin/bash', name]);
  }

  install(tarball: string): void {
    this.run('root', ['npm', 'install', '--global', '--loglevel=error', this.take(tarball)]);
  }

  /** Copies a file into the Debian system, and returns the path of the file there. */
  take(file: string): string {
    // Each user, including `_apt`, must be able to read the file, so it is not in /tmp or /root.
    const inside = join('/srv', basename(file));
    copyFileSync(file, join(this.folder, inside));
    return inside;
  }

  /**
   * Runs a command as a user with the network of the computer, and returns its output. All its
   * processes end with the command. Standard error is passed through.
   */
  run(user: string, command: readonly string[], input = ''): string {
    const home = user === 'root' ? '/root' : join('/home', user);
    const as = ['setpriv', `--reuid=${user}`, `--regid=${user}`, '--init-groups'];
    const there = ['env', `--chdir=${home}`, ...command];
    return execFileSync('sh', [CONTAINER, 'run', this.folder, ...as, ...there], {
      env: { HOME: home, USER: user, PATH: DEBIAN_PATH, LANG: 'C.UTF-8', ...registryEnv() },
      input,
      encoding: 'utf8',
      stdio: ['pipe', 'pipe', 'inherit'],
      timeout: COMMAND_WITHIN_MS,
    });
  }

  #reachRegistry(): void {
    const authorities = process.env['NODE_EXTRA_CA_CERTS'];
    for (const file of ['/etc/resolv.conf', ...(authorities ? [authorities] : [])]) {
      if (!existsSync(file)) continue;
      mkdirSync(join(this.folder, dirname(file)), { recursive: true });
      copyFileSync(file, join(this.folder, file));
    }
  }
}

function isOnPath(program: string): boolean {
  return (process.env['PATH'] ?? '').split(delimiter).some((folder) => {
    try {
      accessSync(join(folder, program), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}
