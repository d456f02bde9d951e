/** Runs the built dashboard in a pseudoterminal and reads its screen. */

import pty from '@lydell/node-pty';
import xterm from '@xterm/headless';

import { systemClock } from '../../../src/base/clock.ts';
import { DASHBOARD_V8_FLAGS } from '../../../src/cli/node-options.ts';
import { CLI } from '../daemon-process.ts';
import { until } from '../until.ts';
import { NAMED_KEYS } from './named-keys.ts';

interface PtyOptions {
  readonly home: string;
  readonly columns?: number;
  readonly rows?: number;
  readonly args?: readonly string[];
  /** Command that runs in the terminal instead of the dashboard. */
  readonly command?: { readonly argv: readonly [string, ...string[]]; readonly cwd: string };
  readonly env?: Readonly<Record<string, string | undefined>>;
}

export interface PtyEnd {
  readonly exitCode: number;
  readonly signal: number | undefined;
}

export class PtyScreen {
  /** All output since the start of the process, with escape sequences. */
  written = '';
  readonly ended: Promise<PtyEnd>;
  readonly #terminal: InstanceType<typeof xterm.Terminal>;
  readonly #process: pty.IPty;

  constructor(options: PtyOptions) {
    const { home, columns = 80, rows = 24, args = [], env = {} } = options;
    const dashboard = {
      argv: [process.execPath, ...DASHBOARD_V8_FLAGS, CLI, '--home', home, ...args] as const,
      cwd: home,
    };
    const { argv, cwd } = options.command ?? dashboard;
    const [file, ...rest] = argv;
    this.#terminal = new xterm.Terminal({ cols: columns, rows, allowProposedApi: true });
    const { CI: _, HOLDFAST_HOME: __, NO_COLOR: ___, ...inherited } = process.env;
    this.#process = pty.spawn(file, rest, {
      cols: columns,
      rows,
      name: env['TERM'] ?? 'xterm-256color',
      cwd,
      env: { ...inherited, LANG: 'C.UTF-8', LC_ALL: 'C.UTF-8', TZ: 'UTC', ...env },
    });
    this.#process.onData((data) => {
      this.written += data;
      this.#terminal.write(data);
    });
    this.ended = new Promise((resolve) => {
      this.#process.onExit(({ exitCode, signal }) => {
        // The emulated terminal must first process all output, which takes time on a busy machine.
        this.#terminal.write('', () => resolve({ exitCode, signal }));
      });
    });
  }

  get pid(): number {
    return this.#process.pid;
  }

  /** Presses keys. The text contains their names, separated by spaces. */
  press(keys: string): void {
    for (const key of keys.split(' ').filter(Boolean)) {
      const ctrl = /^ctrl-(.)$/.exec(key)?.[1];
      this.type(ctrl ? String.fromCharCode(ctrl.charCodeAt(0) & 0x1f) : (NAMED_KEYS[key] ?? key));
    }
  }

  /** Sends the text to the dashboard in one write. */
  type(text: string): void {
    this.#process.write(text);
  }

  resize(columns: number, rows: number): void {
    this.#terminal.resize(columns, rows);
    this.#process.resize(columns, rows);
  }

  /** Stops reading the output, as a terminal does whose network connection is interrupted. */
  stopReading(): void {
    this.#process.pause();
  }

  /**
   * Resumes reading the output. First reads at most one kernel buffer every `everyMs` milliseconds,
   * `pieces` times, and then everything.
   */
  async readSlowly(everyMs: number, pieces: number): Promise<void> {
    for (let piece = 0; piece < pieces; piece += 1) {
      const before = this.written.length;
      this.#process.resume();
      await until(
        () => this.written.length,
        (length) => length > before || piece > 0,
      );
      this.#process.pause();
      await systemClock.sleep(everyMs);
    }
    this.#process.resume();
  }

  kill(signal: string): void {
    this.#process.kill(signal);
  }

  text(): string {
    const { active } = this.#terminal.buffer;
    const lines = Array.from({ length: this.#terminal.rows }, (_, row) => {
      return active.getLine(active.baseY + row)?.translateToString(true) ?? '';
    });
    return lines.join('\n');
  }

  /**
   * True if the terminal shows its original screen and a cursor, and bracketed paste is disabled.
   */
  get isRestored(): boolean {
    const cursor = Math.max(
      ...['\u{1b}[?25h', '\u{1b}[?25l'].map((each) => this.written.lastIndexOf(each)),
    );
    const isShown = this.written.startsWith('\u{1b}[?25h', cursor);
    const pastes =
      this.written.lastIndexOf('\u{1b}[?2004l') > this.written.lastIndexOf('\u{1b}[?2004h');
    return this.#terminal.buffer.active.type === 'normal' && isShown && pastes;
  }

  /**
   * Returns the text of the screen as soon as it contains or matches `wanted`, or `wanted` returns
   * true for it.
   */
  waitFor(wanted: string | RegExp | ((text: string) => boolean)): Promise<string> {
    return until(
      () => this.text(),
      (text) => {
        if (typeof wanted === 'function') return wanted(text);
        return typeof wanted === 'string' ? text.includes(wanted) : wanted.test(text);
      },
    );
  }
}
