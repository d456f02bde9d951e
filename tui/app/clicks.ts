/** Handles mouse clicks by the element that was clicked: a tab, a row, a key in the footer or a line of a dialog. */

import { plain } from '../widgets/layout.ts';
import { shownKey } from '../input/key-names.ts';
import type { MouseEvent } from '../terminal/mouse.ts';
import { widthOf } from '../text/width.ts';
import type { Controller } from './controller.ts';
import type { Frame } from './frame.ts';
import { TABS } from '../ui/router.ts';
import type { Ui } from '../ui/ui.ts';

const WHEEL_ROWS = 3;
const TABS_ROW = 1;
/** Matches a tab title such as `4 Conflicts(3)`. */
const TAB = /(\d) \p{L}+(?:\(\d+\))?/gu;
/** Limits the search for the pane that contains the clicked row. Screens have fewer panes. */
const MOST_PANES = 8;

export class Clicks {
  readonly #ui: Ui;
  readonly #controller: Controller;
  readonly #frame: () => Frame;

  /** `frame` returns the frame that the terminal shows now. */
  constructor(ui: Ui, controller: Controller, frame: () => Frame) {
    this.#ui = ui;
    this.#controller = controller;
    this.#frame = frame;
  }

  take(event: MouseEvent): void {
    const { overlay, router } = this.#ui;
    if (event.kind !== 'click') {
      const down = event.kind === 'wheel down';
      if (overlay) overlay.onKey(down ? 'down' : 'up');
      else router.top.list?.moveBy(down ? WHEEL_ROWS : -WHEEL_ROWS);
    } else if (overlay) {
      this.#onOverlay(event);
    } else if (event.row === TABS_ROW) {
      this.#onTabs(event);
    } else if (event.row === this.#frame().lines.length - 1) {
      this.#onFooter(event);
    } else {
      this.#onRows(event);
    }
    this.#ui.changes.now();
  }

  #onOverlay({ row, column }: MouseEvent): void {
    const { box } = this.#frame();
    if (!box) return;
    const line = plain(box.lines[row - box.top] ?? '');
    // The first line of a dialog is its top border.
    this.#ui.overlay?.onClick?.(row - box.top - 1, wordAt(line, column - box.left));
  }

  #onTabs({ column }: MouseEvent): void {
    const line = plain(this.#frame().lines[TABS_ROW] ?? '');
    const found = [...line.matchAll(TAB)].find(({ index, 0: text }) => {
      const start = widthOf(line.slice(0, index));
      return column >= start && column < start + widthOf(text);
    });
    const tab = TABS[Number(found?.[1]) - 1];
    if (tab) void this.#controller.perform(() => void this.#ui.router.choose(tab));
  }

  /** Runs the command whose key in the footer was clicked. */
  #onFooter({ column }: MouseEvent): void {
    const line = plain(this.#frame().lines.at(-1) ?? '');
    const { actions } = this.#ui.router.top;
    const command = this.#controller.commands().find(({ id, keys, hint }) => {
      const shown = `${shownKey(keys[0] ?? '')} ${actions[id]?.hint?.() ?? hint}`;
      const index = hint === undefined ? -1 : ` ${line} `.indexOf(` ${shown} `);
      const start = widthOf(line.slice(0, Math.max(0, index)));
      return index >= 0 && column >= start && column < start + widthOf(shown);
    });
    if (command) void this.#controller.run(command, undefined);
  }

  /** Opens the clicked row if the cursor is already on this row. Otherwise moves the cursor to the row, in any pane. */
  #onRows(event: MouseEvent): void {
    const { top } = this.#ui.router;
    const first = top.list;
    for (let panes = 0; panes < MOST_PANES; panes += 1) {
      const index = this.#rowAt(event);
      if (index !== undefined) {
        const isAtHand = panes === 0 && index === top.list?.cursor;
        if (isAtHand) void this.#controller.perform(() => top.open?.());
        else top.list?.moveTo(index);
        return;
      }
      top.nextPane?.(1);
      if (top.list === first) return;
    }
  }

  #rowAt({ row, column }: MouseEvent): number | undefined {
    const line = plain(this.#frame().lines[row] ?? '');
    const drawn = this.#ui.router.top.list?.drawn ?? new Map<number, string>();
    const found = [...drawn].find(([, text]) => {
      const at = text === '' ? -1 : line.indexOf(text);
      const start = widthOf(line.slice(0, Math.max(0, at)));
      return at >= 0 && column >= start && column < start + widthOf(text);
    });
    return found?.[0];
  }
}

/** Returns the word at a column, or an empty string between words. */
function wordAt(line: string, column: number): string {
  for (const { 0: word, index } of line.matchAll(/[^\s│]+/gu)) {
    const start = widthOf(line.slice(0, index));
    if (column >= start && column < start + widthOf(word)) return word;
  }
  return '';
}
