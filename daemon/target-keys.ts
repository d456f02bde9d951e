/** Keys of remote services, of storage and of clusters. Files are read each time; programs are asked beforehand, since nobody waits for them here. */

import { isDeepStrictEqual } from 'node:util';

import { type Clock, restUnlessAborted } from '../src/base/clock.ts';
import type { TargetConfig } from '../src/config/config.ts';
import { ConfigError } from '../src/config/config-error.ts';
import { askCredentials, readCredentialsOf } from '../src/config/credentials.ts';
import type { Credentials } from '../src/config/credentials.ts';

type Target = Pick<TargetConfig, 'credentials' | 'name'>;
type Answer = { readonly key: Credentials } | { readonly failure: unknown };
type Environment = Readonly<Record<string, string | undefined>>;

/** Somebody may be asked for a password first: jobs that need no such key do not wait for that. */
const PATIENCE_MS = 5_000;

export class TargetKeys {
  readonly #env: Environment;
  readonly #clock: Clock;
  /** Of targets whose keys programs have, by where these are. */
  readonly #answers = new Map<string, Answer>();
  readonly #asking = new Map<string, Promise<void>>();

  constructor(env: Environment, clock: Clock) {
    this.#env = env;
    this.#clock = clock;
  }

  /**
   * Asks again for all that have to be asked for, and waits a while for the answers. Never rejects: who needs a key is told
   * why there is none.
   */
  async load(targets: readonly Target[]): Promise<void> {
    const asked = targets.filter((target) => this.#isAsked(target));
    if (asked.length === 0) return;
    const over = new AbortController();
    const patience = restUnlessAborted(this.#clock, PATIENCE_MS, over.signal);
    await Promise.race([patience, Promise.all(asked.map((target) => this.#ask(target)))]);
    over.abort();
  }

  /** Throws ConfigError; then it is asked for again, for the next one who needs it. */
  get(target: Target): Credentials {
    const found = readCredentialsOf(target.credentials, this.#env);
    if (!('command' in found)) return found;
    const answer = this.#answers.get(placeOf(target));
    if (answer && 'key' in answer) return answer.key;
    void this.#ask(target);
    throw answer?.failure ?? notYet(target);
  }

  #isAsked({ credentials }: Target): boolean {
    try {
      return 'command' in readCredentialsOf(credentials, this.#env);
    } catch (error) {
      // Told to whoever needs the key.
      if (error instanceof ConfigError) return false;
      throw error;
    }
  }

  #ask(target: Target): Promise<void> {
    const place = placeOf(target);
    const running = this.#asking.get(place);
    if (running) return running;
    const asked = askCredentials(target.credentials, this.#env)
      .then(
        (key) => this.#remember(place, { key }),
        (failure: unknown) => this.#remember(place, { failure }),
      )
      .finally(() => this.#asking.delete(place));
    this.#asking.set(place, asked);
    return asked;
  }

  /** A program that fails now, as a keyring that is locked, takes no key away that was good. */
  #remember(place: string, answer: Answer): void {
    const known = this.#answers.get(place);
    if (known && 'key' in known && ('failure' in answer || isDeepStrictEqual(known, answer)))
      return;
    this.#answers.set(place, answer);
  }
}

function placeOf({ credentials }: Target): string {
  return JSON.stringify(credentials);
}

function notYet({ name }: Target): ConfigError {
  const message = 'it was not answered yet; this is tried again';
  return new ConfigError(name, [{ message }], { verb: 'ask for credentials of' });
}
