/** Whether the job may extend its locks: asked by extending one of its own by a second, before a renewal needs it. */

import { defined } from '../base/defined.ts';
import { SECOND_MS } from '../base/durations.ts';
import { withFound } from '../mirror/transfer/step.ts';
import { readVersion } from '../mirror/objects/destination.ts';
import { ensureLock } from '../mirror/objects/ensure-lock.ts';
import { lockUntil } from '../mirror/objects/lock-rules.ts';
import type { RenewalContext } from './renewal-context.ts';

export type RenewalPermission =
  | { readonly is: 'unknown' }
  | { readonly is: 'proven'; readonly at: number }
  | { readonly is: 'refused'; readonly at: number; readonly reason: string };

/** `unknown` where no lock is there that may be extended: it holds as long as a new one would already. */
export async function checkPermission(
  { place, state, clock, termsOf }: RenewalContext,
  signal: AbortSignal,
): Promise<RenewalPermission> {
  const at = clock.now();
  const key = state.locks.endsFirst(at)?.key;
  const baseline = key === undefined ? undefined : state.baseline.get(key);
  const terms = key === undefined ? undefined : termsOf(key);
  if (key === undefined || !baseline?.retainUntil || !terms) return { is: 'unknown' };
  const { etag, versionId, retainUntil: before } = baseline;
  const retainUntil = before + SECOND_MS;
  if (retainUntil > lockUntil(terms, at)) return { is: 'unknown' };
  const find = async () => {
    const found = await readVersion(place, { key, ...defined({ versionId }) }, signal);
    return found === 'absent' || found.etag !== etag ? undefined : found;
  };
  const wish = { mode: terms.mode, retainUntil };
  const outcome = await ensureLock({ place, key, now: at, find }, wish, signal);
  if (outcome.is === 'absent') return { is: 'unknown' };
  if (outcome.is === 'not locked') {
    const { refusal = 'the service does not show the retention that it was given' } = outcome;
    return { is: 'refused', at, reason: refusal };
  }
  const current = state.baseline.get(key);
  if (current?.etag === etag && current.versionId === versionId) {
    const { found, retention } = outcome;
    const { retainUntil: end } = retention;
    state.settle([{ key, baseline: { ...withFound(current, found), retainUntil: end } }]);
  }
  return { is: 'proven', at };
}
