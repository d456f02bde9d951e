/** Stops a daemon that runs in this process. */

import { CommandError } from '../../output/command-error.ts';
import type { Context } from '../../context.ts';

/** The part of a daemon's interface that the command which started it uses. */
export interface StoppableDaemon {
  readonly stopped: Promise<void>;
  stop(reason: string): Promise<void>;
}

/** The longest time that a user waits after Ctrl-C. Service managers kill a process only after ten seconds or more. */
const STOP_WITHIN_MS = 5_000;

/**
 * Stops the daemon and resolves when it has stopped. If that takes too long, rejects with CommandError `NotStopped`,
 * and the process exits without waiting any longer.
 */
export async function stopDaemon(
  daemon: StoppableDaemon,
  context: Context,
  reason = 'requested by the user',
): Promise<void> {
  const tooLong = Promise.withResolvers<never>();
  const cancel = context.io.clock.after(STOP_WITHIN_MS, () =>
    tooLong.reject(
      new CommandError(
        'NotStopped',
        `cannot stop the daemon within ${STOP_WITHIN_MS / 1_000} s; the process exits now`,
        'nothing is lost: the next start repeats what was not durable yet',
      ),
    ),
  );
  try {
    await Promise.race([daemon.stop(reason), tooLong.promise]);
  } finally {
    cancel();
  }
}
