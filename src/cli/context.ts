/** What every command is given: the outside, where the daemon is, and how to answer. */

import { resolve } from 'node:path';

import type { Home } from '../config/home.ts';
import type { ControlClient } from '../control/client.ts';
import { callerFolder } from './caller-folder.ts';
import { Output, tell } from './output/output.ts';
import type { Io } from './output/output.ts';
import { ownVersion } from './version.ts';

export interface GlobalOptions {
  readonly json?: boolean;
  readonly home?: string;
  readonly quiet?: boolean;
  /** False for `--no-color`. */
  readonly color?: boolean;
  /** False for `--no-progress`. */
  readonly progress?: boolean;
}

export interface ContextOptions extends GlobalOptions {
  /** Of a command on buckets and objects: the store that it means. */
  readonly target?: string;
}

/** Applies the options that have an environment variable: NO_COLOR and HOLDFAST_NO_PROGRESS. */
export function ioWith(io: Io, { color, progress, quiet }: GlobalOptions): Io {
  const env = {
    ...io.env,
    ...(color === false && { NO_COLOR: '1' }),
    ...((progress === false || quiet) && { HOLDFAST_NO_PROGRESS: '1' }),
  };
  return { ...io, env };
}

export class Context {
  readonly io: Io;
  readonly json: boolean;
  readonly out: Output;
  /** Of a command on buckets and objects: the store that it means, where that is not the embedded one. */
  readonly target: string | undefined;
  readonly #homeFlag: string | undefined;
  readonly #isQuiet: boolean;
  readonly #folder: string;

  constructor(io: Io, options: ContextOptions) {
    this.io = ioWith(io, options);
    this.#isQuiet = options.quiet ?? false;
    this.json = options.json ?? false;
    this.out = new Output(io.stdout, this.io.env);
    this.#homeFlag = options.home;
    this.target = options.target;
    this.#folder = callerFolder(io.env, io.cwd);
  }

  /** A path as the caller means it. */
  path(typed: string): string {
    return resolve(this.#folder, typed);
  }

  /** Throws `ConfigError` when the control socket's path would be too long. */
  async home(): Promise<Home> {
    const { resolveHome } = await import('../config/home.ts');
    return resolveHome({ homeFlag: this.#homeFlag, env: this.io.env, cwd: this.#folder });
  }

  /** About an answer, and none itself, such as that a list is empty: on standard error, and in JSON not at all. */
  async remark(text: string): Promise<void> {
    if (!this.json && !this.#isQuiet) await tell(this.io.stderr, `${text}\n`);
  }

  /** The options that make another call of ours mean the same home, for hints: ` --home DIR`, or nothing. */
  get homeOption(): string {
    return this.#homeFlag === undefined ? '' : ` --home ${this.#homeFlag}`;
  }

  /** Rejects with `ControlError` `NotRunning` when there is no daemon; starts none. */
  async connect(): Promise<ControlClient> {
    const { connectControl } = await import('../control/client.ts');
    const home = await this.home();
    const { socketPath } = home;
    const client = await connectControl({
      socketPath,
      clientName: 'holdfast',
      release: ownVersion(),
      clock: this.io.clock,
    }).catch(async (error: unknown) => {
      const { unanswered } = await import('./commands/daemon/offline-status.ts');
      throw unanswered(error, home, this.homeOption);
    });
    if (this.target === undefined) return client;
    const { clientAt } = await import('./arguments/at-target.ts');
    return clientAt(client, this.target);
  }

  /** The daemon, if there is one. */
  async connectIfRunning(): Promise<ControlClient | undefined> {
    const { isControlError } = await import('../control/control-error.ts');
    try {
      return await this.connect();
    } catch (error) {
      if (isControlError(error, 'NotRunning')) return undefined;
      throw error;
    }
  }

  /** The daemon for the length of `use`. */
  async withDaemon<T>(use: (daemon: ControlClient) => Promise<T>): Promise<T> {
    const daemon = await this.connect();
    try {
      return await use(daemon);
    } finally {
      daemon.close();
    }
  }
}
