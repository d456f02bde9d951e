/**
 * The dashboard on an emulated terminal: keys in, screen out, in this process. Waits are for what is on the screen, never
 * for time.
 */

import { PassThrough, Writable } from 'node:stream';

import xterm from '@xterm/headless';
import { render } from 'ink';
import { createElement } from 'react';

import { App } from '../../../tui/app/app.tsx';
import { Controller } from '../../../tui/app/controller.ts';
import { Ui } from '../../../tui/app/ui.ts';
import type { Outside } from '../../../tui/app/ui.ts';
import { makeRoot } from '../../../tui/screens/roots.ts';
import { DaemonLink } from '../../../tui/store/daemon-link.ts';
import { makeLook } from '../../../tui/theme/look.ts';
import type { ThemeName } from '../../../tui/theme/look.ts';
import type { ControlClient } from '../../../src/control/client.ts';
import { FakeClock } from '../fake-clock.ts';
import { NAMED_KEYS } from './named-keys.ts';

export interface ScreenOptions {
  readonly columns?: number;
  readonly rows?: number;
  readonly theme?: ThemeName;
  readonly charset?: 'unicode' | 'ascii';
  readonly clock?: FakeClock;
  /** What the daemon is: `SeededDaemon.connect`, or a real one's. */
  readonly connect: () => Promise<ControlClient>;
  readonly outside?: Partial<Outside>;
}

/** More than any test looks at. */
const MOST_WRITTEN = 1_000_000;
/** Longer than digits wait for a motion, and than a question is deaf. */
const BETWEEN_KEYS_MS = 350;
/** Long enough for a loaded machine: it only ends a test that would hang. */
const GIVE_UP_MS = 10_000;

export class TestScreen {
  readonly ui: Ui;
  readonly controller: Controller;
  readonly clock: FakeClock;
  /** What was written to the terminal, for tests of how much that is. */
  writtenBytes = 0;
  /** The latest of it. */
  written = '';
  readonly #terminal: InstanceType<typeof xterm.Terminal>;
  readonly #stdin = fakeStdin();
  readonly #instance: ReturnType<typeof render>;
  readonly #link: DaemonLink;
  hasQuit = false;
  /** Keys and pastes that have arrived. */
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
    // A terminal that Ink believes in, in whatever environment the tests run.
    delete process.env['CI'];
    this.#link = new DaemonLink({ connect: options.connect, clock: this.clock });
    this.ui = new Ui({
      clock: this.clock,
      link: this.#link,
      look: makeLook(theme, charset),
      makeRoot,
      quit: () => {
        this.hasQuit = true;
      },
      outside: { ...noOutside(this), ...options.outside },
    });
    this.controller = new Controller(this.ui);
    this.#countInputs();
    const app = createElement(App, { ui: this.ui, controller: this.controller });
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

  /** Connects, and shows the first screen. */
  async start(): Promise<this> {
    this.ui.router.start();
    await this.#link.connect();
    await this.settle();
    return this;
  }

  /** Keys by name with blanks between them, `j j enter`: each by itself, with the time between that a person takes. */
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

  /** Characters in one piece, as fast typing comes. */
  async type(text: string): Promise<void> {
    await this.#send(text);
  }

  /** Until the keys have arrived: a lone Esc is held back for a moment, since it may begin a sequence. */
  async #send(bytes: string): Promise<void> {
    const before = this.#inputs;
    this.#stdin.write(bytes);
    const until = performance.now() + GIVE_UP_MS;
    while (this.#inputs === before && performance.now() < until) await this.settle();
    await this.settle();
  }

  async paste(text: string): Promise<void> {
    await this.type(`\u{1b}[200~${text}\u{1b}[201~`);
  }

  /** Live data is drawn four times a second: lets that time pass. */
  async tick(ms = 250): Promise<void> {
    this.clock.advance(ms);
    await this.settle();
  }

  /** What is on the screen, without the blanks at the ends of its lines. */
  text(): string {
    const { buffer } = this.#terminal;
    const lines = Array.from({ length: this.#terminal.rows }, (_, row) => {
      return buffer.active.getLine(buffer.active.baseY + row)?.translateToString(true) ?? '';
    });
    return lines.join('\n');
  }

  /** As Ctrl-L does. */
  redraw(): void {
    this.#instance.clear();
    this.ui.changes.whole();
  }

  /** Lines that have left the screen at its top: of a frame that was too high. */
  get scrolledLines(): number {
    return this.#terminal.buffer.active.baseY;
  }

  /** Resolves once the screen holds it (or matches it). */
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

  /** The same with time going on: for what comes from a file, and is drawn when live data is. */
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

  /** Until what was asked for is answered and drawn. */
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
  };
}
