/**
 * The minimum age of a version before the next one: the job's interval, or that of the last pattern that
 * matches the key.
 */

import { keyMatcher } from '../local/patterns/pattern-matcher.ts';
import type { VersionInterval } from '../model/types.ts';

export interface VersionIntervals {
  /** In milliseconds; 0 for no limit. */
  readonly of: (key: string) => number;
  readonly longestMs: number;
}

export function versionIntervals(asked: number | VersionInterval = 0): VersionIntervals {
  if (typeof asked === 'number') return { of: () => asked, longestMs: asked };
  const { interval, patterns } = asked;
  const overrides = patterns
    .map((each) => ({ matches: keyMatcher([each.match]), interval: each.interval }))
    .reverse();
  return {
    of: (key) => overrides.find(({ matches }) => matches(key))?.interval ?? interval,
    longestMs: Math.max(interval, ...patterns.map((each) => each.interval)),
  };
}
