/** Takes over the destination of a job, and releases the ownership markers of removed jobs. */

import type { Clock } from '../../src/base/clock.ts';
import { errorMessage } from '../../src/base/errors.ts';
import { type FoundMarker, isSameHost } from '../../src/mirror/objects/ownership-marker.ts';
import { releaseDestination } from '../../src/mirror/ownership/hold-marker.ts';
import type { Job } from './job.ts';

/** A service that does not respond must not prevent the removal of a job. */
const RELEASE_WITHIN_MS = 10_000;

/**
 * Makes the job the owner of its destination. Returns the ownership marker of the previous owner, if there was one.
 * Rejects with ControlError `Failed` while the job is not open.
 */
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

/** Releases the destinations of closed jobs. Returns notes for the user on markers that remain. Never rejects. */
export async function releaseClaims(
  jobs: readonly ClosedJob[],
  options: ReleaseOptions,
): Promise<{ notes?: string[] }> {
  const notes = (await Promise.all(jobs.map((job) => releaseClaim(job, options)))).flat();
  return notes.length > 0 ? { notes } : {};
}

const TAKE_OVER =
  'to use that destination for another folder or machine, add the job with --take-over';

async function releaseClaim(
  job: ClosedJob,
  { hostId, clock, signal }: ReleaseOptions,
): Promise<readonly string[]> {
  const { name, bucket, prefix, folder } = job.config;
  const late = new AbortController();
  const cancel = clock.after(RELEASE_WITHIN_MS, () =>
    late.abort(new Error('the service did not respond in time')),
  );
  try {
    const destination = { store: job.service(), bucket, prefix };
    // A clone of this machine may own the destination by now, and keeps it. The holders of a job that was never
    // opened are not known.
    const unopened = { job: name, host: hostId, root: folder, holders: [] };
    const claim = job.opened?.ownership.owner() ?? unopened;
    const left = await releaseDestination(
      destination,
      claim,
      AbortSignal.any([signal, late.signal]),
    );
    if (!left || job.opened || !isSameHost(left, claim)) return [];
    const why = 'the job was not open, and a clone of this machine may own the destination';
    return [`the ownership marker of ${bucket}/${prefix} was not removed: ${why}; ${TAKE_OVER}`];
  } catch (error) {
    const why = errorMessage(error);
    return [`cannot remove the ownership marker of ${bucket}/${prefix}: ${why}; ${TAKE_OVER}`];
  } finally {
    cancel();
  }
}
