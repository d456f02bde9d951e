/**
 * Returns the access keys of remote storage and cluster services. Credentials files are read each time. Credentials
 * programs run in the background, because callers cannot wait for them.
 */

import { isDeepStrictEqual } from 'node:util';

import { type Clock, restUnlessAborted } from '../../src/base/clock.ts';
import type { TargetConfig } from '../../src/config/config.ts';
import { ConfigError } from '../../src/config/config-error.ts';
import { askCredentials, readCredentialsOf } from '../../src/config/credentials.ts';
import type { Credentials } from '../../src/config/credentials.ts';

type Target = Pick<TargetConfig, 'credentials' | 'name'>;
type Answer = { readonly key: Credentials } | { readonly failure: unknown };
type Environment = Readonly<Record<string, string | undefined>>;

/**
 * How long `load` waits for credentials programs. A program may prompt the user, and other jobs must not wait longer.
 */
const PATIENCE_MS = 5_000;

export class TargetKeys {
  readonly #env: Environment;
  readonly #clock: Clock;
  /** The results of credentials programs, by their configuration. */
  readonly #answers = new Map<string, Answer>();
  readonly #asking = new Map<string, Promise<void>>();

  constructor(env: Environment, clock: Clock) {
    this.#env = env;
    this.#clock = clock;
  }

  /**
   * Runs the credentials programs of these targets again and waits up to `PATIENCE_MS` for their results. Never
   * rejects. If a program failed, `get` throws its error.
   */
  async load(targets: readonly Target[]): Promise<void> {
    const asked = targets.filter((target) => this.#isAsked(target));
    if (asked.length === 0) return;
    const over = new AbortController();
    const patience = restUnlessAborted(this.#clock, PATIENCE_MS, over.signal);
    await Promise.race([patience, Promise.all(asked.map((target) => this.#ask(target)))]);
    over.abort();
  }

  /**
   * Returns the access key of a target. If the key is not available, runs its program again and throws ConfigError.
   */
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
      // `get` throws this error to the caller that needs the key.
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

  /**
   * Stores the result of a program. A failure, for example because the keyring is locked, does not replace an
   * existing key.
   */
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
  const message = 'its credentials program has not finished yet; will retry';
  return new ConfigError(name, [{ message }], { verb: 'cannot get the credentials of' });
}
