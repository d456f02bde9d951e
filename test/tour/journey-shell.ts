/**
 * A shell in a pseudoterminal on a simulated computer. Linux namespaces let its processes see
 * `/home/ann`, the host name `laptop` and a network without other programs. Its clock follows a
 * file, so that a journey can take days.
 */

import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import pty from '@lydell/node-pty';
import xterm from '@xterm/headless';

import { CLI } from '../helpers/daemon-process.ts';
import { cellsOf, lineCells } from '../helpers/tui/cells.ts';
import type { Cell } from '../helpers/tui/cells.ts';
import { until } from '../helpers/until.ts';

const COLUMNS = 80;
const ROWS = 24;
const CLOCK = join(import.meta.dirname, '../soak/offset-clock.ts');
const SERVICE = join(import.meta.dirname, 'journey-service.ts');
const PROMPT = '$ ';
/** Number of an operating system command (OSC) that no terminal knows. */
const ENDED = 7391;

/** When the first process ends, the namespaces end all its child processes, too. */
const NAMESPACES = [
  '--map-root-user',
  '--net',
  '--mount',
  '--uts',
  '--pid',
  '--fork',
  '--kill-child',
  '--mount-proc',
];

/**
 * Script that runs as root of a user namespace. It first starts a service in a separate network,
 * connected by a virtual cable. Then it starts the shell as an ordinary user of another namespace.
 */
const SETUP = `
printf 'root:x:0:0::/root:/bin/sh\\nann:x:1000:1000::/home/ann:/bin/bash\\n' > "$FOLDER/passwd"
mount --bind "$FOLDER/passwd" /etc/passwd
mount -t tmpfs none /home && mkdir /home/ann && mount --bind "$FOLDER/ann" /home/ann
hostname laptop
ip link set lo up
if [ "$SERVICE" ]; then
  unshare --net sh -euc '
    ip link set lo up
    echo $$ > "$FOLDER/service.pid"
    until ip address add 192.168.1.20/24 dev cable1 2> /dev/null; do sleep 0.05; done
    ip link set cable1 up
    exec node "$SERVICE" "$FOLDER"' > "$FOLDER/service.log" 2>&1 &
  until [ -s "$FOLDER/service.pid" ]; do sleep 0.05; done
  ip link add cable0 type veth peer name cable1 netns "$(cat "$FOLDER/service.pid")"
  ip address add 192.168.1.10/24 dev cable0 && ip link set cable0 up
fi
cd /home/ann
exec unshare --user --map-user=1000 --map-group=1000 env -i "$@" bash --norc --noprofile`;

export interface ShellOptions {
  /** Folder of the simulated computer. The shell sees its subfolder `ann` as `/home/ann`. */
  readonly folder: string;
  readonly env: Readonly<Record<string, string>>;
  /**
   * True if the network has an S3 service at http://192.168.1.20:9000. The access key is in the
   * file `service.key` of the folder.
   */
  readonly hasService?: boolean;
}

export interface ShownLine {
  readonly text: string;
  /** True if the terminal wrapped a long line, and this line continues the line above. */
  readonly isWrapped: boolean;
  readonly cells: readonly Cell[];
}

export class JourneyShell {
  readonly home: string;
  readonly #clockFile: string;
  /**
   * Exit codes of all commands so far. The shell reports each code in an escape sequence before its
   * prompt.
   */
  readonly #exitCodes: number[] = [];
  readonly #terminal = new xterm.Terminal({
    cols: COLUMNS,
    rows: ROWS,
    scrollback: 10_000,
    allowProposedApi: true,
  });
  readonly #process: pty.IPty;
  readonly #ended: Promise<void>;

  constructor({ folder, env, hasService = false }: ShellOptions) {
    this.home = join(folder, 'ann');
    this.#clockFile = join(folder, 'clock');
    this.#terminal.parser.registerOscHandler(
      ENDED,
      (code) => this.#exitCodes.push(Number(code)) > 0,
    );
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
      PROMPT_COMMAND: `printf '\\e]${ENDED};%s\\a' "$?"`,
      ...env,
    };
    const words = Object.entries(given).map(([name, value]) => `${name}=${value}`);
    const setup = [...NAMESPACES, 'sh', '-euc', SETUP, 'sh'];
    this.#process = pty.spawn('unshare', [...setup, ...words], {
      cols: COLUMNS,
      rows: ROWS,
      name: given.TERM,
      env: {
        PATH: `${dirname(process.execPath)}:${process.env['PATH']}`,
        FOLDER: folder,
        SERVICE: hasService ? SERVICE : '',
        HOLDFAST_SOAK_CLOCK: this.#clockFile,
        NODE_OPTIONS: given.NODE_OPTIONS,
      },
    });
    this.#process.onData((data) => this.#terminal.write(data));
    this.#ended = new Promise((resolve) => void this.#process.onExit(() => resolve()));
  }

  /** Moves the clock of all programs ahead of the real time. */
  setClock(aheadMs: number): void {
    writeFileSync(this.#clockFile, String(Math.round(aheadMs)));
  }

  /** Number of the line at the cursor, counted from the start of the session. */
  get line(): number {
    const { baseY, cursorY } = this.#terminal.buffer.normal;
    return baseY + cursorY;
  }

  type(text: string): void {
    this.#process.write(text);
  }

  /** Number of prompts so far. */
  get prompts(): number {
    return this.#exitCodes.length;
  }

  /**
   * Waits for the prompt after the prompt with the number `after`. Returns the exit code of the
   * command.
   */
  async prompt(after: number): Promise<number> {
    await until(
      () => this.prompts > after && this.linesFrom(this.line).at(-1)?.text.trimEnd() === '$',
      Boolean,
    );
    return this.#exitCodes.at(-1) ?? 0;
  }

  /**
   * Kills the process of the simulated computer whose command line ends with `command`. Waits until
   * the process has ended.
   */
  async kill(command: string): Promise<void> {
    const [pid, ...others] = this.#pidsOf(command);
    if (pid === undefined || others.length > 0)
      throw new Error(`kill ${command}: not exactly one process matches`);
    process.kill(pid, 'SIGKILL');
    await until(
      () => this.#pidsOf(command).length,
      (count) => count === 0,
    );
  }

  /** Process ids as this process sees them, outside of the namespaces. */
  #pidsOf(command: string): readonly number[] {
    const isOurs = (pid: string) => {
      try {
        const [line, env] = ['cmdline', 'environ'].map((file) =>
          readFileSync(join('/proc', pid, file), 'utf8')
            .replaceAll('\0', ' ')
            .trim(),
        ) as [string, string];
        return line.endsWith(command) && env.includes(this.#clockFile);
      } catch {
        // The other process has already ended, or belongs to another user.
        return false;
      }
    };
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name) && isOurs(name))
      .map(Number);
  }

  /**
   * Waits for text on the alternate screen, or in the last line if the alternate screen is not in
   * use. A question is in the last line.
   */
  async waitForLast(wanted: string | RegExp): Promise<void> {
    await until(
      () => this.screen || (this.linesFrom(this.line)[0]?.text ?? ''),
      (text) => (typeof wanted === 'string' ? text.includes(wanted) : wanted.test(text)),
    );
  }

  /** Returns the lines from `from` to the cursor. */
  linesFrom(from: number): readonly ShownLine[] {
    const { normal } = this.#terminal.buffer;
    return Array.from({ length: this.line - from + 1 }, (_, index) => {
      const line = normal.getLine(from + index);
      return {
        text: line?.translateToString(true) ?? '',
        isWrapped: line?.isWrapped ?? false,
        cells: lineCells(line),
      };
    });
  }

  /** Text of the alternate screen. Empty if the alternate screen is not in use. */
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
}

/** Returns the reason why journeys cannot run on this computer, or undefined if they can. */
export function whyNoNamespaces(): string | undefined {
  try {
    execFileSync('unshare', [...NAMESPACES, 'true'], {
      stdio: 'pipe',
    });
    return undefined;
  } catch (error) {
    return `journeys need user namespaces (unshare): ${(error as Error).message}`;
  }
}
