/**
 * Reads the upload times of a job's versions from the job's state, or otherwise from their metadata, with one HEAD
 * request per version.
 */

import PQueue from 'p-queue';

import type { ListedVersion } from '../object-store/listing.ts';
import { isStorageError } from '../object-store/storage-error.ts';
import { REPLACEABLE, type VersionTimes } from '../mirror/objects/version-times.ts';
import { isReserved } from '../mirror/objects/own-objects.ts';
import type { StateFile } from '../mirror/state/state-file.ts';
import { type Destination, readVersion } from '../mirror/objects/destination.ts';

type Memory = Pick<StateFile, 'baseline' | 'versionTimes'>;

/** Maximum number of concurrent HEAD requests. It is large enough to hide a remote service's latency. */
const HEADS_AT_ONCE = 16;
/** Error codes that concern only one version. `InvalidRequest` means that its encryption key was not supplied. */
const OF_ONE_VERSION = ['AccessDenied', 'InvalidRequest'] as const;

/**
 * Returns a function that provides the upload times of a job's versions. That function returns undefined as long as the
 * service is known to preserve version dates.
 */
export function timesOfJob(
  { store, job: { bucket, prefix }, provenance }: TimedJob,
  state: StateFile,
  service: { keepsVersionDates(): boolean },
): () => VersionTimes | undefined {
  const times = ownTimes({ store, bucket, prefix, ...(provenance && { provenance }) }, state);
  return () => (service.keepsVersionDates() ? undefined : times);
}

interface TimedJob extends Pick<Destination, 'store' | 'provenance'> {
  readonly job: Pick<Destination, 'bucket' | 'prefix'>;
}

/**
 * Returns the upload times of versions that the job recognises as its own. Without the job's secret key, it accepts all
 * versions with the metadata of Holdfast. `state` is absent if only the bucket still exists.
 */
export function ownTimes(destination: Destination, state?: Memory): VersionTimes {
  const queue = new PQueue({ concurrency: HEADS_AT_ONCE });
  const ownTime = async (version: ListedVersion) => {
    const key = version.key.slice(destination.prefix.length);
    // Only Holdfast writes its reserved objects, and restored trees do not contain them, so the service's date is
    // accurate enough.
    if (isReserved(key)) return version.lastModifiedAt;
    const memory = version.versionId === REPLACEABLE ? undefined : state;
    const known = knownTime(key, version.versionId, memory);
    if (known !== undefined) return known === 'none' ? undefined : known;
    const read = await queue.add(() => readTime(key, version.versionId, destination));
    if (read !== undefined) memory?.versionTimes.put({ key, part: version.versionId }, read);
    return read === 'none' ? undefined : read;
  };
  return { ownTime };
}

function knownTime(
  key: string,
  versionId: string,
  state: Memory | undefined,
): number | 'none' | undefined {
  const known = state?.versionTimes.get({ key, part: versionId });
  if (known !== undefined) return known;
  const current = state?.baseline.get(key);
  return current?.versionId === versionId ? current.uploadedAt : undefined;
}

/**
 * Reads a version's upload time. Returns `none` if the job did not upload the version; undefined if the version cannot
 * be read or no longer exists.
 */
async function readTime(
  key: string,
  versionId: string,
  destination: Destination,
): Promise<number | 'none' | undefined> {
  try {
    const found = await readVersion(destination, { key, versionId }, NEVER);
    if (found === 'absent') return undefined;
    return found.isOwn === true ? (found.uploadedAt ?? 'none') : 'none';
  } catch (error) {
    if (isStorageError(error, ...OF_ONE_VERSION)) return undefined;
    throw error;
  }
}

const NEVER = new AbortController().signal;
