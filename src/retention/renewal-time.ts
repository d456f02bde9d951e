/**
 * When a lock is looked at again. A renewal is due when less than `days` are left; it is done within the time that
 * follows, at a place that the key's hash chooses: what was uploaded in one hour is not renewed in one. After the first
 * one the renewals of a key are `refreshDays` apart.
 */

import { hash } from 'node:crypto';

import { DAY_MS } from '../base/durations.ts';
import type { LockSettings } from '../mirror/objects/lock-rules.ts';

/** At the latest when half of `days` are left: who is away from his machine for a while loses no lock. */
const LATEST_SHARE = 0.5;

/** Milliseconds since 1970. `retainUntil`: of the version as it is. */
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

/** From 0 to below 1, the same for a key always. */
function phaseOf(key: string): number {
  return hash('sha256', key, 'buffer').readUInt32BE(0) / 2 ** 32;
}

function positiveModulo(value: number, modulus: number): number {
  return ((value % modulus) + modulus) % modulus;
}
