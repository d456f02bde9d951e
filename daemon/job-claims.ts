/** The claim of a job to its place in the bucket, where a person says whose it is. */

import type { Clock } from '../src/base/clock.ts';
import { errorMessage } from '../src/base/errors.ts';
import { type FoundMarker, isSameHost } from '../src/mirror/objects/ownership-marker.ts';
import { releaseDestination } from '../src/mirror/ownership/hold-marker.ts';
import type { Job } from './job.ts';

/** A service that is away must not keep a job from being removed. */
const RELEASE_WITHIN_MS = 10_000;

/** Returns whose it was, if another's. Rejects with ControlError `Failed` while the job cannot be opened. */
export async function takeOverPlace(
  job: Job,
  signal: AbortSignal,
): Promise<FoundMarker | undefined> {
  const { ownership } = await job.mirror();
  return ownership.takeOver(signal);
}

type ClosedJob = Pick<Job, 'config' | 'opened' | 'service'>;

interface ReleaseOptions {
  readonly hostId: string;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

/** Of jobs that were removed, and are closed: their places are free for others. */
export async function releaseClaims(
  jobs: readonly ClosedJob[],
  options: ReleaseOptions,
): Promise<{ notes?: string[] }> {
  const notes = (await Promise.all(jobs.map((job) => releaseClaim(job, options)))).flat();
  return notes.length > 0 ? { notes } : {};
}

const TAKE_OVER = 'a job of another folder or machine there needs --take-over';

async function releaseClaim(
  job: ClosedJob,
  { hostId, clock, signal }: ReleaseOptions,
): Promise<readonly string[]> {
  const { name, bucket, prefix, folder } = job.config;
  const late = new AbortController();
  const cancel = clock.after(RELEASE_WITHIN_MS, () => late.abort(new Error('no answer in time')));
  try {
    const destination = { store: job.service(), bucket, prefix };
    // A copy of this machine may have the place by now: it is that one's, then. Who never opened the job knows no holder.
    const unopened = { job: name, host: hostId, root: folder, holders: [] };
    const claim = job.opened?.ownership.owner() ?? unopened;
    const left = await releaseDestination(
      destination,
      claim,
      AbortSignal.any([signal, late.signal]),
    );
    if (!left || job.opened || !isSameHost(left, claim)) return [];
    const why = 'since the job was not open, and the claim may be that of a copy of this machine';
    return [`its claim to ${bucket}/${prefix} stays, ${why}; ${TAKE_OVER}`];
  } catch (error) {
    const why = `its claim to ${bucket}/${prefix} could not be released: ${errorMessage(error)}`;
    return [`${why}; ${TAKE_OVER}`];
  } finally {
    cancel();
  }
}
