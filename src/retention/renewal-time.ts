/**
 * Decides when a lock is renewed. A renewal is due when less than `days` are left. A hash of the key then spreads the
 * renewals over time, so files uploaded in one hour are not all renewed in one hour. After the first renewal, the
 * renewals of a key are `refreshDays` apart.
 */

import { hash } from 'node:crypto';

import { DAY_MS } from '../base/durations.ts';
import type { LockSettings } from '../mirror/objects/lock-rules.ts';

/** Share of `days` by which a renewal may be delayed. A machine can then be off for a while without losing locks. */
const LATEST_SHARE = 0.5;

/**
 * Returns when the lock is renewed, in milliseconds since 1970. `retainUntil` is the end of the version's current lock.
 */
export function renewalTime(
  key: string,
  retainUntil: number,
  { days, refreshDays }: LockSettings,
): number {
  const dueAt = retainUntil - days * DAY_MS;
  const intervalMs = refreshDays * DAY_MS;
  const spreadMs = Math.min(intervalMs, days * DAY_MS * LATEST_SHARE);
  const toSlotMs = positiveModulo(phaseOf(key) * intervalMs - dueAt, intervalMs);
  return dueAt + Math.floor((toSlotMs * spreadMs) / intervalMs);
}

/** Hashes a key to a number from 0 (inclusive) to 1 (exclusive), which is always the same for that key. */
function phaseOf(key: string): number {
  return hash('sha256', key, 'buffer').readUInt32BE(0) / 2 ** 32;
}

function positiveModulo(value: number, modulus: number): number {
  return ((value % modulus) + modulus) % modulus;
}
