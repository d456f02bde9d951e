/** Runs the dashboard in this process on an emulated terminal. Tests wait for text on the screen, never for time. */

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
  /** Connects to a daemon: `SeededDaemon.connect`, or the function for a real daemon. */
  readonly connect: () => Promise<ControlClient>;
  readonly outside?: Partial<Outside>;
}

/** Number of characters of output to keep, more than any test reads. */
const MOST_WRITTEN = 1_000_000;
/** Milliseconds between two keys: longer than the dashboard combines digits, and than a new question ignores keys. */
const BETWEEN_KEYS_MS = 350;
/** Timeout in milliseconds. It must be long enough for a busy machine and only ends tests that would hang. */
const GIVE_UP_MS = 10_000;

export class TestScreen {
  readonly ui: Ui;
  readonly controller: Controller;
  readonly clock: FakeClock;
  /** Number of bytes written to the terminal. */
  writtenBytes = 0;
  /** The latest output. */
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
  /** Number of keys and pastes that the dashboard received. */
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
    // In a CI environment, Ink does not redraw. Make it treat the output as a terminal.
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

  /** Connects to the daemon and shows the first screen. */
  async start(): Promise<this> {
    this.ui.router.start();
    await this.#link.connect();
    await this.settle();
    return this;
  }

  /** Presses keys, given by name and separated by spaces (`j j enter`), with a pause after each. */
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

  /** Sends all characters in one write, like fast typing. */
  async type(text: string): Promise<void> {
    await this.#send(text);
  }

  /** Waits until the dashboard received the keys. It delays a lone Esc, which may begin an escape sequence. */
  async #send(bytes: string): Promise<void> {
    const before = this.#inputs;
    this.#stdin.write(bytes);
    const until = performance.now() + GIVE_UP_MS;
    while (this.#inputs === before && performance.now() < until) await this.settle();
    await this.settle();
  }

  /** Clicks the first place on the screen with this text. */
  async click(text: string): Promise<void> {
    const lines = this.text().split('\n');
    const row = lines.findIndex((line) => line.includes(text));
    const column = stringWidth((lines[row] ?? '').split(text)[0] ?? '');
    await this.mouse(0, column, row);
  }

  /** Sends a mouse event. Button 0 is the left button, and 64 and 65 are the wheel. */
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
   * Advances the clock. By default it advances to the next redraw of live data, which occurs four times per second.
   */
  async tick(ms = 250): Promise<void> {
    this.clock.advance(ms);
    await this.settle();
  }

  /** Returns the text on the screen, without spaces at the ends of lines. */
  text(): string {
    const { buffer } = this.#terminal;
    const lines = Array.from({ length: this.#terminal.rows }, (_, row) => {
      return buffer.active.getLine(buffer.active.baseY + row)?.translateToString(true) ?? '';
    });
    return lines.join('\n');
  }

  /** Returns the cells on the screen with their colours. */
  cells(): readonly (readonly Cell[])[] {
    return cellsOf(this.#terminal);
  }

  /** Redraws the whole screen, as Ctrl-L does. */
  redraw(): void {
    this.#instance.clear();
    this.ui.changes.whole();
  }

  /** Number of lines that scrolled off the screen. It is greater than 0 if a frame was too high. */
  get scrolledLines(): number {
    return this.#terminal.buffer.active.baseY;
  }

  /** Resolves with the screen's text when it contains or matches `wanted`. */
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

  /** Like `waitFor`, but advances the clock, for text that appears only with a redraw of live data. */
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

  /** Waits until pending requests are answered and the screen is drawn. */
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
    userHome: '/home/ada',
    notesFile: '/nowhere/dashboard.json',
    noteTheme: async () => undefined,
  };
}
