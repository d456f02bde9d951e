/** The dashboard's door: on a terminal the screen, elsewhere lines of text. What the screen needs is loaded only then. */

import type { DashboardOptions } from './dashboard.tsx';
import { whyPlain } from './term/guard.ts';
import { charsetOf, makeLook } from './theme/look.ts';

export interface OpenOptions extends DashboardOptions {
  /** Lines of text, even where a screen could be drawn. */
  readonly plain: boolean;
  /** For lines of text, and for what is said after the screen is left; rejects when nobody reads them any more. */
  readonly write: (lines: readonly string[]) => Promise<void>;
  /** Asked where no keys are read: aborted by Ctrl-C. */
  readonly interrupted: () => AbortSignal;
}

/** Resolves when the user has left it, or when the report is given where nobody watches. */
export async function openDashboard(options: OpenOptions): Promise<void> {
  const { streams, env, clock, connect, plain, write } = options;
  if (plain || whyPlain(streams, env) !== undefined) {
    const look = makeLook('mono', charsetOf(env, process.platform));
    const follow = plain || streams.stdout.isTTY;
    const { runPlain } = await import('./plain.ts');
    return runPlain({ clock, look, connect, write, follow, signal: options.interrupted() });
  }
  // Before all else is loaded: keys that are typed meanwhile are for the screen, and not to be written onto it.
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
