/** `config.yaml` as the daemon holds it: read, changed through the one writer, applied. */

import { isDeepStrictEqual } from 'node:util';

import type { Config, TargetConfig } from '../src/config/config.ts';
import type { Home } from '../src/config/home.ts';
import { loadConfig } from '../src/config/load.ts';
import { ControlError } from '../src/control/control-error.ts';
import { LOCAL_TARGET } from '../src/control/methods/target.ts';

/** What the rooms are made with. */
const AT_START = ['region', 'vendor', 'storage', 'metrics', 'logLevel'] as const;

export interface SettingsOptions {
  readonly home: Home;
  readonly config: Config;
  /** Makes what runs equal to the configuration. */
  readonly apply: (config: Config) => Promise<void>;
}

export class Settings {
  readonly home: Home;
  readonly #apply: SettingsOptions['apply'];
  readonly #atStart: Config;
  #config: Config;
  /** The file is not what is used: a person has changed it into something that is wrong. */
  #isRefused = false;
  /** Changes are applied one after the other. */
  #turn: Promise<void> = Promise.resolve();

  constructor({ home, config, apply }: SettingsOptions) {
    this.home = home;
    this.#atStart = config;
    this.#config = config;
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
    throw new ControlError('NotFound', `find target ${name}: there is none of that name`);
  }

  /** Writes one change (see config/edit.ts) and applies it. */
  edit(change: (home: Home) => Promise<Config>): Promise<void> {
    return this.#inTurn(() => change(this.home));
  }

  /** Reads the file again, as a person has changed it. */
  reload(): Promise<void> {
    return this.#inTurn(async () => {
      this.#isRefused = true;
      return loadConfig(this.home);
    });
  }

  #inTurn(read: () => Promise<Config>): Promise<void> {
    const done = this.#turn.then(async () => {
      this.#config = await read();
      this.#isRefused = false;
      await this.#apply(this.#config);
    });
    this.#turn = done.catch(() => undefined);
    return done;
  }
}
