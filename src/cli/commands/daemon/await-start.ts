/** Waits until jobs have started or failed, for commands that do not follow them. */

import type { Clock } from '../../../base/clock.ts';
import type { ControlClient } from '../../../control/client.ts';
import { isControlError } from '../../../control/control-error.ts';
import type { JobStatus } from '../../../control/shapes.ts';

/**
 * How long to wait for jobs to start. If a service does not respond in this time, the job's status is still `starting`.
 */
const START_WITHIN_MS = 10_000;

/**
 * Returns the status of the job `wanted`, or of all jobs. Waits until each of them has started or failed, but at most
 * 10 seconds.
 */
export async function awaitStart(
  daemon: ControlClient,
  clock: Clock,
  wanted?: string,
): Promise<readonly JobStatus[]> {
  const statuses = async () => {
    const { jobs } = await daemon.call('status', {});
    return jobs.filter(({ name }) => wanted === undefined || name === wanted);
  };
  const late = Promise.withResolvers<void>();
  const cancel = clock.after(START_WITHIN_MS, () => late.resolve());
  const end = new AbortController();
  const started = Promise.withResolvers<void>();
  const waiting = new Set<string>();
  const note = (job: JobStatus) => {
    if (hasStarted(job)) waiting.delete(job.name);
    if (waiting.size === 0) started.resolve();
  };
  const stopListening = daemon.onEvent(({ event }) => {
    if (event.type === 'job.changed') note(event.job);
  });
  try {
    await daemon.subscribe({ types: ['job.changed'] });
    const jobs = await statuses();
    for (const { name } of jobs) waiting.add(name);
    for (const job of jobs) note(job);
    if (jobs.length === 0) return jobs;
    const settled = [...waiting.keys()].map((name) => endOf(daemon, name, end.signal));
    await Promise.race([started.promise, late.promise, Promise.all(settled)]);
    return await statuses();
  } finally {
    end.abort();
    cancel();
    stopListening();
  }
}

/**
 * Returns whether a job has started. If a job failed earlier and has pending changes, its state is `mirroring` even
 * before it has reached its destination.
 */
function hasStarted({ state, lastRoundAt }: JobStatus): boolean {
  return state !== 'starting' && (state !== 'mirroring' || lastRoundAt !== undefined);
}

/** Resolves when the job has settled or failed, or when aborted. */
async function endOf(daemon: ControlClient, name: string, signal: AbortSignal): Promise<void> {
  try {
    await daemon.call('jobs.settled', { name }, { signal });
  } catch (error) {
    // The failure is not reported here, because the job's status contains the reason.
    if (!signal.aborted && !isControlError(error, 'Failed')) throw error;
  }
}
