/**
 * A shell in a pseudoterminal, on a computer of its own: its processes see `/home/ann`, the host name `laptop` and a network
 * without other programs (namespaces of Linux). Its clock follows a file, so a journey can take days.
 */

import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import pty from '@lydell/node-pty';
import xterm from '@xterm/headless';

import { CLI } from '../helpers/daemon-process.ts';
import { cellsOf } from '../helpers/tui/cells.ts';
import { NAMED_KEYS } from '../helpers/tui/named-keys.ts';
import { until } from '../helpers/until.ts';

const COLUMNS = 80;
const ROWS = 24;
const CLOCK = join(import.meta.dirname, '../soak/offset-clock.ts');
const PROMPT = '$ ';

/** Runs as root of a user namespace, and starts the shell as an ordinary user of another one. */
const SETUP = `
ip link set lo up && hostname laptop
mount -t tmpfs none /home && mkdir /home/ann && mount --bind "$FOLDER/ann" /home/ann && cd /home/ann
exec unshare --user --map-user=1000 --map-group=1000 env -i "$@" bash --norc --noprofile`;

export interface ShellOptions {
  /** Folder of this computer. The shell sees `ann` in it as `/home/ann`. */
  readonly folder: string;
  readonly env: Readonly<Record<string, string>>;
}

export class JourneyShell {
  readonly home: string;
  readonly #clockFile: string;
  readonly #terminal = new xterm.Terminal({
    cols: COLUMNS,
    rows: ROWS,
    scrollback: 10_000,
    allowProposedApi: true,
  });
  readonly #process: pty.IPty;
  readonly #ended: Promise<void>;

  constructor({ folder, env }: ShellOptions) {
    this.home = join(folder, 'ann');
    this.#clockFile = join(folder, 'clock');
    const bin = join(folder, 'bin');
    for (const each of [this.home, bin]) mkdirSync(each, { recursive: true });
    symlinkSync(CLI, join(bin, 'holdfast'));
    symlinkSync(process.execPath, join(bin, 'node'));
    this.setClock(0);
    const given = {
      HOME: '/home/ann',
      USER: 'ann',
      PATH: `${bin}:/usr/bin:/bin`,
      PS1: PROMPT,
      TERM: 'xterm-256color',
      LC_ALL: 'C.UTF-8',
      TZ: 'UTC',
      EDITOR: 'nano',
      HOLDFAST_SOAK_CLOCK: this.#clockFile,
      NODE_OPTIONS: `--import=${CLOCK}`,
      ...env,
    };
    const words = Object.entries(given).map(([name, value]) => `${name}=${value}`);
    const setup = ['--map-root-user', '--net', '--mount', '--uts', 'sh', '-euc', SETUP, 'sh'];
    this.#process = pty.spawn('unshare', [...setup, ...words], {
      cols: COLUMNS,
      rows: ROWS,
      name: given.TERM,
      env: { ...process.env, FOLDER: folder },
    });
    this.#process.onData((data) => this.#terminal.write(data));
    this.#ended = new Promise((resolve) => void this.#process.onExit(() => resolve()));
  }

  /** Sets the clock of all programs ahead of the real one. */
  setClock(aheadMs: number): void {
    writeFileSync(this.#clockFile, String(Math.round(aheadMs)));
  }

  /** Number of the line at the cursor, from the start of the session. */
  get line(): number {
    const { baseY, cursorY } = this.#terminal.buffer.normal;
    return baseY + cursorY;
  }

  type(text: string): void {
    this.#process.write(text);
  }

  press(key: string): void {
    this.type(NAMED_KEYS[key] ?? key);
  }

  /** Waits for the prompt in an empty line. */
  async prompt(): Promise<void> {
    await until(
      () => this.#current(),
      (line) => line.trimEnd() === PROMPT.trimEnd(),
    );
  }

  /** Waits for text after the line `from`. */
  async waitFor(wanted: string | RegExp, from = 0): Promise<void> {
    const isThere = (text: string) =>
      typeof wanted === 'string' ? text.includes(wanted) : wanted.test(text);
    await until(
      () =>
        this.screen ||
        this.linesFrom(from)
          .map(({ text }) => text)
          .join('\n'),
      isThere,
    );
  }

  /** Returns the lines from `from` to before the cursor. `isCut`: the terminal wrapped it into the next line. */
  linesFrom(from: number): readonly { readonly text: string; readonly isCut: boolean }[] {
    const { normal } = this.#terminal.buffer;
    return Array.from({ length: this.line - from + 1 }, (_, index) => ({
      text: normal.getLine(from + index)?.translateToString(true) ?? '',
      isCut: normal.getLine(from + index + 1)?.isWrapped ?? false,
    }));
  }

  /** The alternate screen. Empty while there is none. */
  get screen(): string {
    const { active } = this.#terminal.buffer;
    if (active.type === 'normal') return '';
    return Array.from({ length: ROWS }, (_, row) =>
      active.getLine(row)?.translateToString(true),
    ).join('\n');
  }

  cells() {
    return cellsOf(this.#terminal);
  }

  async close(): Promise<void> {
    this.#process.kill('SIGHUP');
    await this.#ended;
    this.#terminal.dispose();
  }

  #current(): string {
    return this.linesFrom(this.line).at(-1)?.text ?? '';
  }
}

/** Removes the folder of a computer. Its files may belong to another user of its namespace. */
export function removeComputer(folder: string): void {
  rmSync(folder, { recursive: true, force: true });
}

/** Returns why journeys cannot run on this machine, or undefined. */
export function whyNoNamespaces(): string | undefined {
  try {
    execFileSync('unshare', ['--map-root-user', '--net', '--mount', '--uts', 'true'], {
      stdio: 'pipe',
    });
    return undefined;
  } catch (error) {
    return `journeys need user namespaces (unshare): ${(error as Error).message}`;
  }
}

export const NODE_FOLDER = dirname(process.execPath);
