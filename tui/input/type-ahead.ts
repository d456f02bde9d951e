/**
 * What is typed while a command still asks the daemon was meant for what it opens, not for the screen below: `L` and `30d`
 * would be another screen and a deletion instead of a lock. It waits until something is opened, the command is done or shows
 * that it takes its time.
 */

import type { Clock } from '../../src/base/clock.ts';

/** Users do not type ahead for longer. */
const LONGEST_MS = 2_000;

/** Of one command. */
interface Hold {
  /** Holds from here on, if the answer is still to come. */
  over<T>(answer: T | Promise<T>): T | Promise<T>;
  end(): void;
}

export class TypeAhead {
  readonly #clock: Clock;
  /** For each command that holds keys: whether it has opened a dialog or shows its progress. */
  readonly #holds = new Map<Hold, () => boolean>();
  #kept: (() => void)[] = [];

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Does it now, or as soon as it is known whom it is for. */
  take(input: () => void): void {
    this.#kept.push(input);
    this.release();
  }

  release(): void {
    while (this.#kept.length > 0 && [...this.#holds.values()].every((isFree) => isFree())) {
      this.#kept.shift()?.();
    }
  }

  forget(): void {
    this.#kept = [];
  }

  command(isFree: () => boolean): Hold {
    let cancel = (): void => undefined;
    const end = () => {
      cancel();
      this.#holds.delete(hold);
      this.release();
    };
    const hold: Hold = {
      over: (answer) => {
        if (answer instanceof Promise && !this.#holds.has(hold)) {
          this.#holds.set(hold, isFree);
          cancel = this.#clock.after(LONGEST_MS, end);
        }
        return answer;
      },
      end,
    };
    return hold;
  }
}
