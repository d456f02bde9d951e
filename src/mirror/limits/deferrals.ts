/**
 * Limits how often a key gets a new version. A change is deferred until the current version is
 * `minVersionInterval` old, unless the change is urgent. The state file records when versions
 * were created, so a restart creates no extra versions.
 */

import type { Clock } from '../../base/clock.ts';
import { least } from '../../base/least.ts';
import { keyMatcher } from '../local/patterns/pattern-matcher.ts';
import type { MirrorJob, VersionInterval } from '../model/types.ts';
import { NO_SHA256 } from '../state/baseline-table.ts';
import type { StateFile } from '../state/state-file.ts';

interface Deferred {
  /** When the change was first deferred, in milliseconds since 1970. */
  readonly since: number;
  readonly until: number;
  readonly cancel: () => void;
}

export interface DeferralsOptions {
  readonly clock: Clock;
  readonly state: StateFile;
  readonly job: Pick<MirrorJob, 'minVersionInterval'>;
  /** Schedules a scan of the path. */
  readonly due: (path: string) => void;
}

export class Deferrals {
  readonly #options: DeferralsOptions;
  readonly #intervals: VersionIntervals;
  readonly #waiting = new Map<string, Deferred>();

  constructor(options: DeferralsOptions) {
    this.#options = options;
    const { clock, state, job } = options;
    this.#intervals = versionIntervals(job.minVersionInterval);
    state.recent.dropBefore(clock.now() - this.#intervals.longestMs);
  }

  /**
   * Returns whether a change of this key is deferred. If so, its path is scanned again when the interval is
   * over.
   */
  defers(key: string, path: string): boolean {
    const { clock, state, due } = this.#options;
    const intervalMs = this.#intervals.of(key);
    const sha256 = intervalMs === 0 ? undefined : state.baseline.get(key)?.sha256;
    // An object that is damaged in the bucket is uploaded again at once.
    if (sha256 === undefined || sha256 === NO_SHA256) return false;
    const now = clock.now();
    const madeAt = state.recent.get({ key });
    // If the clock was set back, the recorded time may be in the future; then it is ignored.
    if (madeAt === undefined || madeAt > now || madeAt + intervalMs <= now) return false;
    if (this.#waiting.has(key)) return true;
    const until = madeAt + intervalMs;
    this.#waiting.set(key, {
      since: now,
      until,
      cancel: clock.after(until - now, () => due(path)),
    });
    return true;
  }

  /** Records that the key got a new version. */
  made(key: string): void {
    const { clock, state } = this.#options;
    if (this.#intervals.of(key) === 0) return;
    const now = clock.now();
    state.recent.put({ key }, now, now);
    state.recent.dropBefore(now - this.#intervals.longestMs);
    this.forget(key);
  }

  /** Cancels the deferred change of the key, if any. */
  forget(key: string): void {
    this.#waiting.get(key)?.cancel();
    this.#waiting.delete(key);
  }

  isWaiting(key: string): boolean {
    return this.#waiting.has(key);
  }

  *waiting(): Generator<{ readonly key: string; readonly until: number }> {
    for (const [key, { until }] of this.#waiting) yield { key, until };
  }

  /**
   * Returns the number of deferred changes, and the earliest end (`until`) and the earliest beginning (`since`)
   * of a deferral, in milliseconds since 1970.
   */
  status(): { readonly count: number; readonly until?: number; readonly since?: number } {
    const all = [...this.#waiting.values()];
    if (all.length === 0) return { count: 0 };
    const until = least(all.map((each) => each.until));
    return { count: all.length, until, since: least(all.map((each) => each.since)) };
  }

  close(): void {
    for (const { cancel } of this.#waiting.values()) cancel();
    this.#waiting.clear();
  }
}

/**
 * Minimum age of a version before the key gets the next one: the interval of the last pattern that matches the
 * key, otherwise that of the job.
 */
interface VersionIntervals {
  /** Returns the interval for a key in milliseconds; 0 for no limit. */
  readonly of: (key: string) => number;
  readonly longestMs: number;
}

function versionIntervals(asked: number | VersionInterval = 0): VersionIntervals {
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
