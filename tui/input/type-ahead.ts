/**
 * Holds keys that are typed while a command waits for the daemon, because they are meant for the dialog that it opens.
 * On the screen below, `L` and `30d` would select another screen and delete an object. Keys are released when a dialog
 * opens, progress is shown or the command ends.
 */

import type { Clock } from '../../src/base/clock.ts';

/** The longest time for which keys are held. */
const LONGEST_MS = 2_000;

/** The hold of one command. */
interface Hold {
  /** Holds keys from now on if `answer` is a promise. */
  over<T>(answer: T | Promise<T>): T | Promise<T>;
  end(): void;
}

export class TypeAhead {
  readonly #clock: Clock;
  /** For each command that holds keys, returns whether it has opened a dialog or shows its progress. */
  readonly #holds = new Map<Hold, () => boolean>();
  #kept: (() => void)[] = [];

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Handles the input now, or after all holds are released. */
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
