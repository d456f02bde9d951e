/**
 * Reads mouse clicks and wheel events (xterm, "Mouse Tracking": button events in SGR encoding). Ink discards these
 * sequences, so this module reads them from the same input stream as Ink.
 */

import type { Readable } from 'node:stream';

export interface MouseEvent {
  readonly kind: 'click' | 'wheel up' | 'wheel down';
  /** The column, counted from 0. */
  readonly column: number;
  readonly row: number;
}

interface MouseOptions {
  readonly stdin: Readable;
  readonly write: (sequence: string) => void;
  readonly take: (event: MouseEvent) => void;
}

const ESCAPE = '\u{1b}';
const PRESSED = new RegExp(`${ESCAPE}\\[<(\\d+);(\\d+);(\\d+)M`, 'g');
const KINDS: Readonly<Record<string, MouseEvent['kind']>> = {
  '0': 'click',
  '64': 'wheel up',
  '65': 'wheel down',
};

export class Mouse {
  readonly #options: MouseOptions;
  #isOn = false;

  constructor(options: MouseOptions) {
    this.#options = options;
  }

  set(on: boolean): void {
    this.#listen(false);
    this.#isOn = on;
    this.#listen(on);
  }

  /** Turns mouse events off while another program uses the terminal. */
  async without(run: () => Promise<void>): Promise<void> {
    this.#listen(false);
    try {
      await run();
    } finally {
      this.#listen(this.#isOn);
    }
  }

  #listen(on: boolean): void {
    const { stdin, write } = this.#options;
    const mode = on ? 'h' : 'l';
    if (this.#isOn) write(`${ESCAPE}[?1000${mode}${ESCAPE}[?1006${mode}`);
    stdin.off('data', this.#read);
    // Ink listens for `readable` and reads the stream. A listener for `data` receives the same bytes.
    if (on) stdin.on('data', this.#read);
  }

  readonly #read = (chunk: unknown): void => {
    for (const [, button = '', column, row] of String(chunk).matchAll(PRESSED)) {
      const kind = KINDS[button];
      if (kind) this.#options.take({ kind, column: Number(column) - 1, row: Number(row) - 1 });
    }
  };
}
