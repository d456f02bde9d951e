/**
 * A booted Debian system. Its systemd runs in separate namespaces and a separate cgroup, without
 * the network of the computer.
 */

import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';

import { CONTAINER, type Debian, DEBIAN_PATH } from '../install/debian.ts';

export const PACKAGES = ['systemd-sysv', 'dbus', 'dbus-user-session', 'libpam-systemd', 'sudo'];
const NAME = 'box';
const BOOTED_WITHIN_MS = 120_000;
const SCRIPT_WITHIN_MS = 300_000;
const LOOK_EVERY_MS = 100;

export class Machine {
  readonly #init: number;
  readonly #cgroup: string;
  readonly #ended: Promise<unknown>;

  private constructor(init: number, cgroup: string, ended: Promise<unknown>) {
    this.#init = init;
    this.#cgroup = cgroup;
    this.#ended = ended;
  }

  /** Boots a Debian system. Resolves when all its units are running. */
  static async boot({ folder }: Debian): Promise<Machine> {
    writeFileSync(join(folder, 'etc/hostname'), `${NAME}\n`);
    writeFileSync(join(folder, 'etc/hosts'), `127.0.0.1 localhost ${NAME}\n`);
    const cgroup = mkdtempSync(join(hierarchy(), 'holdfast-test-'));
    const whole = join(cgroup, 'machine');
    mkdirSync(whole);
    const init = ['/usr/lib/systemd/systemd', '--show-status=no', '--log-target=journal'];
    const outer = spawn('sh', [CONTAINER, 'boot', folder, whole, ...init], {
      env: { container: 'holdfast-test', PATH: DEBIAN_PATH },
      stdio: 'ignore',
    });
    const ended = new Promise((resolve) => outer.once('exit', resolve));
    const machine = new Machine(await childOf(outer.pid ?? 0), cgroup, ended);
    try {
      await machine.#booted();
      return machine;
    } catch (error) {
      await machine.stop();
      throw error;
    }
  }

  /**
   * Runs a script in the home folder of a logged-in user, and passes its output through. Throws an
   * error if the script fails.
   */
  run(user: string, script: string): void {
    const session = ['PAMName=login', `User=${user}`, 'WorkingDirectory=~'];
    const properties = session.map((each) => `--property=${each}`);
    const once = ['--quiet', '--wait', '--pipe', '--collect', '--service-type=exec', ...properties];
    this.#enter(['systemd-run', ...once, 'sh', '-eu', script], SCRIPT_WITHIN_MS, 'inherit');
  }

  /** Stops the system as a power failure does, except that the kernel still writes its buffers. */
  async stop(): Promise<void> {
    process.kill(this.#init, 'SIGKILL');
    await this.#ended;
    // The kernel keeps empty cgroup folders after the last process has ended, so they are removed
    // here.
    const all = execFileSync('find', [this.#cgroup, '-depth', '-type', 'd'], { encoding: 'utf8' });
    for (const each of all.trim().split('\n')) rmdirSync(each);
  }

  #enter(command: readonly string[], timeout: number, output: 'inherit' | 'ignore'): void {
    execFileSync('nsenter', [`--target=${this.#init}`, '--all', ...command], {
      env: { PATH: DEBIAN_PATH },
      stdio: ['ignore', output, output],
      timeout,
    });
  }

  async #booted(): Promise<void> {
    const until = performance.now() + BOOTED_WITHIN_MS;
    for (;;) {
      try {
        const ask = ['systemctl', 'is-system-running', '--wait'];
        return this.#enter(ask, BOOTED_WITHIN_MS, 'ignore');
      } catch (error) {
        // The call fails until systemd accepts connections, so it is repeated.
        if (performance.now() > until) throw error;
        await setTimeout(LOOK_EVERY_MS);
      }
    }
  }
}

/**
 * Returns the id of the only child process. unshare(1) forks, and its child is the first process in the new namespaces.
 */
async function childOf(pid: number): Promise<number> {
  const until = performance.now() + BOOTED_WITHIN_MS;
  while (performance.now() < until) {
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim();
    if (children !== '') return Number(children.split(' ')[0]);
    await setTimeout(LOOK_EVERY_MS);
  }
  throw new Error('boot Debian: unshare started no process');
}

function hierarchy(): string {
  const mounts = readFileSync('/proc/mounts', 'utf8');
  const found = / (\S+) cgroup2 /.exec(mounts)?.[1];
  if (found === undefined) throw new Error('boot Debian: this machine has no cgroup2 hierarchy');
  return found;
}
