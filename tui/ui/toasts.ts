/**
 * Short messages above the footer. They report a success, an error or why a key has no effect, and some offer an undo
 * for a limited time.
 */

import type { Clock } from '../../src/base/clock.ts';
import type { Tone } from '../theme/look.ts';

const SHOWN_MS = 6_000;
const ERROR_SHOWN_MS = 15_000;
export const UNDO_MS = 30_000;
/** More than three messages would cover the screen. */
const MOST_TOASTS = 3;

export interface Toast {
  /** The text of the message. It must be safe to draw. */
  readonly text: string;
  readonly tone: Extract<Tone, 'plain' | 'good' | 'attention' | 'bad'>;
  readonly undo?: (() => Promise<void>) | undefined;
  /** The message that is shown after the undo has succeeded. */
  readonly undone?: string | undefined;
  /** Whether the message explains why a key has no effect. The next command removes such a message. */
  readonly isRefusal?: boolean;
  readonly until: number;
}

export class Toasts {
  readonly #clock: Clock;
  readonly #changed: () => void;
  #toasts: Toast[] = [];

  constructor(clock: Clock, changed: () => void) {
    this.#clock = clock;
    this.#changed = changed;
  }

  get shown(): readonly Toast[] {
    return this.#toasts;
  }

  /** The message that offers an undo. Only the newest action that can be undone is offered. */
  get undoable(): Toast | undefined {
    return this.#toasts.find(({ undo }) => undo !== undefined);
  }

  add(
    tone: Toast['tone'],
    text: string,
    more: Pick<Toast, 'undo' | 'undone' | 'isRefusal'> = {},
  ): void {
    if (more.undo) this.endOffer();
    const ms = more.undo ? UNDO_MS : tone === 'bad' ? ERROR_SHOWN_MS : SHOWN_MS;
    const toast = { text, tone, ...more, until: this.#clock.now() + ms };
    this.#toasts = [...this.#toasts.filter((each) => each.text !== text), toast].slice(
      -MOST_TOASTS,
    );
    this.#clock.after(ms, () => this.remove(toast));
    this.#changed();
  }

  /** Removes the message that offers an undo. */
  endOffer(): void {
    if (this.undoable) this.remove(this.undoable);
  }

  remove(toast: Toast): void {
    if (!this.#toasts.includes(toast)) return;
    this.#toasts = this.#toasts.filter((each) => each !== toast);
    this.#changed();
  }

  /** Removes success messages and refusals when a command starts. Errors and messages that offer an undo remain. */
  outdate(): void {
    this.#toasts = this.#toasts.filter(
      ({ tone, undo, isRefusal = false }) => undo !== undefined || (tone !== 'good' && !isRefusal),
    );
  }

  /** Removes messages about the previous screen when another screen is shown. Messages that offer an undo remain. */
  leave(toasts: readonly Toast[]): void {
    this.#toasts = this.#toasts.filter((each) => each.undo !== undefined || !toasts.includes(each));
  }

  /** Removes the most recent message. Returns false if there is none. */
  dismiss(): boolean {
    const last = this.#toasts.at(-1);
    if (last) this.remove(last);
    return last !== undefined;
  }
}
