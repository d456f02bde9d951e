/**
 * Runs the dashboard in this process on an emulated terminal. Tests wait for text on the screen and
 * never for a fixed time.
 */

import { PassThrough, Writable } from 'node:stream';

import xterm from '@xterm/headless';
import { render } from 'ink';
import stringWidth from 'string-width';
import { createElement } from 'react';

import { App } from '../../../tui/app/app.tsx';
import type { Terminal } from '../../../tui/app/app.tsx';
import { Mouse } from '../../../tui/terminal/mouse.ts';
import { Controller } from '../../../tui/app/controller.ts';
import { Ui } from '../../../tui/ui/ui.ts';
import type { Outside } from '../../../tui/ui/ui.ts';
import { SCREENS } from '../../../tui/app/screens.ts';
import { DaemonLink } from '../../../tui/data/daemon-link.ts';
import type { ThemeName } from '../../../tui/theme/look.ts';
import { Themes } from '../../../tui/theme/themes.ts';
import type { ControlClient } from '../../../src/control/client.ts';
import { FakeClock } from '../fake-clock.ts';
import { cellsOf } from './cells.ts';
import type { Cell } from './cells.ts';
import { NAMED_KEYS } from './named-keys.ts';

export interface ScreenOptions {
  readonly columns?: number;
  readonly rows?: number;
  readonly theme?: ThemeName;
  readonly charset?: 'unicode' | 'ascii';
  readonly clock?: FakeClock;
  /**
   * Connects the dashboard to a daemon, either to the fake daemon (`SeededDaemon.connect`) or to a
   * real daemon.
   */
  readonly connect: () => Promise<ControlClient>;
  readonly outside?: Partial<Outside>;
}

/** Maximum number of recorded output characters. No test reads more. */
const MOST_WRITTEN = 1_000_000;
/**
 * Pause between two keys in milliseconds. It is longer than the time in which the dashboard
 * combines digits, and than the time in which a new question ignores keys.
 */
const BETWEEN_KEYS_MS = 350;
/**
 * Timeout in milliseconds. It only ends tests that would wait forever, so it is long enough for a
 * busy machine.
 */
const GIVE_UP_MS = 10_000;

export class TestScreen {
  readonly ui: Ui;
  readonly controller: Controller;
  readonly clock: FakeClock;
  /** Number of bytes that the dashboard wrote to the terminal. */
  writtenBytes = 0;
  /** The most recent output of the dashboard. Older output is dropped. */
  written = '';
  readonly #terminal: InstanceType<typeof xterm.Terminal>;
  readonly #stdin = fakeStdin();
  readonly #instance: ReturnType<typeof render>;
  readonly #link: DaemonLink;
  #click: Terminal['click'] = () => undefined;
  readonly #mouse = new Mouse({
    stdin: this.#stdin,
    write: (sequence) => void (this.written += sequence),
    take: (event) => this.#click(event),
  });
  hasQuit = false;
  /** Number of keys and pastes that the dashboard has received. */
  #inputs = 0;

  constructor(options: ScreenOptions) {
    const { columns = 80, rows = 24, theme = 'mono', charset = 'unicode' } = options;
    this.clock = options.clock ?? new FakeClock();
    this.#terminal = new xterm.Terminal({
      cols: columns,
      rows,
      allowProposedApi: true,
      convertEol: true,
    });
    // Ink does not redraw the screen if the variable `CI` is set.
    delete process.env['CI'];
    this.#link = new DaemonLink({ connect: options.connect, clock: this.clock });
    this.ui = new Ui({
      clock: this.clock,
      link: this.#link,
      themes: new Themes({ depth: 'truecolour', background: 'dark', charset }, theme),
      screens: () => SCREENS,
      quit: () => {
        this.hasQuit = true;
      },
      outside: { ...noOutside(this), ...options.outside },
    });
    this.controller = new Controller(this.ui);
    this.#countInputs();
    const onReady = ({ click }: Terminal) => {
      this.#click = click;
    };
    const app = createElement(App, { ui: this.ui, controller: this.controller, onReady });
    this.#instance = render(app, {
      stdout: this.#stdout(columns, rows),
      stdin: this.#stdin as unknown as NodeJS.ReadStream,
      interactive: true,
      exitOnCtrlC: false,
      patchConsole: false,
      incrementalRendering: true,
      maxFps: 1_000,
    });
  }

  #countInputs(): void {
    const { controller } = this;
    const [press, paste] = [controller.press.bind(controller), controller.paste.bind(controller)];
    controller.press = (key, isShown) => {
      this.#inputs += 1;
      press(key, isShown);
    };
    controller.paste = (text, isShown) => {
      this.#inputs += 1;
      paste(text, isShown);
    };
  }

  /** Connects the dashboard to the daemon and shows its first screen. */
  async start(): Promise<this> {
    this.ui.router.start();
    await this.#link.connect();
    await this.settle();
    return this;
  }

  /**
   * Presses keys with a pause after each. The text contains their names, separated by spaces, such
   * as `j j enter`.
   */
  async press(keys: string): Promise<void> {
    for (const key of keys.split(' ').filter(Boolean)) {
      const ctrl = /^ctrl-(.)$/.exec(key)?.[1];
      const bytes = ctrl
        ? String.fromCharCode(ctrl.charCodeAt(0) & 0x1f)
        : (NAMED_KEYS[key] ?? key);
      await this.#send(bytes);
      await this.tick(BETWEEN_KEYS_MS);
    }
  }

  /** Sends all characters in one write, as a fast typist does. */
  async type(text: string): Promise<void> {
    await this.#send(text);
  }

  /**
   * Sends bytes and waits until the dashboard has received them. The dashboard handles a single Esc
   * later, because it can be the start of an escape sequence.
   */
  async #send(bytes: string): Promise<void> {
    const before = this.#inputs;
    this.#stdin.write(bytes);
    const until = performance.now() + GIVE_UP_MS;
    while (this.#inputs === before && performance.now() < until) await this.settle();
    await this.settle();
  }

  /** Clicks the first position on the screen that shows this text. */
  async click(text: string): Promise<void> {
    const lines = this.text().split('\n');
    const row = lines.findIndex((line) => line.includes(text));
    const column = stringWidth((lines[row] ?? '').split(text)[0] ?? '');
    await this.mouse(0, column, row);
  }

  /** Sends a mouse event. Button 0 is the left button, and the buttons 64 and 65 are the wheel. */
  async mouse(button: number, column = 0, row = 0): Promise<void> {
    this.#mouse.set(true);
    this.#stdin.write(`\u{1b}[<${button};${column + 1};${row + 1}M`);
    await this.tick(BETWEEN_KEYS_MS);
    await this.settle();
  }

  async paste(text: string): Promise<void> {
    await this.type(`\u{1b}[200~${text}\u{1b}[201~`);
  }

  /**
   * Advances the clock. The default is the time until the next redraw of live data, which happens
   * four times per second.
   */
  async tick(ms = 250): Promise<void> {
    this.clock.advance(ms);
    await this.settle();
  }

  /** Returns the text on the screen without trailing spaces. */
  text(): string {
    const { buffer } = this.#terminal;
    const lines = Array.from({ length: this.#terminal.rows }, (_, row) => {
      return buffer.active.getLine(buffer.active.baseY + row)?.translateToString() ?? '';
    });
    return lines.map((line) => line.trimEnd()).join('\n');
  }

  /** Returns the cells on the screen with their colours. */
  cells(): readonly (readonly Cell[])[] {
    return cellsOf(this.#terminal);
  }

  /** Redraws the whole screen, as the key Ctrl-L does. */
  redraw(): void {
    this.ui.changes.whole();
  }

  /**
   * Number of lines that scrolled off the screen. A number above 0 means that a frame was higher
   * than the screen.
   */
  get scrolledLines(): number {
    return this.#terminal.buffer.active.baseY;
  }

  /** Returns the text of the screen as soon as it contains or matches `wanted`. */
  async waitFor(wanted: string | RegExp): Promise<string> {
    const until = performance.now() + GIVE_UP_MS;
    for (;;) {
      await this.settle();
      const text = this.text();
      if (typeof wanted === 'string' ? text.includes(wanted) : wanted.test(text)) return text;
      if (performance.now() > until)
        throw new Error(`wait for ${String(wanted)}: it shows\n${text}`);
    }
  }

  /**
   * Does the same as `waitFor`, but advances the clock. Use it for text that appears only when live
   * data is redrawn.
   */
  async tickUntil(wanted: string): Promise<string> {
    const until = performance.now() + GIVE_UP_MS;
    while (!this.text().includes(wanted) && performance.now() < until) await this.tick(10);
    return this.waitFor(wanted);
  }

  async resize(columns: number, rows: number): Promise<void> {
    this.#terminal.resize(columns, rows);
    Object.assign(this.#out, { columns, rows });
    this.#out.emit('resize');
    await this.settle();
  }

  /** Waits until all pending requests are answered and the screen is drawn. */
  async settle(): Promise<void> {
    for (let turn = 0; turn < 4; turn += 1) {
      await new Promise((resolve) => setImmediate(resolve));
    }
    await this.#instance.waitUntilRenderFlush();
    await new Promise<void>((resolve) => this.#terminal.write('', resolve));
  }

  async close(): Promise<void> {
    this.ui.router.close();
    this.#link.close();
    this.#instance.unmount();
    await this.#instance.waitUntilExit();
    this.#instance.cleanup();
    this.#terminal.dispose();
  }

  #out!: Writable & { columns: number; rows: number; isTTY: true };

  #stdout(columns: number, rows: number): NodeJS.WriteStream {
    const out = new Writable({
      write: (chunk: Buffer, _encoding, done) => {
        this.writtenBytes += chunk.length;
        this.written = (this.written + chunk.toString()).slice(-MOST_WRITTEN);
        this.#terminal.write(chunk, done);
      },
    });
    this.#out = Object.assign(out, { columns, rows, isTTY: true as const });
    return this.#out as unknown as NodeJS.WriteStream;
  }
}

function fakeStdin(): PassThrough {
  const stdin = new PassThrough();
  const chained = () => stdin;
  return Object.assign(stdin, { isTTY: true, setRawMode: chained, ref: chained, unref: chained });
}

function noOutside(screen: TestScreen): Outside {
  return {
    copy: async () => 'by the test',
    redraw: () => screen.redraw(),
    suspend: () => undefined,
    setMouse: () => undefined,
    edit: async (text) => text,
    startDaemon: async () => undefined,
    logFile: '/nowhere/holdfast.log',
    folder: '/nowhere',
    homeOption: '',
    userHome: '/home/ada',
    notesFile: '/nowhere/dashboard.json',
    noteTheme: async () => undefined,
  };
}
