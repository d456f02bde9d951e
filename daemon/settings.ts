/** `config.yaml` as the daemon holds it: read, changed through the one writer, applied. */

import { isDeepStrictEqual } from 'node:util';

import type { Config, TargetConfig } from '../src/config/config.ts';
import type { Home } from '../src/config/home.ts';
import { loadConfig, readConfigText } from '../src/config/load.ts';
import { ControlError } from '../src/control/control-error.ts';
import { LOCAL_TARGET } from '../src/control/methods/target.ts';
import type { JobChange } from './jobs.ts';
import { changedLines, type DiffLine } from '../src/text/line-diff.ts';

/** What the rooms are made with. */
const AT_START = ['region', 'vendor', 'storage', 'metrics', 'logLevel', 'logLevels'] as const;

export interface SettingsOptions {
  readonly home: Home;
  readonly config: Config;
  /** Of the file that says so. */
  readonly text: string;
  /** Makes what runs equal to the configuration, and tells what became of jobs for that. */
  readonly apply: (config: Config) => Promise<readonly JobChange[]>;
}

/** What reading the file again has changed. */
export interface Reloaded {
  readonly diff: readonly DiffLine[];
  readonly jobs: readonly JobChange[];
}

export class Settings {
  readonly home: Home;
  readonly #apply: SettingsOptions['apply'];
  readonly #atStart: Config;
  #config: Config;
  /** Of the file, as it is used. */
  #text: string;
  /** The file is not what is used: a person has changed it into something that is wrong. */
  #isRefused = false;
  /** Changes are applied one after the other. */
  #turn: Promise<void> = Promise.resolve();

  constructor({ home, config, text, apply }: SettingsOptions) {
    this.home = home;
    this.#atStart = config;
    this.#config = config;
    this.#text = text;
    this.#apply = apply;
  }

  current(): Config {
    return this.#config;
  }

  /** Where what the file says is not what is done. */
  warnings(): string[] {
    const later = AT_START.filter(
      (key) => !isDeepStrictEqual(this.#config[key], this.#atStart[key]),
    );
    return [
      ...(this.#isRefused
        ? ['config.yaml has mistakes, so what it said before goes on: run `holdfast config check`']
        : []),
      ...later.map((key) => `config.yaml: ${key} was changed, and is used from the next start on`),
    ];
  }

  /** Undefined for the embedded store; throws ControlError `NotFound` for a name that is not configured. */
  target(name: string = LOCAL_TARGET): TargetConfig | undefined {
    if (name === LOCAL_TARGET) return undefined;
    const target = this.#config.targets.find((each) => each.name === name);
    if (target) return target;
    const names = this.#config.targets.map((each) => each.name).join(', ') || 'none';
    const hint = `targets of config.yaml: ${names}; to add one: holdfast target add NAME SERVICE`;
    throw new ControlError('NotFound', `unknown target "${name}"`, { hint });
  }

  /** Writes one change (see config/edit.ts) and applies it. */
  async edit(change: (home: Home) => Promise<Config>): Promise<void> {
    await this.#inTurn(() => change(this.home));
  }

  /** Reads the file again, as a person has changed it, and the keys of targets. */
  reload(): Promise<Reloaded> {
    return this.#inTurn(async () => {
      this.#isRefused = true;
      return loadConfig(this.home);
    });
  }

  /** Starts the jobs that do not run yet. Reads the keys of targets again: jobs whose key has changed take it up. */
  apply(): Promise<readonly JobChange[]> {
    const done = this.#turn.then(() => this.#apply(this.#config));
    this.#turn = settled(done);
    return done;
  }

  #inTurn(read: () => Promise<Config>): Promise<Reloaded> {
    const done = this.#turn.then(async () => {
      const config = await read();
      const before = this.#text;
      this.#text = await readConfigText(this.home.configFile);
      this.#config = config;
      this.#isRefused = false;
      const jobs = await this.#apply(config);
      return { diff: changedLines(before, this.#text), jobs };
    });
    this.#turn = settled(done);
    return done;
  }
}

/** The next one's turn comes whatever became of this one, which its own caller is told. */
function settled(done: Promise<unknown>): Promise<void> {
  return done.then(
    () => undefined,
    () => undefined,
  );
}
