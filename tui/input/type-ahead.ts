/**
 * Holds keys that the user types while a command waits for the daemon, because they are meant for the dialog that the
 * command opens. Otherwise the screen behind the dialog would receive them, where `L` and `30d` select another screen
 * and delete an object. The keys are released when a dialog opens, when progress is shown or when the command ends.
 */

import type { Clock } from '../../src/base/clock.ts';

/** The longest time that keys are held. */
const LONGEST_MS = 2_000;

/** Holds typed keys for one running command. */
interface Hold {
  /** If `answer` is a promise, holds typed keys until the promise settles or a dialog opens. */
  over<T>(answer: T | Promise<T>): T | Promise<T>;
  end(): void;
}

export class TypeAhead {
  readonly #clock: Clock;
  /**
   * For each command that holds keys, a function that returns whether the command has opened a dialog or shows its
   * progress.
   */
  readonly #holds = new Map<Hold, () => boolean>();
  #kept: (() => void)[] = [];

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Handles the input now, or after all holds are released if a command holds keys. */
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
