/**
 * Decides when a lock is renewed. A renewal is due when less than `days` are left. A hash of the key spreads renewals
 * over the time that follows, so files uploaded in one hour are not all renewed in one hour. After the first renewal,
 * the renewals of a key are `refreshDays` apart.
 */

import { hash } from 'node:crypto';

import { DAY_MS } from '../base/durations.ts';
import type { LockSettings } from '../mirror/objects/lock-rules.ts';

/**
 * Renewals run at the latest when half of `days` are left, so a machine can be off for a while without losing locks.
 */
const LATEST_SHARE = 0.5;

/** Returns milliseconds since 1970. `retainUntil` is the end of the version's current lock. */
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

/** Returns a number from 0 to below 1, always the same for a key. */
function phaseOf(key: string): number {
  return hash('sha256', key, 'buffer').readUInt32BE(0) / 2 ** 32;
}

function positiveModulo(value: number, modulus: number): number {
  return ((value % modulus) + modulus) % modulus;
}
