/** Stores the daemon's configuration. Reads and edits `config.yaml`, and applies changes one after the other. */

import { isDeepStrictEqual } from 'node:util';

import type { Config, TargetConfig } from '../../src/config/config.ts';
import type { Home } from '../../src/config/home.ts';
import { loadConfig, readConfigText } from '../../src/config/load.ts';
import { ControlError } from '../../src/control/control-error.ts';
import { LOCAL_TARGET } from '../../src/control/local-target.ts';
import type { JobChange } from '../jobs/jobs.ts';
import { changedLines, type DiffLine } from '../../src/text/line-diff.ts';

/** Settings that take effect only when the daemon starts. */
const AT_START = ['region', 'vendor', 'storage', 'metrics', 'logLevel', 'logLevels'] as const;

export interface SettingsOptions {
  readonly home: Home;
  readonly config: Config;
  /** The text of `config.yaml` from which `config` was parsed. */
  readonly text: string;
  /** Makes the jobs match the configuration. Returns what was done with each job. */
  readonly apply: (config: Config) => Promise<readonly JobChange[]>;
}

/** The changes that a reload applied. */
export interface Reloaded {
  readonly diff: readonly DiffLine[];
  readonly jobs: readonly JobChange[];
}

export class Settings {
  readonly home: Home;
  readonly #apply: SettingsOptions['apply'];
  readonly #atStart: Config;
  #config: Config;
  /** The text of the file from which `#config` was parsed. */
  #text: string;
  /** Whether the file is currently invalid, so that the previous configuration is still used. */
  #isRefused = false;
  /** Settles when all earlier changes have been applied. */
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

  /** Returns warnings about differences between the file and the configuration in use. */
  warnings(): string[] {
    const later = AT_START.filter(
      (key) => !isDeepStrictEqual(this.#config[key], this.#atStart[key]),
    );
    return [
      ...(this.#isRefused
        ? [
            'config.yaml is invalid, so the previous configuration stays in use: run `holdfast config check`',
          ]
        : []),
      ...later.map((key) => `config.yaml: the change of ${key} takes effect at the next start`),
    ];
  }

  /** Returns a target, or undefined for the embedded store. Throws ControlError `NotFound` for an unknown name. */
  target(name: string = LOCAL_TARGET): TargetConfig | undefined {
    if (name === LOCAL_TARGET) return undefined;
    const target = this.#config.targets.find((each) => each.name === name);
    if (target) return target;
    const names = this.#config.targets.map((each) => each.name).join(', ') || 'none';
    const hint = `targets of config.yaml: ${names}; to add one: holdfast target add NAME SERVICE`;
    throw new ControlError('NotFound', `unknown target "${name}"`, { hint });
  }

  /** Writes a change to `config.yaml` (see config/edit.ts) and applies it. */
  async edit(change: (home: Home) => Promise<Config>): Promise<void> {
    await this.#inTurn(() => change(this.home));
  }

  /** Reads `config.yaml` and the keys of targets again, and applies them. */
  reload(): Promise<Reloaded> {
    return this.#inTurn(async () => {
      this.#isRefused = true;
      return loadConfig(this.home);
    });
  }

  /** Applies the current configuration with the current keys of targets. Restarts jobs whose key has changed. */
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

/** Resolves when `done` settles. A failure does not prevent the next change. It is reported only to its own caller. */
function settled(done: Promise<unknown>): Promise<void> {
  return done.then(
    () => undefined,
    () => undefined,
  );
}
