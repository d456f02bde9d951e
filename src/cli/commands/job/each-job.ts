/** One piece of work for each of several jobs: a job that cannot do it is reported, and keeps no other job from it. */

import { isAbort } from '../../../base/errors.ts';
import type { ControlClient } from '../../../control/client.ts';
import { type ControlError, isControlError } from '../../../control/control-error.ts';
import { EXIT } from '../../output/command-error.ts';
import type { ExitCode } from '../../output/command-error.ts';
import type { Context } from '../../context.ts';
import { tell } from '../../output/output.ts';
import { visible } from '../../output/text.ts';

export interface FailedJob {
  readonly job: string;
  readonly code: string;
  readonly message: string;
}

export interface JobsDone<T> {
  readonly done: readonly T[];
  readonly failed: readonly FailedJob[];
}

/** The jobs that are named, or all. */
export async function namesOf(
  daemon: ControlClient,
  names: readonly string[],
): Promise<readonly string[]> {
  if (names.length > 0) return names;
  return (await daemon.call('status', {})).jobs.map(({ name }) => name);
}

/** The failure of the one job that was named is the failure of the command. */
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

/** Not what ends the command: an interrupt, or a daemon that is gone. */
export function isOfJob(error: unknown): error is ControlError {
  if (isAbort(error) || !isControlError(error)) return false;
  return !isControlError(error, 'Cancelled', 'Disconnected', 'NotRunning');
}

export function failureOf(job: string, error: ControlError): FailedJob {
  return { job, code: error.storageCode ?? error.code, message: error.message };
}

/** On standard error, with `--json` in the form of other failures. */
export async function tellFailedJobs(
  { io, json, out }: Context,
  failed: readonly FailedJob[],
): Promise<void> {
  const lines = failed.map((error) =>
    json
      ? JSON.stringify({ error })
      : `${out.paint('bad', '!')} ${visible(error.job)}: ${visible(error.message)}`,
  );
  for (const line of lines) await tell(io.stderr, `${line}\n`);
}

/** `attention` where other jobs could do it. */
export function exitWith({ done, failed }: JobsDone<unknown>, otherwise: ExitCode): ExitCode {
  if (failed.length === 0 || otherwise === EXIT.failed) return otherwise;
  return done.length === 0 ? EXIT.failed : EXIT.attention;
}
