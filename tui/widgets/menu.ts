/** A menu with a few choices, such as sort orders, values to copy or retention periods. */

import type { Drawn, Overlay, OverlayHost } from './overlay.ts';
import type { Area } from './layout.ts';
import { wrap } from '../text/width.ts';
import type { Look } from '../theme/look.ts';

export interface MenuItem {
  /** The title of the item. It must be safe to draw. */
  readonly title: string;
  /** Why the user cannot choose the item now. Absent if the item is available. */
  readonly why?: string | undefined;
  readonly run: () => void | Promise<void>;
}

interface MenuHost extends OverlayHost {
  warn(text: string): void;
  /** Runs the action and shows its error. Never rejects. */
  attempt(run: () => void | Promise<void>): Promise<void>;
}

export class MenuOverlay implements Overlay {
  readonly #ui: MenuHost;
  readonly #title: string;
  readonly #items: readonly MenuItem[];
  #cursor: number;
  /** The index of the first visible line. */
  #top = 0;
  /** The index of the item in each drawn line. */
  #drawn: readonly number[] = [];

  constructor(ui: MenuHost, title: string, items: readonly MenuItem[]) {
    this.#ui = ui;
    this.#title = title;
    this.#items = items;
    // The reason of an unavailable item is shown, but Enter should choose an available item.
    this.#cursor = Math.max(
      0,
      items.findIndex(({ why }) => why === undefined),
    );
  }

  onKey(key: string): void {
    const digit = /^[1-9]$/.test(key) ? this.#items[Number(key) - 1] : undefined;
    if (digit) return this.#take(digit);
    if (key === 'enter' || key === 'l') {
      const item = this.#items[this.#cursor];
      if (item) this.#take(item);
    } else if (key === 'esc' || key === 'q' || key === 'h') {
      this.#ui.closeOverlay(this);
    } else {
      this.#move(key);
    }
  }

  onClick(line: number): void {
    const item = this.#items[this.#drawn[line] ?? -1];
    if (item) this.#take(item);
  }

  #move(key: string): void {
    const count = this.#items.length;
    const step =
      key === 'j' || key === 'down' || key === 'tab' ? 1 : key === 'k' || key === 'up' ? -1 : 0;
    this.#cursor = count === 0 ? 0 : (this.#cursor + step + count) % count;
  }

  #take(item: MenuItem): void {
    if (item.why !== undefined) return this.#ui.warn(`${item.title}: ${item.why}`);
    this.#ui.closeOverlay(this);
    void this.#ui.attempt(item.run);
  }

  draw(area: Area, look: Look): Drawn {
    const room = Math.max(1, area.rows);
    const rows = this.#items.flatMap((item, index) =>
      itemLines(item, index, area.columns - 2).map((text, line) => ({ item, index, text, line })),
    );
    const last = rows.findLastIndex(({ index }) => index === this.#cursor);
    this.#top = Math.max(0, Math.min(last - room + 1, rows.length - room));
    const shown = rows.slice(this.#top, this.#top + room);
    this.#drawn = shown.map(({ index }) => index);
    const lines = shown.map(({ item, index, text, line }) => {
      const sign = index === this.#cursor && line === 0 ? look.pointer : ' ';
      return `${sign} ${item.why === undefined ? text : look.paint('dim', text)}`;
    });
    const selected = this.#drawn.indexOf(this.#cursor);
    return { title: this.#title, lines, selected, keys: 'Enter choose  Esc close' };
  }
}

/** Returns the lines of an item: its digit, its title, and why it is not available. */
function itemLines({ title, why }: MenuItem, index: number, width: number): string[] {
  const digit = index < 9 ? `${index + 1} ` : '  ';
  const reason = why === undefined ? '' : ` (${why})`;
  return wrap(`${title}${reason}`, width - 2).map(
    (text, line) => (line === 0 ? digit : '  ') + text,
  );
}
