/** All that can be done on this screen, by the table of commands; typing narrows it. */

import type { Controller } from '../app/controller.ts';
import type { Drawn, Overlay } from '../app/overlay.ts';
import type { Area } from '../app/screen.ts';
import type { Ui } from '../app/ui.ts';
import { shownKey } from '../keys/key-names.ts';
import { pad, widthOf, wrap } from '../text/width.ts';
import type { Look } from '../theme/look.ts';
import { clamp } from './window.ts';
import { TextInput } from './text-input.ts';

/** The keys of one command take no more. */
const MOST_KEYS_WIDTH = 18;

export class HelpOverlay implements Overlay {
  readonly #ui: Ui;
  readonly #controller: Controller;
  readonly #input = new TextInput();
  #isFiltering = false;
  #top = 0;

  constructor(ui: Ui, controller: Controller) {
    this.#ui = ui;
    this.#controller = controller;
  }

  onKey(key: string): void {
    if (key === 'esc' && this.#isFiltering) {
      this.#isFiltering = false;
      this.#input.text = '';
    } else if (key === 'esc') {
      this.#ui.closeOverlay(this);
    } else if (this.#isFiltering && key !== 'up' && key !== 'down') {
      if (key === 'enter') this.#isFiltering = false;
      else this.#input.onKey(key);
      this.#top = 0;
    } else if (key === '/') {
      this.#isFiltering = true;
    } else if (key === 'q' || key === '?') {
      this.#ui.closeOverlay(this);
    } else {
      this.#top += STEPS[key] ?? 0;
    }
  }

  draw(area: Area, look: Look): Drawn {
    const wanted = this.#input.text.toLowerCase();
    const rows = this.#controller
      .commands()
      .map((command) => {
        const keys = command.keys.map(shownKey).join(' ');
        return { keys, command, why: this.#controller.whyNot(command) };
      })
      .filter(({ keys, command }) => `${keys} ${command.title}`.toLowerCase().includes(wanted));
    const keysWidth = Math.min(
      MOST_KEYS_WIDTH,
      Math.max(0, ...rows.map(({ keys }) => widthOf(keys))),
    );
    const all = rows.flatMap(({ keys, command, why }) => {
      const danger = '!'.repeat(command.danger ?? 0);
      const title = `${command.title}${danger === '' ? '' : ` ${danger}`}`;
      const text = why === undefined ? title : `${title} (not now: ${why})`;
      return wrap(text, area.columns - keysWidth - 2).map((line, index) => {
        const name = pad(look.cut(index === 0 ? keys : '', keysWidth), keysWidth + 2);
        return look.paint('accent', name) + (why === undefined ? line : look.paint('dim', line));
      });
    });
    const room = area.rows - 2;
    this.#top = clamp(this.#top, 0, Math.max(0, all.length - room));
    const lines = all.slice(this.#top, this.#top + room);
    const filter = this.#isFiltering || wanted !== '';
    const line = `/${this.#input.draw(area.columns - 1, look, this.#isFiltering)}`;
    const scope = this.#ui.router.top.scope;
    const head = filter ? line : look.paint('dim', 'more ! is more at stake; / narrows the list');
    return {
      title: `Help: ${scope}`,
      lines: [head, ...lines],
      keys: `${placeText(this.#top, lines.length, all.length)}j k move  / filter  Esc leave`,
    };
  }
}

/** `19 of 42  `, where not all of it is shown. */
function placeText(top: number, shown: number, count: number): string {
  return shown === count ? '' : `to ${top + shown} of ${count}  `;
}

const STEPS: Readonly<Record<string, number>> = {
  j: 1,
  down: 1,
  k: -1,
  up: -1,
  pagedown: 10,
  pageup: -10,
  'ctrl-d': 10,
  'ctrl-u': -10,
  G: 1_000,
  end: 1_000,
  home: -1_000,
};
