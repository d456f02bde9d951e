/**
 * Opens the dashboard: full screen on a terminal, plain lines of text elsewhere. Loads the screen modules only for the
 * full screen.
 */

import type { DashboardOptions } from './dashboard.tsx';
import { whyPlain } from './terminal/guard.ts';
import { makeLook } from './theme/look.ts';
import { charsetOf } from './theme/terminal.ts';

export interface OpenOptions extends DashboardOptions {
  /** Whether to write plain lines of text even on a terminal. */
  readonly plain: boolean;
  /** Writes plain lines of text, even after the full screen has closed. Rejects if the output is closed. */
  readonly write: (lines: readonly string[]) => Promise<void>;
  /** Called if the dashboard reads no keys. Ctrl-C aborts the returned signal. */
  readonly interrupted: () => AbortSignal;
}

/** Resolves when the user has closed the dashboard, or when the report is written. */
export async function openDashboard(options: OpenOptions): Promise<void> {
  const { streams, env, clock, connect, plain, write } = options;
  if (plain || whyPlain(streams, env) !== undefined) {
    const look = makeLook('mono', charsetOf(env, process.platform));
    const follow = plain || streams.stdout.isTTY;
    const { runPlain } = await import('./plain.ts');
    return runPlain({ clock, look, connect, write, follow, signal: options.interrupted() });
  }
  // Raw mode starts before other modules load, so that the terminal does not echo the keys that the user types
  // meanwhile.
  streams.stdin.setRawMode(true);
  let leftBehind: readonly string[];
  try {
    const { runDashboard } = await import('./dashboard.tsx');
    leftBehind = await runDashboard(options);
  } finally {
    streams.stdin.setRawMode(false);
  }
  if (leftBehind.length > 0) await write(leftBehind);
}
