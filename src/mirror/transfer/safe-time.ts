/**
 * The time that decides whether something is old enough to be removed. One wrong clock, local or remote, cannot make it
 * so.
 */

import type { Clock } from '../../base/clock.ts';
import type { Place } from '../objects/destination.ts';

/**
 * The earlier of this machine's time and the service's, in milliseconds since 1970. Undefined if the service reports no
 * time; then nothing counts as old. Rejects as the store does.
 */
export async function safeNow(
  { place: { store, bucket }, clock }: { readonly place: Place; readonly clock: Clock },
  signal: AbortSignal,
): Promise<number | undefined> {
  const theirs = await store.serviceTime({ bucket }, { signal });
  return theirs && Math.min(clock.now(), theirs.now);
}
