/** Translates keys into commands. Handles counts (`10j`), key sequences (`g g`) and digits that select a screen. */

import type { Clock } from '../../src/base/clock.ts';
import type { Command } from '../commands/command.ts';

/** If a motion key follows a digit within this time, the digit is a count and does not select a screen. */
const COUNT_WITHIN_MS = 300;
const MOST_COUNT_DIGITS = 9;

export interface DispatchTarget {
  commands(): readonly Command[];
  run(command: Command, count: number | undefined): void;
  /** Selects the screen for a digit from 1 to 8. `undo` returns to the previous screen. */
  chooseScreen(digit: number): { readonly undo: () => void } | undefined;
  /** Returns whether digits before this key are a count, as in `10j`. */
  isMotion(key: string): boolean;
  /** Returns whether the screen has a list. Without a list, digits are never a count. */
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

  /** The keys of an incomplete count or key sequence, which the footer shows. */
  get pending(): string {
    return `${this.#chosen ? '' : this.#digits}${this.#first}`;
  }

  press(key: string): void {
    if (this.#first === '' && /^\d$/.test(key) && this.#tookDigit(key)) return;
    // Undoing the screen selection comes before the command lookup, because the key belongs to the screen that was
    // visible before the digit.
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
    // If the two keys are not a known sequence, the second key is handled as a single key.
    if (began !== '') this.press(key);
  }

  /** Discards a typed count and the start of a key sequence. */
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

  /**
   * Returns whether the typed digits can still become a count. Only a single digit that has selected a screen has a
   * time limit.
   */
  #inTime(): boolean {
    return !this.#chosen || this.#clock.monotonic() - this.#digitAt <= COUNT_WITHIN_MS;
  }

  #undoChoice(): void {
    this.#chosen?.undo();
    this.#chosen = undefined;
  }
}
