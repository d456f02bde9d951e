/** Describes a version's lock and which actions the lock currently allows. The service makes the final decision. */

import { DAY_MS } from '../../src/base/durations.ts';
import { dayText, minuteText } from '../../src/text/time.ts';

export interface Retention {
  readonly mode: 'GOVERNANCE' | 'COMPLIANCE';
  readonly retainUntil: number;
}

export interface LockState {
  readonly retention?: Retention | undefined;
  readonly legalHold?: boolean | undefined;
}

/**
 * Compares the retention with the clock, because the service also returns expired retentions, which no longer protect
 * the version.
 */
export function isRetained({ retention }: LockState, now: number): boolean {
  return retention !== undefined && now < retention.retainUntil;
}

/**
 * Returns why no user can delete the version now. Returns undefined if deletion is possible, perhaps with a GOVERNANCE
 * bypass.
 */
export function whyNotDeleted(lock: LockState, now: number): string | undefined {
  const { retention, legalHold } = lock;
  // When the legal hold is lifted, the retention still applies, so the reason names both.
  if (retention?.mode === 'COMPLIANCE' && isRetained(lock, now)) {
    const hold = legalHold === true ? ', and a legal hold' : '';
    return `COMPLIANCE until ${dayText(retention.retainUntil)}${hold}`;
  }
  return legalHold === true ? 'it is on legal hold: press H to lift the hold first' : undefined;
}

/** Returns whether deleting the version needs the permission and the header to bypass GOVERNANCE retention. */
export function needsBypass(lock: LockState, now: number): boolean {
  return lock.retention?.mode === 'GOVERNANCE' && isRetained(lock, now);
}

/**
 * Returns the lock, the legal hold, and the actions that they allow and forbid, as names and values. Each value fits on
 * one line of a narrow terminal.
 */
export function lockFacts(lock: LockState, now: number): [name: string, value: string][] {
  const isHeld = lock.legalHold === true;
  const hold = isHeld ? 'lift hold' : 'put on hold';
  const mode = isRetained(lock, now) ? lock.retention?.mode : undefined;
  const kept = mode === undefined ? ['delete'] : ['shorten', 'delete'];
  const bypassed = mode === 'GOVERNANCE' ? kept : [];
  const free = mode === undefined ? kept : [];
  const canDo = (action: string) => !isHeld || action !== 'delete';
  const actions: [string, string[]][] = [
    [
      'allowed now',
      [mode === undefined ? 'lock' : 'extend retention', hold, ...free.filter(canDo)],
    ],
    ['with bypass', bypassed.filter(canDo)],
    ['not allowed', kept.filter((action) => mode === 'COMPLIANCE' || !canDo(action))],
  ];
  return [
    ['lock', lockText(lock, now)],
    ['legal hold', isHeld ? 'ON' : 'off'],
    ...actions
      .filter(([, names]) => names.length > 0)
      .map(([name, names]): [string, string] => [name, names.join(', ')]),
  ];
}

/**
 * Returns why the new retention cannot replace the current one, or undefined if it can. `bypass` requests a bypass of
 * GOVERNANCE retention.
 */
export function whyNotRetained(
  wanted: Retention,
  { lock, now, bypass }: { lock: LockState; now: number; bypass: boolean },
): string | undefined {
  if (wanted.retainUntil <= now) return 'the time must be in the future';
  if (wanted.retainUntil > now + MOST_RETAINED_MS) return 'that is more than 100 years';
  const { retention } = lock;
  if (!retention || !isRetained(lock, now)) return undefined;
  const until = `${retention.mode} until ${minuteText(retention.retainUntil)}`;
  const isShorter = wanted.retainUntil < retention.retainUntil;
  const isOther = wanted.mode !== retention.mode;
  if (!isShorter && !isOther) return undefined;
  if (retention.mode === 'COMPLIANCE') {
    return `it is ${until}: you cannot ${isOther ? 'change its mode' : 'shorten it'}, only extend it`;
  }
  if (bypass) return undefined;
  return `it is ${until}: to ${isShorter ? 'shorten' : 'change'} the lock, bypass GOVERNANCE`;
}

/**
 * The S3 limit for a bucket's default retention. The dashboard also applies this limit to individual versions, because
 * a typing error in a retention date could not be undone.
 */
const MOST_RETAINED_MS = 36_525 * DAY_MS;

/** Returns a retention in short form for the `L` column and for panes: `C 2027-07-12`. */
export function shortLock({ mode, retainUntil }: Retention): string {
  return `${mode[0]} ${dayText(retainUntil)}`;
}

/** Returns the lock as text: `COMPLIANCE until 2027-07-12 00:00 (233 d)`. */
export function lockText(lock: LockState, now: number): string {
  const { retention } = lock;
  if (!retention) return 'none';
  const { mode, retainUntil } = retention;
  const left = Math.round((retainUntil - now) / DAY_MS);
  const rest = isRetained(lock, now) ? `${left} d` : `over since ${dayText(retainUntil)}`;
  return `${mode} until ${minuteText(retainUntil)} (${rest})`;
}

interface Period {
  readonly days?: number | undefined;
  readonly years?: number | undefined;
}

/** Returns a retention period as text: `30d` or `7y`. */
export function periodText({ days, years }: Period): string {
  return years === undefined ? `${days ?? 0}d` : `${years}y`;
}
