/** The time by which things become old enough to be removed: no wrong clock, here or there, may make them so. */

import type { Clock } from '../../base/clock.ts';
import type { Place } from '../objects/destination.ts';

/**
 * The earlier of this machine's time and the service's, milliseconds since 1970; undefined where the service tells
 * none, and nothing is known to be old. Rejects as the store does.
 */
export async function safeNow(
  { place: { store, bucket }, clock }: { readonly place: Place; readonly clock: Clock },
  signal: AbortSignal,
): Promise<number | undefined> {
  const theirs = await store.serviceTime({ bucket }, { signal });
  return theirs && Math.min(clock.now(), theirs.now);
}
