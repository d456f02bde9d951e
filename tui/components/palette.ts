/** What is typed after `:`: a place, an action with its arguments, or a word of a command's title. */

import type { Controller } from '../app/controller.ts';
import type { Drawn, Overlay } from '../app/overlay.ts';
import type { Area } from '../app/screen.ts';
import type { Ui } from '../app/ui.ts';
import { shownKey } from '../keys/key-names.ts';
import { PHRASES } from '../keys/phrases.ts';
import type { Look } from '../theme/look.ts';
import { TextInput } from './text-input.ts';
import { clamp } from './window.ts';

interface Offer {
  /** What Tab puts into the line. */
  readonly text: string;
  readonly title: string;
  readonly why?: string | undefined;
  readonly run: (() => void | Promise<void>) | undefined;
}

const MOST_OFFERS = 12;
const MOST_REMEMBERED = 100;

/** What was typed in this session, the latest last. */
const history: string[] = [];

export class PaletteOverlay implements Overlay {
  readonly #ui: Ui;
  readonly #controller: Controller;
  readonly #input: TextInput;
  #cursor = 0;
  #past = history.length;

  constructor(ui: Ui, controller: Controller, text = '') {
    this.#ui = ui;
    this.#controller = controller;
    this.#input = new TextInput(text);
  }

  onKey(key: string): void {
    if (key === 'esc') return this.#ui.closeOverlay(this);
    if (key === 'backspace' && this.#input.text === '') return this.#ui.closeOverlay(this);
    if (key === 'enter') return this.#take();
    if (key === 'tab') return this.#complete();
    if (key === 'ctrl-p') return this.#recall(-1);
    if (key === 'ctrl-n') return this.#recall(1);
    const step = key === 'down' ? 1 : key === 'up' ? -1 : 0;
    if (step === 0 && this.#input.onKey(key)) this.#cursor = 0;
    this.#cursor = clamp(this.#cursor + step, 0, Math.max(0, this.#offers().length - 1));
  }

  onPaste(text: string): void {
    this.#input.insert(text);
    this.#ui.changes.now();
  }

  #recall(step: 1 | -1): void {
    this.#past = clamp(this.#past + step, 0, history.length);
    this.#input.text = history[this.#past] ?? '';
    this.#cursor = 0;
  }

  #complete(): void {
    const offers = this.#offers().slice(this.#cursor);
    const isTyped = offers[0]?.text.trim() === this.#input.text.trim();
    const offer = (isTyped ? offers[1] : undefined) ?? offers[0];
    if (offer) this.#input.text = offer.text;
    this.#cursor = 0;
  }

  #take(): void {
    const offer = this.#offers()[this.#cursor];
    const typed = this.#input.text.trim();
    if (typed === '' && this.#cursor === 0) return this.#ui.closeOverlay(this);
    if (!offer) return this.#ui.warn(`nothing is called "${typed}"; Esc leaves`);
    if (!offer.run) return this.#complete();
    if (typed !== '' && history.at(-1) !== typed) history.push(typed);
    history.splice(0, history.length - MOST_REMEMBERED);
    this.#ui.closeOverlay(this);
    void this.#ui.attempt(offer.run);
  }

  #offers(): readonly Offer[] {
    const text = this.#input.text.trimStart();
    const [word = '', ...rest] = text.split(/\s+/);
    const argument = rest.join(' ');
    const phrase = PHRASES.find(({ name }) => name === word);
    if (phrase && text.includes(' ')) return this.#arguments(phrase, argument);
    const begun = text.includes(' ') ? [] : PHRASES.filter(({ name }) => name.startsWith(word));
    const phrases = begun.map((each) => {
      const run = each.needsArgument === true ? undefined : () => each.run(this.#ui, '');
      return { text: `${each.name} `, title: `${each.usage}   ${each.title}`, run };
    });
    return [...phrases, ...this.#commands(text)].slice(0, MOST_OFFERS);
  }

  #arguments(phrase: (typeof PHRASES)[number], argument: string): readonly Offer[] {
    const offers = (phrase.complete?.(this.#ui, argument) ?? []).map((completed) => {
      const run = () => phrase.run(this.#ui, completed.trim());
      return { text: `${phrase.name} ${completed}`, title: `${phrase.name} ${completed}`, run };
    });
    const own = {
      text: `${phrase.name} ${argument}`,
      title: `${phrase.name} ${argument}`,
      run: () => phrase.run(this.#ui, argument.trim()),
    };
    const isOffered = offers.some(({ text }) => text.trim() === own.text.trim());
    const all = isOffered || argument === '' ? offers : [own, ...offers];
    return (all.length === 0 ? [own] : all).slice(0, MOST_OFFERS);
  }

  #commands(text: string): readonly Offer[] {
    const wanted = text.toLowerCase();
    return this.#controller
      .commands()
      .filter(({ title }) => title.toLowerCase().includes(wanted))
      .map((command) => {
        const why = this.#controller.whyNot(command);
        const key = command.keys[0];
        const title = key === undefined ? command.title : `${command.title} (${shownKey(key)})`;
        return {
          text: command.title,
          title,
          why,
          run: () => this.#controller.run(command, undefined),
        };
      });
  }

  draw(area: Area, look: Look): Drawn {
    const lines = this.#offers().map(({ title, why }, index) => {
      const text = why === undefined ? title : `${title} (not now: ${why})`;
      const cut = look.cut(look.name(text), area.columns - 2);
      if (index === this.#cursor) return look.paint('selected', `${look.glyphs.pointer} ${cut}`);
      return `  ${why === undefined ? cut : look.paint('dim', cut)}`;
    });
    const line = `:${this.#input.draw(area.columns - 1, look)}`;
    return {
      title: 'Command',
      lines: [line, ...lines],
      keys: 'Tab complete  Ctrl-P earlier  Esc leave',
    };
  }
}
