/** Runs a task for each of several jobs. The failure of one job is reported and does not stop the others. */

import { isAbort } from '../../../base/errors.ts';
import type { ControlClient } from '../../../control/client.ts';
import { type ControlError, isControlError } from '../../../control/control-error.ts';
import { EXIT } from '../../output/command-error.ts';
import type { ExitCode } from '../../output/command-error.ts';
import type { Context } from '../../context.ts';
import { writeNote } from '../../output/output.ts';
import { messageText, visible } from '../../output/text.ts';

export interface FailedJob {
  readonly job: string;
  readonly code: string;
  readonly message: string;
}

export interface JobsDone<T> {
  readonly done: readonly T[];
  readonly failed: readonly FailedJob[];
}

/** Returns `names`. If `names` is empty, returns the names of all jobs. */
export async function namesOf(
  daemon: ControlClient,
  names: readonly string[],
): Promise<readonly string[]> {
  if (names.length > 0) return names;
  return (await daemon.call('status', {})).jobs.map(({ name }) => name);
}

/**
 * Calls `work` for each named job and collects the results and the failures. If `names` is empty, uses all jobs.
 * Throws an error that does not concern a single job. If only one job is named, throws any error.
 */
export async function eachJob<T>(
  daemon: ControlClient,
  names: readonly string[],
  work: (name: string) => Promise<T>,
  order: 'in turn' | 'at once' = 'in turn',
): Promise<JobsDone<T>> {
  const failed: FailedJob[] = [];
  const attempt = async (name: string): Promise<T[]> => {
    try {
      return [await work(name)];
    } catch (error) {
      if (names.length === 1 || !isOfJob(error)) throw error;
      failed.push(failureOf(name, error));
      return [];
    }
  };
  const wanted = await namesOf(daemon, names);
  if (order === 'at once') return { done: (await Promise.all(wanted.map(attempt))).flat(), failed };
  const done: T[] = [];
  for (const name of wanted) done.push(...(await attempt(name)));
  return { done, failed };
}

/**
 * Returns whether the error concerns a single job. An interrupt or a lost connection to the daemon ends the whole
 * command.
 */
export function isOfJob(error: unknown): error is ControlError {
  if (isAbort(error) || !isControlError(error)) return false;
  return !isControlError(error, 'Cancelled', 'Disconnected', 'NotRunning');
}

export function failureOf(job: string, error: ControlError): FailedJob {
  return { job, code: error.storageCode ?? error.code, message: error.message };
}

/**
 * Writes a line for each failure to standard error. With `--json`, the result of the command contains the failures
 * instead.
 */
export async function printFailedJobs(
  { io, json, out }: Context,
  failed: readonly FailedJob[],
): Promise<void> {
  if (json) return;
  for (const { job, message } of failed)
    await writeNote(
      io.stderr,
      `${out.paint('bad', '!')} ${visible(job)}: ${messageText(message)}\n`,
    );
}

/**
 * Returns the exit code of a command on several jobs. It is `failed` if all jobs failed, and `attention` if some jobs
 * failed. Returns `otherwise` if no job failed or if `otherwise` is `failed`.
 */
export function exitWith({ done, failed }: JobsDone<unknown>, otherwise: ExitCode): ExitCode {
  if (failed.length === 0 || otherwise === EXIT.failed) return otherwise;
  return done.length === 0 ? EXIT.failed : EXIT.attention;
}
