/** Takes over the destination of a job, and releases the ownership markers of removed jobs. */

import type { Clock } from '../../src/base/clock.ts';
import { errorMessage } from '../../src/base/errors.ts';
import { type FoundMarker, isSameHost } from '../../src/mirror/objects/ownership-marker.ts';
import { isReserved } from '../../src/mirror/objects/own-objects.ts';
import { releaseDestination } from '../../src/mirror/ownership/hold-marker.ts';
import type { MirrorStore } from '../../src/object-store/mirror-store.ts';
import type { Retention } from '../../src/object-store/object-store.ts';
import { isStorageError } from '../../src/object-store/storage-error.ts';
import type { Job } from './job.ts';

/**
 * The time limit for releasing an ownership marker. A service that does not respond must not prevent the removal of
 * a job.
 */
const RELEASE_WITHIN_MS = 10_000;

/**
 * Makes the job the owner of its destination. Returns the previous owner's ownership marker, if there was one.
 * Rejects with ControlError `Failed` while the job is not open.
 */
export async function takeOverPlace(
  job: Job,
  signal: AbortSignal,
): Promise<FoundMarker | undefined> {
  const { ownership } = await job.mirror();
  return ownership.takeOver(signal);
}

/**
 * The number of keys to list. The objects that Holdfast stores for itself come first, and 20 keys also include the
 * object of a file.
 */
const SAMPLE = 20;

/**
 * Returns a note for the user if the job sets no locks. If a sample of the earlier owner's objects contains a
 * locked object, the note names its lock.
 */
export async function lockNotes(job: Job, signal: AbortSignal): Promise<readonly string[]> {
  const { name, bucket, prefix, lock } = job.config;
  if (lock) return [];
  const { mode, retainUntil } =
    (await sampleRetention(job.store(), { bucket, prefix }, signal)) ?? {};
  const earlier =
    retainUntil === undefined
      ? ''
      : `files of the earlier job are locked, one until ${new Date(retainUntil).toISOString()} (${mode}); `;
  const set = `holdfast job edit ${name} lock='${mode ?? 'GOVERNANCE'} 30d'`;
  return [`${earlier}this job sets no locks; to set them: ${set}`];
}

async function sampleRetention(
  store: MirrorStore,
  { bucket, prefix }: { readonly bucket: string; readonly prefix: string },
  signal: AbortSignal,
): Promise<Retention | undefined> {
  try {
    const { objects } = await store.listObjects({ bucket, prefix, maxKeys: SAMPLE }, { signal });
    const file = objects.find(({ key }) => !isReserved(key.slice(prefix.length)));
    return file && (await store.headObject({ bucket, key: file.key }, { signal })).info.retention;
  } catch (error) {
    // The job has already taken over its destination, so this error must not fail the request. The job's status reports
    // it.
    if (isStorageError(error)) return undefined;
    throw error;
  }
}

type ClosedJob = Pick<Job, 'config' | 'opened' | 'service'>;

interface ReleaseOptions {
  readonly hostId: string;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

/**
 * Releases the destinations of closed jobs. Returns notes for the user about ownership markers that remain. Never
 * rejects.
 */
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
    // If a clone of this machine has become the owner of the destination, it stays the owner. For a job that was not
    // opened, it is unknown whether this machine or a clone wrote the ownership marker, so the marker remains.
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
