/** Waits until the status of a cluster or a node group is final, and prints each change to standard error. */

import { isControlError } from '../../../control/control-error.ts';
import { CommandError, EXIT, type ExitCode } from '../../output/command-error.ts';
import type { Context } from '../../context.ts';
import { catchInterrupts } from '../../interrupts.ts';
import { visible } from '../../output/text.ts';
import { parseDuration } from '../../arguments/when.ts';

export interface WaitOptions {
  readonly timeout?: string;
}

const LOOK_EVERY_MS = 1_000;
const USUAL_TIMEOUT_MS = 30 * 60_000;
const LONGEST_TIMEOUT_MS = 7 * 86_400_000;
/** Matches the statuses that end the wait. */
const ENDED = /^(?:ACTIVE|DEGRADED|FAILED|CREATE_FAILED|DELETE_FAILED)$/;

/**
 * Returns the exit code for the final status of a cluster or node group. If the status is DEGRADED, the resource exists
 * but does not work as requested.
 */
export function exitOf(status: string): ExitCode {
  if (status.endsWith('FAILED')) return EXIT.failed;
  return status === 'DEGRADED' ? EXIT.attention : EXIT.ok;
}

export interface Seen {
  readonly status: string;
  /** A text that is printed after the status. */
  readonly detail?: string;
}

/**
 * Calls `look` every second until the status is final. Returns that status, or `gone` if `look` rejects with
 * `NotFound`. `what` is the name to print. This function escapes it. Rejects with CommandError `TimedOut`, with any
 * other error of `look`, and if the user interrupts the command.
 */
export async function waitForEnd(
  context: Context,
  what: string,
  { look, timeout }: WaitOptions & { readonly look: () => Promise<Seen> },
): Promise<string> {
  const { clock, stderr } = context.io;
  const limitMs =
    timeout === undefined ? USUAL_TIMEOUT_MS : parseDuration(timeout, LONGEST_TIMEOUT_MS);
  const interrupts = catchInterrupts(stderr);
  const until = clock.monotonic() + limitMs;
  let printed = '';
  try {
    for (;;) {
      const seen = await lookOnce(look);
      const text = [seen.status, seen.detail].filter(Boolean).join(', ');
      if (text !== printed && !context.json) stderr.write(`${visible(`${what}  ${text}`)}\n`);
      printed = text;
      if (seen.status === 'gone' || ENDED.test(seen.status)) return seen.status;
      if (clock.monotonic() >= until)
        throw new CommandError('TimedOut', `the wait for ${what} timed out: it is still ${text}`);
      await clock.sleep(LOOK_EVERY_MS, interrupts.signal);
    }
  } finally {
    interrupts.release();
  }
}

async function lookOnce(look: () => Promise<Seen>): Promise<Seen> {
  try {
    return await look();
  } catch (error) {
    if (isControlError(error, 'NotFound')) return { status: 'gone' };
    throw error;
  }
}
