/** Lists all commands on the current screen. Enter runs the selected command, and typing after `/` narrows the list. */

import type { Drawn, Overlay } from '../widgets/overlay.ts';
import type { Area } from '../widgets/layout.ts';
import type { Ui } from '../ui/ui.ts';
import type { Command, CommandRunner } from '../commands/command.ts';
import { shownKey } from '../input/key-names.ts';
import { pad, widthOf, wrap } from '../text/width.ts';
import type { Look } from '../theme/look.ts';
import { clamp } from '../widgets/window.ts';
import { TextInput } from '../widgets/text-input.ts';

/** The maximum width of the key column, and its maximum share of the width. Longer keys continue on the next line. */
const MOST_KEYS_WIDTH = 20;
const MOST_KEYS_SHARE = 0.25;

export class HelpOverlay implements Overlay {
  readonly #ui: Ui;
  readonly #controller: CommandRunner;
  readonly #input = new TextInput();
  #isFiltering = false;
  #cursor = 0;
  /** The index of the first visible line. */
  #top = 0;
  /** The index of the command in each drawn line. */
  #drawn: readonly number[] = [];

  constructor(ui: Ui, controller: CommandRunner) {
    this.#ui = ui;
    this.#controller = controller;
  }

  onKey(key: string): void {
    if (key === 'esc' && this.#isFiltering) {
      this.#isFiltering = false;
      this.#input.text = '';
    } else if (key === 'esc') {
      this.#ui.closeOverlay(this);
    } else if (key === 'enter') {
      this.#run();
    } else if (this.#isFiltering && key !== 'up' && key !== 'down') {
      this.#input.onKey(key);
      this.#cursor = 0;
    } else if (key === '/') {
      this.#isFiltering = true;
    } else if (key === 'q' || key === '?') {
      this.#ui.closeOverlay(this);
    } else {
      this.#move(STEPS[key] ?? 0);
    }
  }

  onClick(line: number): void {
    const index = this.#drawn[this.#top + line - 1];
    if (index === undefined) return;
    if (index === this.#cursor) this.#run();
    else this.#cursor = index;
  }

  #move(rows: number): void {
    this.#cursor = clamp(this.#cursor + rows, 0, Math.max(0, this.#rows().length - 1));
  }

  /** Runs the selected command as its key would. The command may be refused or ask a question first. */
  #run(): void {
    const row = this.#rows()[this.#cursor];
    if (!row) return;
    this.#ui.closeOverlay(this);
    void this.#controller.run(row.command, undefined);
  }

  #rows(): readonly HelpRow[] {
    const wanted = this.#input.text.toLowerCase();
    return this.#controller
      .commands()
      .map((command) => ({ keys: command.keys.map(shownKey).join(' '), command }))
      .filter(({ keys, command }) => `${keys} ${command.title}`.toLowerCase().includes(wanted));
  }

  draw(area: Area, look: Look): Drawn {
    const rows = this.#rows();
    this.#cursor = clamp(this.#cursor, 0, Math.max(0, rows.length - 1));
    const widest = Math.max(0, ...rows.map(({ keys }) => widthOf(keys)));
    const most = Math.min(MOST_KEYS_WIDTH, Math.floor(area.columns * MOST_KEYS_SHARE));
    const keysWidth = Math.min(most, widest);
    const blocks = rows.map((row, index) => {
      return this.#block(row, {
        keysWidth,
        columns: area.columns,
        isSelected: index === this.#cursor,
        look,
      });
    });
    const all = blocks.flat();
    this.#drawn = blocks.flatMap((block, index) => block.map(() => index));
    const start = blocks.slice(0, this.#cursor).reduce((sum, { length }) => sum + length, 0);
    const end = start + (blocks[this.#cursor]?.length ?? 1);
    const room = Math.max(1, area.rows - 2);
    this.#top = clamp(clamp(this.#top, end - room, start), 0, Math.max(0, all.length - room));
    const lines = all.slice(this.#top, this.#top + room);
    const isFiltered = this.#isFiltering || this.#input.text !== '';
    const line = `/${this.#input.draw(area.columns - 1, look, this.#isFiltering)}`;
    const scope = this.#ui.router.top.scope;
    const head = isFiltered
      ? line
      : look.paint('dim', '! to !!! mark dangerous commands; / filters the list');
    const none = all.length === 0 ? [look.paint('attention', '  nothing matches')] : [];
    return {
      title: `Help: ${scope}`,
      lines: [head, ...lines, ...none],
      ...(rows.length === 0 ? {} : { selected: start - this.#top + 1 }),
      keys: `${lines.length < all.length ? this.#placeText(rows.length) : ''}Enter run  / filter  Esc close`,
    };
  }

  #block({ keys, command }: HelpRow, drawn: DrawnRow): string[] {
    const { keysWidth, columns, isSelected, look } = drawn;
    const why = this.#controller.whyNot(command);
    const danger = '!'.repeat(command.danger ?? 0);
    const title = `${command.title}${danger === '' ? '' : ` ${danger}`}`;
    const text = why === undefined ? title : `${title} (not now: ${why})`;
    const [names, texts] = [wrap(keys, keysWidth), wrap(text, columns - keysWidth - 4)];
    return Array.from({ length: Math.max(names.length, texts.length) }, (_, index) => {
      const line = texts[index] ?? '';
      const name = pad(names[index] ?? '', keysWidth + 2);
      const pointer = isSelected && index === 0 ? look.pointer : ' ';
      const shown = why === undefined ? line : look.paint('dim', line);
      return `${pointer} ${look.paint('key', name)}${shown}`;
    });
  }

  /** Returns the position of the selected command, such as `19 of 42  `. */
  #placeText(count: number): string {
    return `${this.#cursor + 1} of ${count}  `;
  }
}

interface HelpRow {
  readonly keys: string;
  readonly command: Command;
}

interface DrawnRow {
  readonly keysWidth: number;
  readonly columns: number;
  readonly isSelected: boolean;
  readonly look: Look;
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
