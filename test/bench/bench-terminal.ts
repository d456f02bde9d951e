/** Runs the built dashboard in a pseudo terminal. Measures its painting time, CPU time, memory and output bytes. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import pty from '@lydell/node-pty';
import xterm from '@xterm/headless';

import { systemClock } from '../../src/base/clock.ts';
import { DASHBOARD_V8_FLAGS } from '../../src/cli/node-options.ts';

const CLI = join(import.meta.dirname, '../../dist/src/cli/main.js');
export const COLUMNS = 200;
export const ROWS = 60;
/** A frame counts as complete if no output follows within this time. */
const QUIET_MS = 40;
/** The timeout for a dashboard that hangs. */
const PATIENCE_MS = 3 * 60_000;
/** The length of a clock tick in /proc/PID/stat. On Linux, USER_HZ is 100 for all programs. */
const MS_A_TICK = 10;

export class BenchTerminal {
  readonly #startedAt = performance.now();
  readonly #terminal = new xterm.Terminal({ cols: COLUMNS, rows: ROWS, allowProposedApi: true });
  readonly #process: pty.IPty;
  readonly #ended: Promise<void>;
  #heard: () => void = () => undefined;
  #lastAt = 0;
  bytes = 0;
  /** The number of frames so far. A frame is a chunk of output that follows a pause. */
  frames = 0;

  constructor(home: string) {
    const { CI: _, HOLDFAST_HOME: __, NO_COLOR: ___, NODE_ENV: ____, ...inherited } = process.env;
    this.#process = pty.spawn(process.execPath, [...DASHBOARD_V8_FLAGS, CLI, '--home', home], {
      cols: COLUMNS,
      rows: ROWS,
      name: 'xterm-256color',
      cwd: home,
      env: { ...inherited, LANG: 'C.UTF-8', LC_ALL: 'C.UTF-8', TZ: 'UTC' },
    });
    this.#process.onData((data) => this.#took(data));
    this.#ended = new Promise((resolve) => this.#process.onExit(() => resolve()));
  }

  #took(data: string): void {
    this.bytes += Buffer.byteLength(data);
    const now = performance.now();
    if (now - this.#lastAt > QUIET_MS / 2) this.frames += 1;
    this.#lastAt = now;
    this.#terminal.write(data, () => this.#heard());
  }

  type(keys: string): void {
    this.#process.write(keys);
  }

  text(): string {
    const { active } = this.#terminal.buffer;
    const lines = Array.from({ length: ROWS }, (_, row) => {
      return active.getLine(active.baseY + row)?.translateToString(true) ?? '';
    });
    return lines.join('\n');
  }

  /** Waits until the screen shows the text. Returns the time since the start of the process, in milliseconds. */
  async shownMs(wanted: string | RegExp): Promise<number> {
    await this.waitFor(wanted);
    return performance.now() - this.#startedAt;
  }

  /** Waits until the screen shows the text. Checks the screen after each chunk of output. */
  async waitFor(wanted: string | RegExp): Promise<void> {
    const pattern = typeof wanted === 'string' ? undefined : wanted;
    const isShown = () => pattern?.test(this.text()) ?? this.text().includes(String(wanted));
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const giveUp = setTimeout(() => {
      reject(new Error(`wait for ${String(wanted)}: the dashboard shows\n${this.text()}`));
    }, PATIENCE_MS);
    this.#heard = () => {
      if (isShown()) resolve();
    };
    this.#heard();
    await promise.finally(() => clearTimeout(giveUp));
    this.#heard = () => undefined;
  }

  /**
   * Waits until the screen is quiet, and then presses keys. Returns the time until the first output, in milliseconds.
   */
  async paintMs(keys: string): Promise<number> {
    await this.quiet();
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const painting = this.#process.onData(() => resolve());
    const nothing = new Error(`press ${JSON.stringify(keys)}: the dashboard paints nothing`);
    const giveUp = setTimeout(() => reject(nothing), PATIENCE_MS);
    const from = performance.now();
    this.#process.write(keys);
    await promise.finally(() => clearTimeout(giveUp));
    const tookMs = performance.now() - from;
    painting.dispose();
    return tookMs;
  }

  async quiet(): Promise<void> {
    while (performance.now() - this.#lastAt < QUIET_MS) await systemClock.sleep(QUIET_MS / 4);
  }

  /** Returns how many bytes the dashboard process has written to disks. */
  writtenBytes(): number {
    const io = readFileSync(`/proc/${this.#process.pid}/io`, 'utf8');
    return Number(/^write_bytes: (\d+)/m.exec(io)?.[1]);
  }

  /** Returns the user and system CPU time that the dashboard process has used, in milliseconds. */
  cpuMs(): number {
    const fields = readFileSync(`/proc/${this.#process.pid}/stat`, 'utf8')
      .split(') ')[1]
      ?.split(' ');
    return MS_A_TICK * (Number(fields?.[11]) + Number(fields?.[12]));
  }

  rssMib(): number {
    const status = readFileSync(`/proc/${this.#process.pid}/status`, 'utf8');
    return Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1]) / 1024;
  }

  /** Returns the CPU usage during the next `ms` milliseconds, in per cent of one core. */
  async cpuPercent(ms: number): Promise<number> {
    const [before, from] = [this.cpuMs(), performance.now()];
    await systemClock.sleep(ms);
    return (100 * (this.cpuMs() - before)) / (performance.now() - from);
  }

  async close(): Promise<void> {
    this.#process.kill('SIGTERM');
    await this.#ended;
    this.#terminal.dispose();
  }
}
