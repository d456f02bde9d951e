/**
 * The command palette, which `:` opens. It accepts a screen name, a command with arguments, or a word from a command's
 * title.
 */

import type { CommandRunner } from '../commands/command.ts';
import type { Drawn, Overlay } from '../widgets/overlay.ts';
import type { Area } from '../widgets/layout.ts';
import type { Ui } from '../ui/ui.ts';
import { widthOf } from '../text/width.ts';
import type { Look } from '../theme/look.ts';
import { offersFor, prepareOffers } from './palette-offers.ts';
import type { Offer } from './palette-offers.ts';
import { TextInput } from '../widgets/text-input.ts';
import { clamp } from '../widgets/window.ts';

const MOST_REMEMBERED = 100;

/** The commands that were entered in this session, oldest first. */
const history: string[] = [];

export class PaletteOverlay implements Overlay {
  readonly #ui: Ui;
  readonly #controller: CommandRunner;
  readonly #input: TextInput;
  #cursor = 0;
  /** The index of the first visible offer. */
  #top = 0;
  #past = history.length;

  constructor(ui: Ui, controller: CommandRunner, text = '') {
    this.#ui = ui;
    this.#controller = controller;
    this.#input = new TextInput(text);
    prepareOffers(ui, text);
  }

  onKey(key: string): void {
    if (key === 'esc') return this.#ui.closeOverlay(this);
    if (key === 'backspace' && this.#input.text === '') return this.#ui.closeOverlay(this);
    if (key === 'enter') return this.#take();
    if (key === 'tab') return this.#complete();
    // The Up key on the first offer recalls earlier commands.
    if (key === 'ctrl-p' || (key === 'up' && this.#cursor === 0)) return this.#recall(-1);
    if (key === 'ctrl-n' || (key === 'down' && this.#isRecalled)) return this.#recall(1);
    const step = key === 'down' ? 1 : key === 'up' ? -1 : 0;
    if (step === 0 && this.#input.onKey(key)) this.#edited();
    this.#cursor = clamp(this.#cursor + step, 0, Math.max(0, this.#offers().length - 1));
  }

  onClick(line: number): void {
    // The first line of the palette is the input line.
    const index = this.#top + line - 1;
    if (line < 1 || index >= this.#offers().length) return;
    this.#cursor = index;
    this.#take();
  }

  onPaste(text: string): void {
    this.#input.insert(text);
    this.#edited();
    this.#ui.changes.now();
  }

  #edited(): void {
    this.#cursor = 0;
    this.#past = history.length;
    prepareOffers(this.#ui, this.#input.text);
  }

  get #isRecalled(): boolean {
    return this.#past < history.length;
  }

  #recall(step: 1 | -1): void {
    this.#past = clamp(this.#past + step, 0, history.length);
    this.#input.text = history[this.#past] ?? '';
    this.#cursor = 0;
    prepareOffers(this.#ui, this.#input.text);
  }

  #complete(): void {
    const offers = this.#offers().slice(this.#cursor);
    const isTyped = offers[0]?.text.trim() === this.#input.text.trim();
    const offer = (isTyped ? offers[1] : undefined) ?? offers[0];
    if (offer) this.#input.text = offer.text;
    this.#cursor = 0;
    prepareOffers(this.#ui, this.#input.text);
  }

  #take(): void {
    const offer = this.#offers()[this.#cursor];
    const typed = this.#input.text.trim();
    if (typed === '' && this.#cursor === 0) return this.#ui.closeOverlay(this);
    if (!offer) return this.#ui.warn(`nothing matches "${typed}"; press Esc to close`);
    if (!offer.run) return this.#complete();
    if (typed !== '' && history.at(-1) !== typed) history.push(typed);
    history.splice(0, history.length - MOST_REMEMBERED);
    this.#ui.closeOverlay(this);
    void this.#controller.perform(offer.run);
  }

  #offers(): readonly Offer[] {
    return offersFor(this.#ui, this.#controller, this.#input.text);
  }

  draw(area: Area, look: Look): Drawn {
    const offers = this.#offers();
    // Names without a description use the whole line.
    const hasTitles = offers.some(({ title, why }) => title !== '' || why !== undefined);
    const labels = Math.min(
      hasTitles ? MOST_LABEL : area.columns - 4,
      Math.max(0, ...offers.map(({ label }) => widthOf(look.name(label)))),
    );
    const room = Math.max(1, area.rows - 1);
    this.#top = clamp(this.#top, Math.max(0, this.#cursor - room + 1), this.#cursor);
    const all = offers.map(({ label, title, why }, index) => {
      const first = look.fit(look.name(label), labels, { cut: 'middle' });
      const reason = why === undefined ? '' : ` (not now: ${why})`;
      const text = look.cut(`${first}  ${look.name(title + reason)}`, area.columns - 2);
      const shown = why === undefined ? text : look.paint('dim', text);
      return `${index === this.#cursor ? look.pointer : ' '} ${shown}`;
    });
    const lines = all.slice(this.#top, this.#top + room);
    const none = lines.length === 0 ? [look.paint('attention', '  nothing matches')] : [];
    const place = lines.length < all.length ? `${this.#cursor + 1} of ${all.length}  ` : '';
    const line = `:${this.#input.draw(area.columns - 1, look)}`;
    return {
      title: 'Command',
      lines: [line, ...lines, ...none],
      ...(lines.length === 0 ? {} : { selected: this.#cursor - this.#top + 1 }),
      // On a low terminal, the position of the selected offer replaces the hint about earlier commands.
      keys: `${place || 'Up earlier  '}Enter run  Tab complete  Esc close`,
    };
  }
}

/** The maximum width of the first column. Longer labels are cut. */
const MOST_LABEL = 32;
