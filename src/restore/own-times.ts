/** The own times of the versions of one job: from its state where that knows them, else from their metadata, by a HEAD each. */

import PQueue from 'p-queue';

import type { ListedVersion } from '../object-store/listing.ts';
import { isStorageError } from '../object-store/storage-error.ts';
import { REPLACEABLE, type VersionTimes } from '../mirror/objects/version-times.ts';
import { isReserved } from '../mirror/objects/own-objects.ts';
import type { StateFile } from '../mirror/state/state.ts';
import { type Place, readVersion } from '../mirror/objects/destination.ts';

type Memory = Pick<StateFile, 'baseline' | 'versionTimes'>;

/** Enough to hide the latency of a remote service. */
const HEADS_AT_ONCE = 16;
/** `InvalidRequest`: it is encrypted under a key that was not given. */
const OF_ONE_VERSION = ['AccessDenied', 'InvalidRequest'] as const;

/** Undefined while it is known that the service keeps the dates of versions. */
export function timesOfJob(
  { store, job: { bucket, prefix }, provenance }: TimedJob,
  state: StateFile,
  service: { keepsVersionDates(): boolean },
): () => VersionTimes | undefined {
  const times = ownTimes({ store, bucket, prefix, ...(provenance && { provenance }) }, state);
  return () => (service.keepsVersionDates() ? undefined : times);
}

interface TimedJob extends Pick<Place, 'store' | 'provenance'> {
  readonly job: Pick<Place, 'bucket' | 'prefix'>;
}

/**
 * Only of versions that the job recognises as its own: without its key, of those that say so. `state` is absent where nothing
 * but the bucket is left.
 */
export function ownTimes(place: Place, state?: Memory): VersionTimes {
  const queue = new PQueue({ concurrency: HEADS_AT_ONCE });
  const ownTime = async (version: ListedVersion) => {
    const key = version.key.slice(place.prefix.length);
    // No tree has what Holdfast keeps for itself, and only Holdfast dates it: what its date is does not matter.
    if (isReserved(key)) return version.lastModifiedAt;
    const memory = version.versionId === REPLACEABLE ? undefined : state;
    const known = knownTime(key, version.versionId, memory);
    if (known !== undefined) return known === 'none' ? undefined : known;
    const read = await queue.add(() => readTime(key, version.versionId, place));
    if (read !== undefined) memory?.versionTimes.note(key, version.versionId, read);
    return read === 'none' ? undefined : read;
  };
  return { ownTime };
}

function knownTime(
  key: string,
  versionId: string,
  state: Memory | undefined,
): number | 'none' | undefined {
  const known = state?.versionTimes.get(key, versionId);
  if (known !== undefined) return known;
  const current = state?.baseline.get(key);
  return current?.versionId === versionId ? current.uploadedAt : undefined;
}

/** `none` for a version that the job did not upload. Undefined where it cannot be read, or was removed meanwhile. */
async function readTime(
  key: string,
  versionId: string,
  place: Place,
): Promise<number | 'none' | undefined> {
  try {
    const found = await readVersion(place, { key, versionId }, NEVER);
    if (found === 'absent') return undefined;
    return found.isOwn === true ? (found.uploadedAt ?? 'none') : 'none';
  } catch (error) {
    if (isStorageError(error, ...OF_ONE_VERSION)) return undefined;
    throw error;
  }
}

const NEVER = new AbortController().signal;
