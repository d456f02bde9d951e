/** Returns the current frame. As long as nothing has changed, returns the same object, so that React does no work. */

import type { Controller } from './controller.ts';
import { drawFirstFrame, drawFrame, isTooSmall } from './frame.ts';
import type { Frame } from './frame.ts';
import type { Screen } from '../ui/screen.ts';
import type { Ui } from '../ui/ui.ts';

export class Pictures {
  readonly #ui: Ui;
  readonly #controller: Controller | undefined;
  #frame: Frame | undefined;
  /** Identifies the data version and the terminal size that the current frame shows. */
  #drawnFor = '';

  /** `controller` is undefined until the screens are loaded. */
  constructor(ui: Ui, controller: Controller | undefined) {
    this.#ui = ui;
    this.#controller = controller;
  }

  frame(columns: number, rows: number): Frame {
    const { changes } = this.#ui;
    const drawnFor = `${changes.version()} ${columns} ${rows}`;
    if (this.#frame && drawnFor === this.#drawnFor) return this.#frame;
    const drawn = this.#controller
      ? drawFrame(this.#ui, this.#controller.dispatcher.pending, columns, rows)
      : drawFirstFrame(this.#ui, columns, rows);
    if (this.#controller && !isTooSmall(columns, rows)) readInView(this.#ui.router.top);
    this.#drawnFor = drawnFor;
    if (!this.#frame || changes.isWhole || !looksSame(this.#frame, drawn)) this.#frame = drawn;
    return this.#frame;
  }
}

/**
 * Requests data for the visible rows. This happens after drawing, because drawing determines how many rows are visible.
 */
function readInView(screen: Screen): void {
  screen.list?.needInView();
  screen.seen?.();
}

function looksSame(a: Frame, b: Frame): boolean {
  if (a.box?.left !== b.box?.left || a.box?.top !== b.box?.top) return false;
  return sameLines(a.lines, b.lines) && sameLines(a.box?.lines, b.box?.lines);
}

function sameLines(a: readonly string[] = [], b: readonly string[] = []): boolean {
  return a.length === b.length && a.every((line, row) => line === b[row]);
}
