/** The end of a daemon that runs in this process. */

import { CommandError } from '../../output/command-error.ts';
import type { Context } from '../../context.ts';

/** What the lead-in of this process knows of the daemon it started. */
export interface StoppableDaemon {
  readonly stopped: Promise<void>;
  stop(reason: string): Promise<void>;
}

/** Service managers kill after ten seconds or more; whoever pressed Ctrl-C waits no longer than this. */
const STOP_WITHIN_MS = 5_000;

/** Resolves when it has stopped; rejects when it takes too long, and the process then ends without it. */
export async function stopDaemon(daemon: StoppableDaemon, context: Context): Promise<void> {
  const tooLong = Promise.withResolvers<never>();
  const cancel = context.io.clock.after(STOP_WITHIN_MS, () =>
    tooLong.reject(
      new CommandError(
        'NotStopped',
        `stop daemon: not done after ${STOP_WITHIN_MS / 1_000} s, left as it is`,
        'nothing is lost: what was not yet durable is done again at the next start',
      ),
    ),
  );
  try {
    await Promise.race([daemon.stop('asked by the user'), tooLong.promise]);
  } finally {
    cancel();
  }
}
