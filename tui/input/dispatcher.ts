/** Translates keys into commands. Handles counts (`10j`), key sequences (`g g`) and digits that select a screen. */

import type { Clock } from '../../src/base/clock.ts';
import type { Command } from '../commands/command.ts';

/** If a motion key follows within this time, the digits are a count and do not select a screen. */
const COUNT_WITHIN_MS = 300;
const MOST_COUNT_DIGITS = 9;

export interface DispatchTarget {
  commands(): readonly Command[];
  run(command: Command, count: number | undefined): void;
  /** Selects the screen of a digit from 1 to 8. `undo` returns to the previous screen. */
  chooseScreen(digit: number): { readonly undo: () => void } | undefined;
  /** Returns whether digits before the key are a count. */
  isMotion(key: string): boolean;
  /** Returns whether the screen has a list, which counts require. */
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

  /** The typed keys of an incomplete count or sequence, for the footer. */
  get pending(): string {
    return `${this.#chosen ? '' : this.#digits}${this.#first}`;
  }

  press(key: string): void {
    if (this.#first === '' && /^\d$/.test(key) && this.#tookDigit(key)) return;
    // This precedes the lookup of commands, because the key belongs to the screen that was shown before the digit.
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
    // If the sequence is not a command, the second key is handled alone.
    if (began !== '') this.press(key);
  }

  /** Discards the typed count and the start of a sequence. */
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

  /** A count of several digits has no time limit. A first digit that selected a screen has one. */
  #inTime(): boolean {
    return !this.#chosen || this.#clock.monotonic() - this.#digitAt <= COUNT_WITHIN_MS;
  }

  #undoChoice(): void {
    this.#chosen?.undo();
    this.#chosen = undefined;
  }
}
