/**
 * Implements `holdfast dashboard`. On a terminal, `holdfast` without a command also runs it. If the home folder has no
 * jobs yet, it asks the user what to do instead of showing the dashboard.
 */

import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

import type { Context } from '../../context.ts';
import { catchInterrupts } from '../../interrupts.ts';
import type { Interrupts } from '../../interrupts.ts';
import type { ExitCode } from '../../output/command-error.ts';
import { isAskable } from '../../output/ask.ts';
import { usageError } from '../../output/command-error.ts';

export interface DashboardOptions {
  readonly plain?: boolean;
}

export async function dashboard(
  context: Context,
  { plain = false }: DashboardOptions = {},
): Promise<ExitCode | void> {
  if (context.json)
    throw usageError(
      'cannot use --json with dashboard',
      'to get the state as JSON: holdfast status --json',
    );
  const home = await context.home();
  // The configuration is not read if a daemon may be running, so that the dashboard appears faster.
  if (!plain && isAskable(context) && !existsSync(home.socketPath)) {
    const { isNew, welcome } = await import('../init/welcome.ts');
    if (await isNew(home)) return welcome(context);
  }
  const { openDashboard } = await import('../../../../tui/main.ts');
  let interrupts: Interrupts | undefined;
  try {
    await openDashboard({
      streams: { stdin: process.stdin, stdout: process.stdout },
      env: context.io.env,
      clock: context.io.clock,
      connect: () => context.connect({ isSilent: true }),
      socketPath: home.socketPath,
      startDaemon: async () => (await import('./start-daemon.ts')).startDaemon(context),
      logFile: home.logFile,
      keysFile: join(dirname(home.configFile), 'keys.yaml'),
      notesFile: join(home.stateDir, 'dashboard.json'),
      skinsFolder: join(dirname(home.configFile), 'skins'),
      folder: context.io.cwd,
      homeOption: context.homeOption,
      plain,
      write: (lines) => context.out.prose(...lines),
      interrupted: () => {
        interrupts = catchInterrupts(context.io.stderr);
        return interrupts.signal;
      },
    });
  } finally {
    interrupts?.release();
  }
}
