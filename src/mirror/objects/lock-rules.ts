/** Determines a new version's retention, by the last pattern that matches its key, or else by the job's lock policy. */

import { DAY_MS } from '../../base/durations.ts';
import type { LockRequest, Retention } from '../../object-store/object-store.ts';
import { keyMatcher } from '../local/patterns/pattern-matcher.ts';
import type { LockPolicy } from '../model/types.ts';

/**
 * Settings of a lock. The retention ends `days + refreshDays` from now, and is renewed when only about `days` are left.
 */
export type LockSettings = Pick<LockPolicy, 'mode' | 'days' | 'refreshDays'>;

/** Returns the lock settings for a key; undefined if the key is not locked. */
export type LockSettingsOf = (key: string) => LockSettings | undefined;

/** Returns a key's lock settings, and the pattern that matches the key, if there is one. */
export type LockRuleOf = (key: string) => {
  readonly settings?: LockSettings;
  readonly pattern?: string;
};

export function lockSettings(lock: LockPolicy | undefined): LockSettingsOf {
  const ruleOf = lockRules(lock);
  return (key) => ruleOf(key).settings;
}

export function lockRules(lock: LockPolicy | undefined): LockRuleOf {
  if (!lock) return () => ({});
  const { patterns = [], mode, days, refreshDays } = lock;
  const settings: LockSettings = { mode, days, refreshDays };
  const overrides = patterns
    .map(({ match, days: other }) => ({
      matches: keyMatcher([match]),
      rule: { pattern: match, ...(other > 0 && { settings: { ...settings, days: other } }) },
    }))
    .reverse();
  return (key) => {
    const override = overrides.find(({ matches }) => matches(key));
    return override ? override.rule : { settings };
  };
}

/** Returns when the retention ends for a version that is locked or renewed at `now`, in milliseconds since 1970. */
export function lockUntil({ days, refreshDays }: LockSettings, now: number): number {
  return now + (days + refreshDays) * DAY_MS;
}

/** Combines two retentions. The result has the later end date, and compliance mode if either retention has it. */
export function stricter(a: Retention, b: Retention): Retention {
  const isCompliance = a.mode === 'COMPLIANCE' || b.mode === 'COMPLIANCE';
  return {
    mode: isCompliance ? 'COMPLIANCE' : 'GOVERNANCE',
    retainUntil: Math.max(a.retainUntil, b.retainUntil),
  };
}

/** Provides the lock and the upload time for new versions. */
export interface NewVersions {
  /** Returns the lock for a new version; undefined if its key is not locked. Rejects while the clock is unreliable. */
  readonly lock: (key: string) => Promise<LockRequest | undefined>;
  /** Returns the time at which new locks begin, in milliseconds since 1970. Rejects while the clock is unreliable. */
  readonly lockTime: () => Promise<number>;
  /**
   * Returns the upload time in milliseconds since 1970, by the service's clock if it is known. Rejects with the store's
   * errors.
   */
  readonly uploadTime: () => Promise<number>;
}
