/**
 * Decides when a lock is renewed: when about `days` remain. A hash gives each key its own time within the interval
 * (`refreshDays`), so that files uploaded within one hour are not all renewed within one hour. This time never changes,
 * so the renewals of a key are `refreshDays` apart, and a late renewal does not delay the next one.
 */

import { hash } from 'node:crypto';

import { DAY_MS } from '../base/durations.ts';
import type { LockSettings } from '../mirror/objects/lock-rules.ts';

/**
 * How early a renewal may be, as a fraction of `refreshDays`. A renewal that is late by at most the same fraction does
 * not delay the next one.
 */
const EARLIEST_SHARE = 0.25;
/**
 * The share of `days` by which a renewal may be delayed. A machine can therefore be off for a while without losing
 * locks.
 */
const LATEST_SHARE = 0.5;
/** Services store whole seconds, so a lock is due only if it ends at least one second too early. */
const SECOND_MS = 1_000;

/**
 * Returns when the lock is renewed, in milliseconds since 1970. `retainUntil` is the end of the version's current lock.
 */
export function renewalTime(key: string, retainUntil: number, settings: LockSettings): number {
  const intervalMs = settings.refreshDays * DAY_MS;
  const earlyMs = intervalMs * EARLIEST_SHARE;
  const dueAt = retainUntil - settings.days * DAY_MS;
  const moment = phaseOf(key) * intervalMs;
  const delayMs = positiveModulo(moment - dueAt + earlyMs, intervalMs) - earlyMs;
  const longestMs = Math.min(intervalMs - earlyMs, settings.days * DAY_MS * LATEST_SHARE);
  const spreadMs = delayMs > 0 ? (delayMs * longestMs) / (intervalMs - earlyMs) : delayMs;
  return dueAt + Math.floor(Math.max(spreadMs, SECOND_MS - earlyMs));
}

/** Returns the earliest end of a lock that needs no renewal at `now`, in milliseconds since 1970. */
export function neededUntil({ days, refreshDays }: LockSettings, now: number): number {
  return now + (days + refreshDays * EARLIEST_SHARE) * DAY_MS;
}

/** Hashes a key to a number from 0 (inclusive) to 1 (exclusive). The number is always the same for the same key. */
function phaseOf(key: string): number {
  return hash('sha256', key, 'buffer').readUInt32BE(0) / 2 ** 32;
}

function positiveModulo(value: number, modulus: number): number {
  return ((value % modulus) + modulus) % modulus;
}
