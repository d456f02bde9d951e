/** Which retention a new version gets: the job's, or that of the last pattern that matches its key. */

import { DAY_MS } from '../../base/durations.ts';
import type { LockRequest } from '../../object-store/object-store.ts';
import { keyMatcher } from '../local/patterns/pattern-matcher.ts';
import type { LockPolicy } from '../model/types.ts';

/** A retention ends `days + refreshDays` from now, and is renewed when less than `days` are left. */
export type LockSettings = Pick<LockPolicy, 'mode' | 'days' | 'refreshDays'>;

/** Undefined for a key that is not locked. */
export type LockSettingsOf = (key: string) => LockSettings | undefined;

/** With the pattern that applies, if any. */
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

/** When the retention of a version that is locked or renewed now ends. */
export function lockUntil({ days, refreshDays }: LockSettings, now: number): number {
  return now + (days + refreshDays) * DAY_MS;
}

/** Times and locks for new versions. */
export interface NewVersions {
  /** The lock of a new version; undefined if its key gets none. Rejects while the clock is unreliable. */
  readonly lock: (key: string) => Promise<LockRequest | undefined>;
  /** The time from which locks are counted, milliseconds since 1970. Rejects as `lock` does. */
  readonly lockTime: () => Promise<number>;
  /** The upload time: milliseconds since 1970, by the service's clock if known. Rejects as the store does. */
  readonly uploadTime: () => Promise<number>;
}
