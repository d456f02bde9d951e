/**
 * Tests whether the job has permission to extend its locks before a renewal needs it. The test extends one lock by a
 * second.
 */

import { defined } from '../base/defined.ts';
import { SECOND_MS } from '../base/durations.ts';
import { withFound } from '../mirror/transfer/step-types.ts';
import { readVersion } from '../mirror/objects/destination.ts';
import { ensureLock, RETENTION_NOT_REPORTED } from '../mirror/objects/ensure-lock.ts';
import { lockUntil } from '../mirror/objects/lock-rules.ts';
import type { RenewalContext } from './renewal-context.ts';

export type RenewalPermission =
  /** `testableAt` is when a lock can be extended as a test, in milliseconds since 1970. Absent without a lock. */
  | { readonly is: 'unknown'; readonly testableAt?: number }
  | { readonly is: 'proven'; readonly at: number }
  | { readonly is: 'refused'; readonly at: number; readonly reason: string };

/**
 * Tests the permission. Returns `unknown` if no lock can be extended because each already lasts as long as a new
 * lock would.
 */
export async function checkPermission(
  { destination, state, clock, settingsOf }: RenewalContext,
  signal: AbortSignal,
): Promise<RenewalPermission> {
  const at = clock.now();
  const key = state.locks.endsFirst(at)?.key;
  const baseline = key === undefined ? undefined : state.baseline.get(key);
  const settings = key === undefined ? undefined : settingsOf(key);
  if (key === undefined || !baseline?.retainUntil || !settings) return { is: 'unknown' };
  const { etag, versionId, retainUntil: before } = baseline;
  const retainUntil = before + SECOND_MS;
  const testableAt = at + retainUntil - lockUntil(settings, at);
  if (testableAt > at) return { is: 'unknown', testableAt };
  const find = async () => {
    const found = await readVersion(destination, { key, ...defined({ versionId }) }, signal);
    return found === 'absent' || found.etag !== etag ? undefined : found;
  };
  const wanted = { mode: settings.mode, retainUntil };
  const outcome = await ensureLock({ destination, key, now: at, find }, wanted, signal);
  if (outcome.is === 'absent') return { is: 'unknown' };
  if (outcome.is === 'not locked') {
    const { refusal = RETENTION_NOT_REPORTED } = outcome;
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
