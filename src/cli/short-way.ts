/**
 * Runs the dashboard, the status, the daemon and the store without commander and the declarations of all commands, if
 * the command line has no options except `--json`, `--home` and `--config`. To declare all commands takes longer than the first
 * frame of the dashboard may take, and the daemon would keep the declarations in memory. Commander parses all other
 * command lines. For those that are recognized here, it would run the same commands.
 */

import { EXIT } from './output/command-error.ts';
import type { ExitCode } from './output/command-error.ts';
import { Context } from './context.ts';
import type { GlobalOptions } from './context.ts';
import type { Io } from './output/output.ts';
import { reportFailure } from './report-failure.ts';

type Way = (io: Io, options: GlobalOptions) => Promise<ExitCode>;

const WAYS = {
  dashboard: async (io, options) => {
    await (await import('./commands/daemon/dashboard.ts')).dashboard(new Context(io, options));
    return EXIT.ok;
  },
  status: async (io, options) =>
    (await import('./commands/daemon/status.ts')).status(new Context(io, options)),
  'service run': async (io, options) =>
    (await import('./daemon-process.ts')).runDaemon(io, options),
  's3 serve': async (io, options) =>
    (await import('./daemon-process.ts')).runDaemon(io, options, { storeOnly: true }),
} satisfies Readonly<Record<string, Way>>;

export interface ShortWay {
  readonly command: keyof typeof WAYS;
  readonly options: GlobalOptions;
}

/**
 * Returns the command and its options, or undefined if commander must parse the line. Without a command, this is
 * `dashboard` on a terminal without `--json`, and `status` otherwise.
 */
export function shortWay(argv: readonly string[], isTerminal: boolean): ShortWay | undefined {
  const options: { home?: string; config?: string; json?: boolean } = {};
  const words: string[] = [];
  const rest = [...argv];
  for (let arg = rest.shift(); arg !== undefined; arg = rest.shift()) {
    if (arg === '--json') options.json = true;
    else if (/^--(?:home|config)(?:=|$)/.test(arg)) {
      const [name = '', ...typed] = arg.slice('--'.length).split('=');
      const path = typed.length === 0 ? rest.shift() : typed.join('=');
      // Commander reports a missing path, and decides whether a word that begins with a hyphen is one.
      if (!path || path.startsWith('-')) return undefined;
      options[name as 'home' | 'config'] = path;
    } else words.push(arg);
  }
  const overview = isTerminal && !options.json ? 'dashboard' : 'status';
  const command = words.length === 0 ? overview : words.join(' ');
  return isWay(command) ? { command, options } : undefined;
}

function isWay(name: string): name is keyof typeof WAYS {
  return Object.hasOwn(WAYS, name);
}

/** Runs the command and returns its exit code. Never rejects: it reports errors on standard error. */
export async function goShortWay({ command, options }: ShortWay, io: Io): Promise<ExitCode> {
  try {
    return await WAYS[command](io, options);
  } catch (error) {
    return reportFailure(error, io, options);
  }
}
