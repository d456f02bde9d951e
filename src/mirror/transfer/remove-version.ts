/**
 * Deletes a version permanently, either now or after its lock has ended. A locked version is recorded with the end of
 * its lock, and is not tried before that.
 */

import { defined } from '../../base/defined.ts';
import { isStorageError } from '../../object-store/storage-error.ts';
import { failureKind } from '../model/failure-kind.ts';
import { RETRY } from '../model/retry-policy.ts';
import type { PerformContext } from './step-types.ts';
import type { Destination } from '../objects/destination.ts';
import type { RetainedVersion } from '../state/retained-versions.ts';

export interface RemovalContext extends Pick<PerformContext, 'state' | 'clock'> {
  readonly destination: Destination;
}

export type RemovableVersion = Omit<RetainedVersion, 'until'>;

/** Maximum number of recorded versions that are removed in one run, one after the other. */
const AT_A_TIME = 100;

/** Deletes a version, and returns `retained` if the service refuses. Rejects with all other errors of the store. */
export async function removeVersion(
  version: RemovableVersion,
  { destination, state, clock }: RemovalContext,
  signal: AbortSignal,
): Promise<'removed' | 'retained'> {
  const { store, bucket, prefix } = destination;
  const { key, versionId } = version;
  if (state.retained.waits(version, clock.now())) return 'retained';
  const object = { bucket, key: prefix + key, ...defined({ versionId }) };
  try {
    await store.deleteObject(object, { signal });
  } catch (error) {
    if (failureKind(error) !== 'refused') throw error;
    const end = await lockEnd(object, destination, signal);
    if (end !== 'gone') {
      const again = clock.now() + RETRY.refusedRemoval.firstMs;
      state.retained.hold({ ...version, until: end > clock.now() ? end : again });
      return 'retained';
    }
  }
  state.retained.release(version);
  return 'removed';
}

/** Deletes the recorded versions whose locks have ended. */
export async function removeRetained(context: RemovalContext, signal: AbortSignal): Promise<void> {
  const { state, clock } = context;
  for (const { until, ...version } of state.retained.due(clock.now(), AT_A_TIME)) {
    try {
      await removeVersion(version, context, signal);
    } catch {
      // A failed removal is retried later, so that it does not delay lock renewal.
      signal.throwIfAborted();
      state.retained.hold({
        ...version,
        until: Math.max(until, clock.now()) + RETRY.removal.firstMs,
      });
    }
  }
}

/** Returns the end of a version's retention in milliseconds since 1970; 0 if the version has none. */
async function lockEnd(
  object: { readonly bucket: string; readonly key: string; readonly versionId?: string },
  { store }: RemovalContext['destination'],
  signal: AbortSignal,
): Promise<number | 'gone'> {
  try {
    return (await store.headObject(object, { signal })).info.retention?.retainUntil ?? 0;
  } catch (error) {
    if (isStorageError(error, 'NoSuchKey', 'NoSuchVersion')) return 'gone';
    throw error;
  }
}
