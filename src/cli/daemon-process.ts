/** The daemon with all that it needs to start, which the build makes one file: Node takes about 1 ms to load each. */

import { EXIT } from './output/command-error.ts';
import type { ExitCode } from './output/command-error.ts';
import { Context } from './context.ts';
import type { GlobalOptions } from './context.ts';
import { daemon } from './commands/daemon/daemon.ts';
import type { DaemonOptions } from './commands/daemon/daemon.ts';
import type { Io } from './output/output.ts';
import { tellFailure } from './tell-failure.ts';

/** Runs until the daemon has stopped. Never rejects: it reports an error on standard error. */
export async function runDaemon(
  io: Io,
  options: GlobalOptions,
  how: DaemonOptions = {},
): Promise<ExitCode> {
  try {
    await daemon(new Context(io, options), how);
    return EXIT.ok;
  } catch (error) {
    // Here and not in the caller, which has other copies of the classes of errors.
    return tellFailure(error, io, options);
  }
}
