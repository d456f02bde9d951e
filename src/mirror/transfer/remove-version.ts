/** A version that is to go for good: at once, or when its lock has ended, and never tried before (`retained until`). */

import { defined } from '../../base/defined.ts';
import { DAY_MS } from '../../base/durations.ts';
import { isStorageError } from '../../object-store/storage-error.ts';
import { failureKind } from '../model/failure-kind.ts';
import type { PerformContext } from './step.ts';
import type { Place } from '../objects/destination.ts';
import type { RetainedVersion } from '../state/retained-table.ts';

export interface RemovalContext extends Pick<PerformContext, 'state' | 'clock'> {
  readonly place: Place;
}

export type RemovableVersion = Omit<RetainedVersion, 'until'>;

/** Of a legal hold, and of what is refused for another reason, nobody says when it ends. */
const ASK_AGAIN_MS = DAY_MS;
const RETRY_MS = 3_600_000;
/** Removed one after the other, beside everything else. */
const AT_A_TIME = 100;

/** Rejects as the store does, but for a refusal. */
export async function removeVersion(
  version: RemovableVersion,
  { place, state, clock }: RemovalContext,
  signal: AbortSignal,
): Promise<'removed' | 'retained'> {
  const { store, bucket, prefix } = place;
  const { key, versionId } = version;
  if (state.retained.waits(version, clock.now())) return 'retained';
  const object = { bucket, key: prefix + key, ...defined({ versionId }) };
  try {
    await store.deleteObject(object, { signal });
  } catch (error) {
    if (failureKind(error) !== 'refused') throw error;
    const end = await lockEnd(object, place, signal);
    if (end !== 'gone') {
      const again = clock.now() + ASK_AGAIN_MS;
      state.retained.hold({ ...version, until: end > clock.now() ? end : again });
      return 'retained';
    }
  }
  state.retained.release(version);
  return 'removed';
}

/** Those whose lock has ended. */
export async function removeRetained(context: RemovalContext, signal: AbortSignal): Promise<void> {
  const { state, clock } = context;
  for (const { until, ...version } of state.retained.due(clock.now(), AT_A_TIME)) {
    try {
      await removeVersion(version, context, signal);
    } catch {
      // Whatever it was, it is asked again later, and holds up no renewal.
      signal.throwIfAborted();
      state.retained.hold({ ...version, until: Math.max(until, clock.now()) + RETRY_MS });
    }
  }
}

/** 0 where no retention is the reason. */
async function lockEnd(
  object: { readonly bucket: string; readonly key: string; readonly versionId?: string },
  { store }: RemovalContext['place'],
  signal: AbortSignal,
): Promise<number | 'gone'> {
  try {
    return (await store.headObject(object, { signal })).info.retention?.retainUntil ?? 0;
  } catch (error) {
    if (isStorageError(error, 'NoSuchKey', 'NoSuchVersion')) return 'gone';
    throw error;
  }
}
