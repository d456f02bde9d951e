/** How old the version of a key must be before the next: the job's interval, unless a pattern says otherwise; the last one wins. */

import { keyMatcher } from '../local/patterns/pattern-matcher.ts';
import type { VersionInterval } from '../model/types.ts';

export interface VersionIntervals {
  /** In milliseconds; 0 for no such limit. */
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
