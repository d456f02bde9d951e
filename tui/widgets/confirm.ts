/**
 * A question before an important action. The default answer is No. An action that cannot be undone requires typed text.
 */

import type { Drawn, Overlay, OverlayHost } from './overlay.ts';
import type { Area } from './layout.ts';
import type { Question } from '../commands/command.ts';
import type { Clock } from '../../src/base/clock.ts';
import type { DaemonLink } from '../data/daemon-link.ts';
import { Polling } from '../data/polling.ts';
import type { Look } from '../theme/look.ts';
import { countText } from '../../src/text/amounts.ts';
import { wrap } from '../text/width.ts';
import { TextInput } from './text-input.ts';

/** The question ignores keys for this time, because the user may have pressed them for the previous screen. */
const DEAF_MS = 300;
const WIDEST = 72;
/** The interval at which an open question refreshes its figures. */
const AGAIN_MS = 2_000;

interface ConfirmHost extends OverlayHost {
  readonly clock: Clock;
  readonly link: DaemonLink;
  /** The topmost overlay. When the question is created, this is the overlay that the question will cover. */
  readonly overlay: Overlay | undefined;
}

export class ConfirmOverlay implements Overlay {
  readonly #ui: ConfirmHost;
  #question: Question;
  readonly #answered: (yes: boolean) => void;
  readonly #openedAt: number;
  /** What Esc does, as text for the lower border. */
  readonly #escape: string;
  readonly #input = new TextInput();
  readonly #polling: Polling | undefined;
  readonly #cancelArming: () => void;
  #isYes = false;
  #problem: string | undefined;

  constructor(ui: ConfirmHost, question: Question, answered: (yes: boolean) => void) {
    this.#ui = ui;
    this.#question = question;
    this.#answered = answered;
    const no = question.type === undefined ? 'Esc no' : 'Esc cancel';
    this.#escape = ui.overlay?.isForm ? 'Esc back to the form' : no;
    this.#openedAt = ui.clock.monotonic();
    this.#cancelArming = ui.clock.after(DEAF_MS, () => ui.changes.now());
    this.#polling = this.#refreshing(question);
    this.#polling?.start();
  }

  #refreshing({ again }: Question): Polling | undefined {
    if (!again) return undefined;
    const { clock, link, changes } = this.#ui;
    return new Polling({
      clock,
      link,
      everyMs: () => AGAIN_MS,
      read: async (signal) => {
        this.#question = await again(signal);
      },
      changed: () => changes.soon(),
    });
  }

  get #isDeaf(): boolean {
    return this.#ui.clock.monotonic() - this.#openedAt < DEAF_MS;
  }

  onKey(key: string): void {
    if (this.#isDeaf) return;
    if (key === 'esc') return this.#answer(false);
    if (this.#question.type === undefined) this.#choose(key);
    else this.#type(key, this.#question.type);
    this.#ui.changes.now();
  }

  onClick(_line: number, word: string): void {
    if (this.#isDeaf || this.#question.type !== undefined) return;
    if (word === 'Yes' || word === 'No') this.#answer(word === 'Yes');
  }

  onPaste(text: string): void {
    if (this.#question.type !== undefined) this.#input.insert(text);
    this.#ui.changes.now();
  }

  onClose(): void {
    this.#cancelArming();
    this.#polling?.stop();
    this.#answered(false);
  }

  #choose(key: string): void {
    if (key === 'y' || key === 'Y') return this.#answer(true);
    if (key === 'n' || key === 'N' || key === 'q') return this.#answer(false);
    if (key === 'enter') return this.#answer(this.#isYes);
    if (['left', 'right', 'tab', 'shift-tab', 'h', 'l'].includes(key)) this.#isYes = !this.#isYes;
  }

  #type(key: string, wanted: string): void {
    if (key !== 'enter') {
      this.#problem = undefined;
      this.#input.onKey(key);
    } else if (this.#input.text === wanted) {
      this.#answer(true);
    } else {
      this.#problem = 'the text does not match: type it as shown, or press Esc';
    }
  }

  #answer(yes: boolean): void {
    this.#answered(yes);
    this.#ui.closeOverlay(this);
  }

  draw(area: Area, look: Look): Drawn {
    const { title, facts, type } = this.#question;
    const width = Math.min(WIDEST, area.columns);
    const stale = this.#polling?.problem;
    const notes = stale === undefined ? [] : [`These figures are not current: ${look.name(stale)}`];
    const said = [...facts, ...notes].flatMap((fact) => wrap(fact, width));
    // The text above the answer buttons is shortened, because the buttons must always be visible.
    const rest = (lines: readonly string[]) => fitting(said, area.rows - lines.length - 1, lines);
    if (type === undefined) {
      const button = (text: string, on: boolean) =>
        on ? look.paint('button', ` ${text} `) : ` ${text} `;
      const yes = button('Yes', this.#isYes);
      // The dim button shows that a key which is pressed too early is ignored.
      const armed = this.#isDeaf ? look.paint('dim', yes) : yes;
      const buttons = `${button('No', !this.#isYes)}   ${armed}`;
      return { title, lines: rest(['', buttons]), keys: `y yes  n no  ${this.#escape}` };
    }
    const asked = `type ${look.paint('strong', look.name(type))} to confirm:`;
    const typed = `> ${this.#input.draw(width - 2, look)}`;
    const problem = this.#problem === undefined ? [] : [look.paint('bad', this.#problem)];
    return {
      title,
      lines: rest(['', asked, typed, ...problem]),
      keys: `Enter confirm  ${this.#escape}`,
    };
  }
}

/** Returns as many lines as fit above the `needed` lines. */
function fitting(lines: readonly string[], room: number, needed: readonly string[]): string[] {
  const shown = lines.length <= room ? lines : lines.slice(0, Math.max(0, room - 1));
  const left = lines.length - shown.length;
  return [...shown, ...(left > 0 ? [`and ${countText(left, 'line')} more`] : []), ...needed];
}
