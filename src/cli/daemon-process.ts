/**
 * Runs the daemon. The build bundles this file with everything that it imports, because Node takes about 1 ms to load
 * each file.
 */

import { EXIT } from './output/command-error.ts';
import type { ExitCode } from './output/command-error.ts';
import { Context } from './context.ts';
import type { GlobalOptions } from './context.ts';
import { daemon } from './commands/daemon/daemon.ts';
import type { DaemonOptions } from './commands/daemon/daemon.ts';
import type { Io } from './output/output.ts';
import { reportFailure } from './report-failure.ts';

/**
 * Runs the daemon until it has stopped, and returns the exit code. Never rejects. It reports errors on standard error.
 */
export async function runDaemon(
  io: Io,
  options: GlobalOptions,
  how: DaemonOptions = {},
): Promise<ExitCode> {
  try {
    const context = new Context(io, options);
    await daemon(context, how);
    await context.out.finish();
    return EXIT.ok;
  } catch (error) {
    // The error is reported here. The caller's bundle has separate copies of the error classes, so its `instanceof`
    // checks would fail.
    return reportFailure(error, io, options);
  }
}
