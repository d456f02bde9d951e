/** A menu with a few choices, such as sort orders, values to copy or retention periods. */

import type { Drawn, Overlay, OverlayHost } from './overlay.ts';
import type { Area } from './layout.ts';
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
  #cursor = 0;
  /** The index of the first visible item. */
  #top = 0;

  constructor(ui: MenuHost, title: string, items: readonly MenuItem[]) {
    this.#ui = ui;
    this.#title = title;
    this.#items = items;
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
    const item = this.#items[this.#top + line];
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
    this.#top = Math.max(0, Math.min(this.#cursor - room + 1, this.#items.length - room));
    const lines = this.#items.slice(this.#top, this.#top + room).map((item, row) => {
      const index = this.#top + row;
      const digit = index < 9 ? `${index + 1} ` : '  ';
      const reason = item.why === undefined ? '' : ` (${item.why})`;
      const text = look.cut(`${digit}${item.title}${reason}`, area.columns - 2);
      const shown = item.why === undefined ? text : look.paint('dim', text);
      return `${index === this.#cursor ? look.pointer : ' '} ${shown}`;
    });
    const selected = this.#cursor - this.#top;
    return { title: this.#title, lines, selected, keys: 'Enter choose  Esc close' };
  }
}
