/** The own times of the versions of one job: from its state where that knows them, else from their metadata, by a HEAD each. */

import PQueue from 'p-queue';

import type { ListedVersion } from '../../object-store/listing.ts';
import type { ObjectReader } from '../../object-store/object-store.ts';
import { isStorageError } from '../../object-store/storage-error.ts';
import { decodeAttributes } from '../local/attributes.ts';
import type { Guards } from '../guard/guards.ts';
import { isReserved } from '../restore/restore-targets.ts';
import type { StateFile } from '../state/state.ts';
import type { VersionTimes } from './version-times.ts';

export interface OwnTimesOptions {
  readonly store: Pick<ObjectReader, 'headObject'>;
  readonly bucket: string;
  /** Empty, or ends in `/`. */
  readonly prefix: string;
  /** Absent where nothing but the bucket is left. */
  readonly state?: Pick<StateFile, 'baseline' | 'versionTimes'>;
}

/** Enough to hide the latency of a remote service. */
const HEADS_AT_ONCE = 16;

/** Undefined while it is known that the service keeps the dates of versions. */
export function timesOfJob(
  { store, job: { bucket, prefix } }: TimedJob,
  state: StateFile,
  guards: Pick<Guards, 'keepsVersionDates'>,
): () => VersionTimes | undefined {
  const times = ownTimes({ store, bucket, prefix, state });
  return () => (guards.keepsVersionDates() ? undefined : times);
}

interface TimedJob {
  readonly store: OwnTimesOptions['store'];
  readonly job: Pick<OwnTimesOptions, 'bucket' | 'prefix'>;
}

export function ownTimes(options: OwnTimesOptions): VersionTimes {
  const { prefix, state } = options;
  const queue = new PQueue({ concurrency: HEADS_AT_ONCE });
  const ownTime = async (version: ListedVersion) => {
    const key = version.key.slice(prefix.length);
    // No tree has what Holdfast keeps for itself, and only Holdfast dates it: what its date is does not matter.
    if (isReserved(key)) return version.lastModifiedAt;
    const known = knownTime(key, version.versionId, state);
    if (known !== undefined) return known === 'none' ? undefined : known;
    const read = await queue.add(() => readTime(version, options));
    if (read !== undefined) state?.versionTimes.note(key, version.versionId, read);
    return read === 'none' ? undefined : read;
  };
  return { ownTime };
}

function knownTime(
  key: string,
  versionId: string,
  state: OwnTimesOptions['state'],
): number | 'none' | undefined {
  const current = state?.baseline.get(key);
  if (current?.versionId === versionId && current.uploadedAt !== undefined)
    return current.uploadedAt;
  return state?.versionTimes.get(key, versionId);
}

/** `none` for a version that no upload of a job wrote. Undefined where it cannot be read, or was removed meanwhile. */
async function readTime(
  { key, versionId }: ListedVersion,
  { store, bucket }: OwnTimesOptions,
): Promise<number | 'none' | undefined> {
  try {
    const { info } = await store.headObject({ bucket, key, versionId });
    const { journalId, uploadedAt } = decodeAttributes(info.metadata);
    return journalId === undefined ? 'none' : (uploadedAt ?? 'none');
  } catch (error) {
    if (isStorageError(error, ...OF_ONE_VERSION)) return undefined;
    throw error;
  }
}

/** `InvalidRequest`: it is encrypted under a key that was not given. */
const OF_ONE_VERSION = ['NoSuchKey', 'NoSuchVersion', 'AccessDenied', 'InvalidRequest'] as const;
