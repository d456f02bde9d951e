/** Defines `Context`. A command uses it to access its streams, its global options and its connection to the daemon. */

import { resolve } from 'node:path';

import type { Home } from '../config/home.ts';
import type { ControlClient } from '../control/client.ts';
import { callerFolder } from './caller-folder.ts';
import { Output, writeNote } from './output/output.ts';
import type { Io } from './output/output.ts';
import { withHomeOption } from '../text/pasted-commands.ts';
import { shellWord } from './output/text.ts';
import { wrapped } from './output/wrap.ts';
import { ownVersion } from './version.ts';

export interface GlobalOptions {
  readonly json?: boolean;
  readonly home?: string;
  readonly config?: string;
  readonly quiet?: boolean;
  readonly verbose?: boolean;
  readonly yes?: boolean;
  /** False if `--no-color` is given. */
  readonly color?: boolean;
  /** False if `--no-progress` is given. */
  readonly progress?: boolean;
}

export interface ContextOptions extends GlobalOptions {
  /** The value of `--target`. Absent if the command uses the embedded store. */
  readonly target?: string;
}

/** Returns `io` with an environment that contains NO_COLOR and HOLDFAST_NO_PROGRESS if the options require them. */
export function ioWith(io: Io, { color, progress, quiet }: GlobalOptions): Io {
  const set = {
    ...(color === false && { NO_COLOR: '1' }),
    ...((progress === false || quiet) && { HOLDFAST_NO_PROGRESS: '1' }),
  };
  return Object.keys(set).length === 0 ? io : { ...io, env: { ...io.env, ...set } };
}

/** Returns ` --home DIR --config FILE` with the options that were given, quoted for a shell. */
export function homeOptions({ home, config }: GlobalOptions): string {
  const ofHome = home === undefined ? '' : ` --home ${shellWord(home)}`;
  return config === undefined ? ofHome : `${ofHome} --config ${shellWord(config)}`;
}

export class Context {
  readonly io: Io;
  readonly options: ContextOptions;
  readonly json: boolean;
  readonly out: Output;
  /** The value of `--target`. Undefined if the command uses the embedded store. */
  readonly target: string | undefined;
  /** Whether `--yes` confirms everything that the command would ask. */
  readonly isConfirmed: boolean;
  readonly #homeFlag: string | undefined;
  readonly #configFlag: string | undefined;
  readonly #isQuiet: boolean;
  readonly #isVerbose: boolean;
  readonly #folder: string;
  #isConfigRemarked = false;

  constructor(io: Io, options: ContextOptions) {
    this.io = ioWith(io, options);
    this.options = options;
    this.isConfirmed = options.yes ?? false;
    this.#isQuiet = options.quiet ?? false;
    this.#isVerbose = options.verbose ?? false;
    this.json = options.json ?? false;
    this.out = new Output(io.stdout, this.io.env, {
      isJson: this.json,
      homeOption: this.homeOption,
    });
    this.#homeFlag = options.home;
    this.#configFlag = options.config;
    this.target = options.target;
    this.#folder = callerFolder(io.env, io.cwd);
  }

  /** Returns the absolute path of `typed`, resolved against the caller's working directory. */
  path(typed: string): string {
    return resolve(this.#folder, typed);
  }

  /**
   * Returns the home folder of this command. Rejects with `ConfigError` if the path of its control socket would be too
   * long.
   */
  async home(): Promise<Home> {
    const { resolveHome } = await import('../config/home.ts');
    return resolveHome({
      homeFlag: this.#homeFlag,
      configFlag: this.#configFlag,
      env: this.io.env,
      cwd: this.#folder,
    });
  }

  /**
   * Writes a remark about the result to standard error, for example that a list is empty. Writes nothing with `--json`
   * or `--quiet`.
   */
  async remark(text: string): Promise<void> {
    if (this.json || this.#isQuiet) return;
    const lines = withHomeOption(text, this.homeOption)
      .split('\n')
      .flatMap((line) => wrapped(line, this.io.stderr));
    await writeNote(this.io.stderr, `${lines.join('\n')}\n`);
  }

  /**
   * The options ` --home DIR --config FILE` for commands that do not pass through `withHomeOption`. Contains only the
   * options that were given.
   */
  get homeOption(): string {
    return homeOptions(this.options);
  }

  /** Writes a method and its response time to standard error. */
  readonly #onAnswer = (method: string, ms: number): void =>
    void writeNote(this.io.stderr, `request ${method}: ${Math.round(ms)} ms\n`);

  /**
   * Connects to the running daemon. If `target` is set, each request contains it. Rejects with `ControlError`
   * `NotRunning` if no daemon is running. If `--config` specifies a different file than the daemon uses, the client
   * rejects requests that change the daemon's file. Before the first request of any other kind, it prints a remark,
   * unless `isSilent` is set.
   */
  async connect({
    isSilent = false,
  }: { readonly isSilent?: boolean } = {}): Promise<ControlClient> {
    const { connectControl } = await import('../control/client.ts');
    const home = await this.home();
    const { socketPath } = home;
    const files = home.hasOwnConfig ? await import('./config-file.ts') : undefined;
    let other: string | undefined;
    const client = await connectControl({
      socketPath,
      clientName: 'holdfast',
      release: ownVersion(),
      clock: this.io.clock,
      beforeCall: (method) => {
        if (!files || other === undefined) return;
        files.refuseOtherFile(home, other, method);
        if (isSilent || this.#isConfigRemarked) return;
        this.#isConfigRemarked = true;
        void this.remark(files.otherFileText(home, other));
      },
      ...(this.#isVerbose && { onAnswer: this.#onAnswer }),
    }).catch(async (error: unknown) => {
      const { unanswered } = await import('./commands/daemon/offline-status.ts');
      throw unanswered(error, home);
    });
    other = files?.otherConfigFile(home, client.hello.configFile);
    if (this.target === undefined) return client;
    const { clientAt } = await import('./arguments/at-target.ts');
    return clientAt(client, this.target);
  }

  /** Connects to the daemon. Returns undefined if no daemon is running. */
  async connectIfRunning(): Promise<ControlClient | undefined> {
    const { isControlError } = await import('../control/control-error.ts');
    try {
      return await this.connect();
    } catch (error) {
      if (isControlError(error, 'NotRunning')) return undefined;
      throw error;
    }
  }

  /** Connects to the daemon, calls `use` and closes the connection. Returns the result of `use`. */
  async withDaemon<T>(use: (daemon: ControlClient) => Promise<T>): Promise<T> {
    const daemon = await this.connect();
    try {
      return await use(daemon);
    } finally {
      daemon.close();
    }
  }
}
