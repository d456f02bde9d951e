/** Which lock the version of a key gets: the job's, unless a pattern says otherwise; the last one that matches wins. */

import { DAY_MS } from '../../base/durations.ts';
import type { LockRequest } from '../../object-store/object-store.ts';
import { keyMatcher } from '../local/patterns/pattern-matcher.ts';
import type { LockPolicy } from '../model/types.ts';

/** Of one key: until = now + days + refreshDays; renewed when less than `days` are left. */
export type LockSettings = Pick<LockPolicy, 'mode' | 'days' | 'refreshDays'>;

/** Undefined for a key that is not locked. */
export type LockSettingsOf = (key: string) => LockSettings | undefined;

/** With the pattern that says so, where one does. */
export type LockRuleOf = (key: string) => {
  readonly terms?: LockSettings;
  readonly pattern?: string;
};

export function lockSettings(lock: LockPolicy | undefined): LockSettingsOf {
  const ruleOf = lockRules(lock);
  return (key) => ruleOf(key).terms;
}

export function lockRules(lock: LockPolicy | undefined): LockRuleOf {
  if (!lock) return () => ({});
  const { patterns = [], mode, days, refreshDays } = lock;
  const terms: LockSettings = { mode, days, refreshDays };
  const overrides = patterns
    .map(({ match, days: other }) => ({
      matches: keyMatcher([match]),
      rule: { pattern: match, ...(other > 0 && { terms: { ...terms, days: other } }) },
    }))
    .reverse();
  return (key) => {
    const override = overrides.find(({ matches }) => matches(key));
    return override ? override.rule : { terms };
  };
}

/** Until when a version that is locked or renewed now is retained. */
export function lockUntil({ days, refreshDays }: LockSettings, now: number): number {
  return now + (days + refreshDays) * DAY_MS;
}

/** What a version is given that is uploaded now. */
export interface NewVersions {
  /** Its retention; undefined where its key gets none. Rejects while the clock is not to be relied upon. */
  readonly lock: (key: string) => Promise<LockRequest | undefined>;
  /** The time that locks are counted from, milliseconds since 1970. Rejects as `lock` does. */
  readonly lockTime: () => Promise<number>;
  /** Its own time: milliseconds since 1970, the service's where it is known. Rejects as the store does. */
  readonly uploadTime: () => Promise<number>;
}
