/** Writes that the user asks for in a job's place, beside its rounds: guarded and locked as those of the rounds are. */

import type { LockRequest } from '../../object-store/object-store.ts';
import type { Place } from '../target.ts';
import type { Guards } from './guards.ts';

export interface WriteControl {
  /**
   * With the store that guards writes as well as the service allows. Rejects with MirrorError `Unguarded` where the job
   * may not write, or as the store does.
   */
  place(signal: AbortSignal): Promise<Place>;
  /** What a version of this key (below the prefix) is locked with now. Rejects with MirrorError `ClockDiffers`. */
  lockFor(key: string): Promise<LockRequest | undefined>;
}

export function controlWrites(
  guards: Guards,
  place: Place,
  lockFor: WriteControl['lockFor'],
): WriteControl {
  const look = async (signal: AbortSignal) => {
    await guards.lookAtBucket(signal);
    return place;
  };
  return { place: look, lockFor };
}
