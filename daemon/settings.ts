/** `config.yaml` as the daemon holds it: read, changed through the one writer, applied. */

import type { Config, TargetConfig } from '../src/config/config.ts';
import type { Home } from '../src/config/home.ts';
import { loadConfig } from '../src/config/load.ts';
import { ControlError } from '../src/control/control-error.ts';
import { LOCAL_TARGET } from './compose.ts';

export interface SettingsOptions {
  readonly home: Home;
  readonly config: Config;
  /** Makes what runs equal to the configuration. */
  readonly apply: (config: Config) => Promise<void>;
}

export class Settings {
  readonly home: Home;
  readonly #apply: SettingsOptions['apply'];
  #config: Config;
  /** Changes are applied one after the other. */
  #turn: Promise<void> = Promise.resolve();

  constructor({ home, config, apply }: SettingsOptions) {
    this.home = home;
    this.#config = config;
    this.#apply = apply;
  }

  current(): Config {
    return this.#config;
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
    return this.#inTurn(() => loadConfig(this.home));
  }

  #inTurn(read: () => Promise<Config>): Promise<void> {
    const done = this.#turn.then(async () => {
      this.#config = await read();
      await this.#apply(this.#config);
    });
    this.#turn = done.catch(() => undefined);
    return done;
  }
}
