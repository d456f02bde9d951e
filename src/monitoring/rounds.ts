/**
 * Samples the monitored buckets at fixed intervals, and then evaluates the alarms whose period has ended. If the
 * process is not running when a sample is due, the series has a gap.
 */

import type { Clock } from '../base/clock.ts';
import { SECOND_MS } from '../base/durations.ts';
import { errorMessage } from '../base/errors.ts';
import type { Logger } from '../base/logger.ts';
import type { StoredAlarm } from './alarm-table.ts';
import type { KnownBucket } from './bucket-table.ts';
import { evaluate, type Datapoints, type Verdict } from './evaluate.ts';
import { gridFor, lastBoundary, USUAL_GRID_MS } from './grid.ts';
import { type Sample, valueOf } from './metric.ts';
import type { Tables } from './tables.ts';

export interface RoundsOptions {
  readonly tables: Tables;
  /** Returns the current values of the bucket, or undefined if the bucket was just deleted. */
  readonly sample: (bucket: KnownBucket) => Sample | undefined;
  /** Returns the monitored buckets that exist. */
  readonly monitored: () => readonly KnownBucket[];
  readonly change: (alarm: StoredAlarm, verdict: Verdict) => void;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** How often old points are deleted, so that each resolution keeps its maximum number of points. */
const PRUNE_EVERY_MS = 3600 * SECOND_MS;

interface Watched extends KnownBucket {
  readonly alarms: readonly StoredAlarm[];
  readonly gridMs: number;
}

export class Rounds {
  readonly #options: RoundsOptions;
  /**
   * The boundary of the last sample, by series ID. For a newly monitored bucket, the boundary before its first sample.
   */
  readonly #sampledAt = new Map<number, number>();
  /** The end of the last evaluated period, by alarm ID. */
  readonly #evaluatedUntil = new Map<number, number>();
  #prunedAt: number | undefined;
  #cancelTimer: (() => void) | undefined;
  #isOver = false;
  /** For each step that failed last time, the reason. The same failure is not logged a second time. */
  readonly #failures = new Map<'plan' | 'round', string>();

  constructor(options: RoundsOptions) {
    this.#options = options;
  }

  /**
   * Sets the timer for the next boundary. It must be called at the start and after each change of
   * buckets or alarms.
   */
  plan(): void {
    if (this.#isOver) return;
    this.#cancelTimer?.();
    const now = this.#options.clock.now();
    const gridMs = this.#guarded('plan', () => this.#gridFrom(now)) ?? USUAL_GRID_MS;
    const waitMs = lastBoundary(now, gridMs) + gridMs - now;
    this.#cancelTimer = this.#options.clock.after(waitMs, () => this.#round());
  }

  /**
   * Evaluates a replaced alarm at the next boundary, even if its period has not ended. Must be called after each
   * replacement.
   */
  forget(alarmId: number): void {
    this.#evaluatedUntil.delete(alarmId);
  }

  stop(): void {
    this.#isOver = true;
    this.#cancelTimer?.();
  }

  #round(): void {
    this.#guarded('round', () => this.#sampleAndEvaluate());
    this.plan();
  }

  /**
   * Returns the result of `work`, or undefined if `work` throws. So an error, for example of the disk, does not stop
   * the sampling. Logs the error unless the same step failed for the same reason last time.
   */
  #guarded<T>(step: 'plan' | 'round', work: () => T): T | undefined {
    const { logger } = this.#options;
    try {
      const result = work();
      this.#failures.delete(step);
      return result;
    } catch (error) {
      const reason = errorMessage(error);
      if (this.#failures.get(step) !== reason)
        logger.error({ reason }, 'cannot record the metrics of the buckets; Holdfast tries again');
      this.#failures.set(step, reason);
      return undefined;
    }
  }

  /**
   * Returns the shortest sampling interval of all monitored buckets. A newly monitored bucket gets its first sample at
   * its next boundary.
   */
  #gridFrom(now: number): number {
    const watched = this.#watched();
    for (const { seriesId, gridMs } of watched) {
      if (!this.#sampledAt.has(seriesId)) this.#sampledAt.set(seriesId, lastBoundary(now, gridMs));
    }
    return Math.min(USUAL_GRID_MS, ...watched.map((each) => each.gridMs));
  }

  #sampleAndEvaluate(): void {
    const { tables, clock } = this.#options;
    const now = clock.now();
    const watched = this.#watched();
    tables.loosely(() => {
      for (const bucket of watched) this.#sample(bucket, now);
      this.#prune(watched, now);
    });
    for (const { alarms } of watched) for (const alarm of alarms) this.#evaluate(alarm, now);
  }

  #sample(bucket: Watched, now: number): void {
    const { seriesId, gridMs } = bucket;
    const at = lastBoundary(now, gridMs);
    if (this.#sampledAt.get(seriesId) === at) return;
    this.#sampledAt.set(seriesId, at);
    const { tables, sample } = this.#options;
    const taken = sample(bucket);
    if (taken) tables.series.add(seriesId, taken, { at, withSeconds: gridMs < USUAL_GRID_MS });
  }

  #prune(watched: readonly Watched[], now: number): void {
    const hour = lastBoundary(now, PRUNE_EVERY_MS);
    if (this.#prunedAt === hour) return;
    this.#prunedAt = hour;
    for (const { seriesId } of watched) this.#options.tables.series.prune(seriesId);
  }

  #evaluate(alarm: StoredAlarm, now: number): void {
    const endAt = lastBoundary(now, alarm.periodMs);
    if (this.#evaluatedUntil.get(alarm.alarmId) === endAt) return;
    const verdict = evaluate(alarm, this.#datapoints(alarm, endAt));
    if (verdict && verdict.state !== alarm.state) this.#options.change(alarm, verdict);
    this.#evaluatedUntil.set(alarm.alarmId, endAt);
  }

  #datapoints(alarm: StoredAlarm, endAt: number): Datapoints {
    const { seriesId, metric, statistic, periodMs, evaluationPeriods } = alarm;
    const at = endAt - evaluationPeriods * periodMs;
    const { series } = this.#options.tables;
    const known = series.read(seriesId, metric, { at, endAt, periodMs });
    const values = new Map(known.map((period) => [period.at, valueOf(period, statistic)]));
    return Array.from({ length: evaluationPeriods }, (_, index) =>
      values.get(at + index * periodMs),
    );
  }

  #watched(): readonly Watched[] {
    const { tables, monitored } = this.#options;
    const all = tables.alarms.all();
    return monitored().map((bucket) => watchedOf(bucket, all));
  }
}

function watchedOf(bucket: KnownBucket, all: readonly StoredAlarm[]): Watched {
  const alarms = all.filter(({ seriesId }) => seriesId === bucket.seriesId);
  return { ...bucket, alarms, gridMs: gridFor(alarms.map(({ periodMs }) => periodMs)) };
}
