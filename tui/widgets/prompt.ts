/**
 * A prompt that replaces the footer and asks for one line of text, such as a filter, a path or a
 * time.
 */

import type { Drawn, Overlay, OverlayHost } from './overlay.ts';
import type { Area } from './layout.ts';
import { widthOf } from '../text/width.ts';
import type { Look } from '../theme/look.ts';
import { TextInput } from './text-input.ts';

export interface PromptOptions {
  /** The text before the input. It must be safe to draw. */
  readonly label: string;
  readonly text?: string;
  /** The previous input. The Up key recalls it. */
  readonly earlier?: string;
  /** Called after every change of the typed text. */
  readonly onChange?: (text: string) => void;
  readonly onCancel?: () => void;
  /**
   * Called when the user presses Enter. Returns why the text is invalid, or undefined if it is
   * accepted.
   */
  readonly onEnter?: (text: string) => string | undefined | void;
  /**
   * Called when the user presses Tab. Returns the possible completions; the prompt inserts the
   * first one.
   */
  readonly complete?: (text: string) => readonly string[];
}

export class PromptOverlay implements Overlay {
  readonly #ui: OverlayHost;
  readonly #options: PromptOptions;
  readonly #input: TextInput;
  #problem: string | undefined;
  #isDone = false;

  constructor(ui: OverlayHost, options: PromptOptions) {
    this.#ui = ui;
    this.#options = options;
    this.#input = new TextInput(options.text);
  }

  onKey(key: string): void {
    this.#problem = undefined;
    if (key === 'enter') return this.#enter();
    if (key === 'esc') return this.#ui.closeOverlay(this);
    if (key === 'tab') {
      const [first] = this.#options.complete?.(this.#input.text) ?? [];
      if (first !== undefined) this.#input.text = first;
    } else if (key === 'up' || key === 'ctrl-p') {
      this.#input.text = this.#options.earlier ?? this.#input.text;
    } else if (key === 'backspace' && this.#input.text === '') {
      return this.#ui.closeOverlay(this);
    } else {
      this.#input.onKey(key);
    }
    this.#options.onChange?.(this.#input.text);
  }

  onPaste(text: string): void {
    this.#input.insert(text);
    this.#options.onChange?.(this.#input.text);
    this.#ui.changes.now();
  }

  onClose(): void {
    if (!this.#isDone) this.#options.onCancel?.();
  }

  #enter(): void {
    this.#problem = this.#options.onEnter?.(this.#input.text) ?? undefined;
    if (this.#problem !== undefined) return;
    this.#isDone = true;
    this.#ui.closeOverlay(this);
  }

  draw(area: Area, look: Look): Drawn {
    const { label } = this.#options;
    const problem = this.#problem === undefined ? '' : `  ${this.#problem}`;
    const room = Math.max(1, area.columns - widthOf(label) - widthOf(problem) - 2);
    const line = ` ${look.paint('strong', label)}${this.#input.draw(room, look)}`;
    return { title: '', lines: [line + look.paint('bad', problem)], at: 'line' };
  }
}
