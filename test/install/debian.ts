/** A minimal Debian in a folder, with Node and npm from the registry, and nothing else: debootstrap makes it, for root. */

import { execFileSync } from 'node:child_process';
import { accessSync, constants, copyFileSync, existsSync, mkdirSync } from 'node:fs';
import { basename, delimiter, dirname, join } from 'node:path';

import { npm, registryEnv } from './npm.ts';

/** Any would do; this one has the oldest systemd that is in wide use. */
const RELEASE = 'bookworm';
const MIRROR = 'http://deb.debian.org/debian';
/** A mirror may be slow. */
const MADE_WITHIN_MS = 600_000;
const COMMAND_WITHIN_MS = 180_000;
export const CONTAINER = join(import.meta.dirname, 'container.sh');
export const DEBIAN_PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';

/** Why none can be made here. */
export function missingForDebian(): string | undefined {
  if (process.getuid?.() !== 0) return 'only root may make one';
  return isOnPath('debootstrap') ? undefined : 'there is no debootstrap';
}

export class Debian {
  readonly folder: string;
  readonly called: string;

  /** In a folder that is not there yet. */
  constructor(folder: string, packages: readonly string[] = []) {
    const began = performance.now();
    const more = packages.length === 0 ? [] : [`--include=${packages.join(',')}`];
    const debootstrap = ['debootstrap', '--variant=minbase', ...more, RELEASE, folder, MIRROR];
    // It mounts as it goes: in a namespace of its own, that ends with it.
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

  /** With the machine's network. What it starts ends with it. Standard error passes through. */
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
