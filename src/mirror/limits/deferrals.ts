/**
 * Limits how often a key gets a new version. A change that is not urgent is deferred until the current version is
 * `minVersionInterval` old. The state file records when versions were created, so a restart does not create extra
 * versions.
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
  /** Schedules a scan of the path whose deferral has ended. */
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

  /** Returns whether a change to this key is deferred. If so, its path is scanned again at the end of the interval. */
  defers(key: string, path: string): boolean {
    const { clock, state, due } = this.#options;
    const intervalMs = this.#intervals.of(key);
    const sha256 = intervalMs === 0 ? undefined : state.baseline.get(key)?.sha256;
    // If an object is damaged in the bucket, its content is uploaded again without delay.
    if (sha256 === undefined || sha256 === NO_SHA256) return false;
    const now = clock.now();
    const madeAt = state.recent.get({ key });
    // If the clock was set back, the recorded time may be in the future. It is then ignored.
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

  /** Records that a new version of the key was created. */
  made(key: string): void {
    const { clock, state } = this.#options;
    if (this.#intervals.of(key) === 0) return;
    const now = clock.now();
    state.recent.put({ key }, now, now);
    state.recent.dropBefore(now - this.#intervals.longestMs);
    this.forget(key);
  }

  /** Cancels the key's deferred change, if there is one. */
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
   * Returns the number of deferred changes. `until` is the earliest end and `since` the earliest start of a deferral,
   * in milliseconds since 1970.
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
 * Minimum time between two versions of a key. The last pattern that matches the key decides, otherwise the job's
 * interval applies.
 */
interface VersionIntervals {
  /** Returns the key's interval in milliseconds; 0 if its versions are not limited. */
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
