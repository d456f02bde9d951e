/** Creates a minimal Debian in a folder with debootstrap, as root. It contains only Node and npm from the registry. */

import { execFileSync } from 'node:child_process';
import { accessSync, constants, copyFileSync, existsSync, mkdirSync } from 'node:fs';
import { basename, delimiter, dirname, join } from 'node:path';

import { npm, registryEnv } from './npm.ts';

/** Debian release with the oldest systemd that is widely used. Any release would do. */
const RELEASE = 'bookworm';
const MIRROR = 'http://deb.debian.org/debian';
/** Timeout of debootstrap in milliseconds. A mirror may be slow. */
const MADE_WITHIN_MS = 600_000;
const COMMAND_WITHIN_MS = 180_000;
export const CONTAINER = join(import.meta.dirname, 'container.sh');
export const DEBIAN_PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';

/** Returns the reason why no Debian can be created here, or undefined if one can. */
export function missingForDebian(): string | undefined {
  if (process.getuid?.() !== 0) return 'only root can create one';
  return isOnPath('debootstrap') ? undefined : 'debootstrap is not installed';
}

export class Debian {
  readonly folder: string;
  readonly called: string;

  /** Creates a Debian in a folder that does not exist yet. */
  constructor(folder: string, packages: readonly string[] = []) {
    const began = performance.now();
    const more = packages.length === 0 ? [] : [`--include=${packages.join(',')}`];
    const debootstrap = ['debootstrap', '--variant=minbase', ...more, RELEASE, folder, MIRROR];
    // debootstrap mounts file systems. They end with their own mount namespace.
    execFileSync('unshare', ['--mount', '--propagation', 'private', ...debootstrap], {
      stdio: ['ignore', 'ignore', 'inherit'],
      timeout: MADE_WITHIN_MS,
    });
    this.folder = folder;
    this.#reachRegistry();
    copyFileSync(process.execPath, join(folder, 'usr/local/bin/node'));
    npm(['install', '--global', '--silent', '--prefix', join(folder, 'usr/local'), 'npm@11']);
    const seconds = ((performance.now() - began) / 1_000).toFixed(0);
    this.called = `a Debian ${RELEASE} of debootstrap (made in ${seconds} s) with Node ${process.versions.node} and npm`;
  }

  addPerson(name: string): void {
    this.run('root', ['useradd', '--create-home', '--shell', '/bin/bash', name]);
  }

  install(tarball: string): void {
    const inside = join('/root', basename(tarball));
    copyFileSync(tarball, join(this.folder, inside));
    this.run('root', ['npm', 'install', '--global', '--loglevel=error', inside]);
  }

  /**
   * Runs a command as a user with the network of the machine, and returns its output. All its processes end with it.
   * Standard error is passed on.
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
