/** From keys to commands: counts (`10j`), keys in sequence (`g g`), and digits that choose a screen. */

import type { Clock } from '../../src/base/clock.ts';
import type { Command } from '../commands/command.ts';

/** Digits that are followed by a motion as quickly as that were a count, and no choice of a screen. */
const COUNT_WITHIN_MS = 300;
const MOST_COUNT_DIGITS = 9;

export interface DispatchTarget {
  commands(): readonly Command[];
  run(command: Command, count: number | undefined): void;
  /** `undo` gives back what was chosen before. Digits 1 to 8. */
  chooseScreen(digit: number): { readonly undo: () => void } | undefined;
  /** Whether digits before the key are a count. */
  isMotion(key: string): boolean;
  /** Whether the screen has a list, so that counts make sense. */
  hasList(): boolean;
}

export class Dispatcher {
  readonly #target: DispatchTarget;
  readonly #clock: Clock;
  #digits = '';
  #digitAt = 0;
  #chosen: { readonly undo: () => void } | undefined;
  #first = '';

  constructor(target: DispatchTarget, clock: Clock) {
    this.#target = target;
    this.#clock = clock;
  }

  /** What was typed and waits for more, for the footer. */
  get pending(): string {
    return `${this.#chosen ? '' : this.#digits}${this.#first}`;
  }

  press(key: string): void {
    if (this.#first === '' && /^\d$/.test(key) && this.#tookDigit(key)) return;
    // Before the commands are looked up: the key is for the screen that was shown before the digit.
    if (this.#inTime() && this.#target.isMotion(this.#first === '' ? key : this.#first))
      this.#undoChoice();
    const typed = this.#first === '' ? key : `${this.#first} ${key}`;
    const commands = this.#target.commands();
    const command = commands.find(({ keys }) => keys.includes(typed));
    if (
      !command &&
      commands.some(({ keys }) => keys.some((each) => each.startsWith(`${typed} `)))
    ) {
      this.#first = typed;
      return;
    }
    const began = this.#first;
    const count = this.#takeCount(began === '' ? key : began);
    this.#first = '';
    if (command) return this.#target.run(command, count);
    // A sequence that leads nowhere: the second key stands for itself.
    if (began !== '') this.press(key);
  }

  /** Forgets what was typed so far. */
  reset(): void {
    this.#digits = '';
    this.#chosen = undefined;
    this.#first = '';
  }

  #tookDigit(key: string): boolean {
    const continues = this.#digits !== '' && this.#inTime();
    if (!continues) this.#digits = '';
    if (!continues && key === '0') return false;
    if (continues) this.#undoChoice();
    this.#digits = (this.#digits + key).slice(0, MOST_COUNT_DIGITS);
    this.#digitAt = this.#clock.monotonic();
    const chooses = !continues && key >= '1' && key <= '8';
    if (chooses) this.#chosen = this.#target.chooseScreen(Number(key));
    return true;
  }

  #takeCount(key: string): number | undefined {
    const digits = this.#digits;
    this.#digits = '';
    const chosen = this.#chosen;
    this.#chosen = undefined;
    if (digits === '' || !this.#target.isMotion(key)) return undefined;
    return chosen ? undefined : Number(digits);
  }

  /** A count of several digits may be typed slowly; a first digit that chose a screen may not. */
  #inTime(): boolean {
    return !this.#chosen || this.#clock.monotonic() - this.#digitAt <= COUNT_WITHIN_MS;
  }

  #undoChoice(): void {
    this.#chosen?.undo();
    this.#chosen = undefined;
  }
}
