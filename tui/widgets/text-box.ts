/** Shows read-only text in a dialog, such as an answer or a list of changes. */

import type { Drawn, Overlay, OverlayHost } from './overlay.ts';
import type { Area } from './layout.ts';
import { wrap } from '../text/width.ts';
import type { Look } from '../theme/look.ts';
import { clamp } from './window.ts';

const STEPS: Readonly<Record<string, number>> = {
  j: 1,
  down: 1,
  k: -1,
  up: -1,
  'ctrl-d': 10,
  pagedown: 10,
  'ctrl-u': -10,
  pageup: -10,
  G: Infinity,
  end: Infinity,
  g: -Infinity,
  home: -Infinity,
};

const LEAVING: ReadonlySet<string> = new Set(['esc', 'q', 'enter', 'h']);

/**
 * A dialog's text. It must be safe to draw and has no colours, because its lines may be wrapped.
 */
export interface Content {
  readonly title: string;
  readonly lines: readonly string[];
}

export class TextBox implements Overlay {
  readonly #ui: OverlayHost;
  readonly #content: () => Content;
  #top = 0;

  constructor(ui: OverlayHost, title: string, lines: readonly string[]);
  /**
   * The dialog calls `content` at each redraw, because the text may change while the dialog is
   * open.
   */
  constructor(ui: OverlayHost, content: () => Content);
  constructor(ui: OverlayHost, content: string | (() => Content), lines: readonly string[] = []) {
    this.#ui = ui;
    this.#content = typeof content === 'string' ? () => ({ title: content, lines }) : content;
  }

  onKey(key: string): void {
    if (LEAVING.has(key)) return this.#ui.closeOverlay(this);
    this.#top += STEPS[key] ?? 0;
  }

  draw(area: Area, look: Look): Drawn {
    const content = this.#content();
    const lines = content.lines.flatMap((line) => wrap(line, area.columns));
    const room = Math.max(1, area.rows - 1);
    this.#top = clamp(this.#top, 0, Math.max(0, lines.length - room));
    const more = lines.length > room ? `j/k ${look.glyphs.upDown}  ` : '';
    const shown = lines.slice(this.#top, this.#top + room);
    return { title: content.title, lines: shown, keys: `${more}Esc close` };
  }
}
