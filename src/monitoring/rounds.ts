/**
 * What happens by itself: at the boundaries of the grid each monitored bucket is looked at, then the alarms whose
 * period has ended are judged. A boundary that passed while nobody looked is a gap.
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
  /** What the bucket holds now; undefined when it has gone this moment. */
  readonly sample: (bucket: KnownBucket) => Sample | undefined;
  /** Those that are monitored and still there. */
  readonly monitored: () => readonly KnownBucket[];
  readonly change: (alarm: StoredAlarm, verdict: Verdict) => void;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Each has its bucket's points beyond those that are kept removed once in so many rounds. */
const PRUNE_EVERY_MS = 3600 * SECOND_MS;

interface Watched extends KnownBucket {
  readonly alarms: readonly StoredAlarm[];
  readonly gridMs: number;
}

export class Rounds {
  readonly #options: RoundsOptions;
  /** Boundary that each series has its last sample of. */
  readonly #sampledAt = new Map<number, number>();
  /** End of the last period that each alarm was judged for. */
  readonly #judgedUntil = new Map<number, number>();
  #prunedAt: number | undefined;
  #cancelTimer: (() => void) | undefined;
  #isOver = false;
  /** It failed, and that was said. */
  #isFailing = false;

  constructor(options: RoundsOptions) {
    this.#options = options;
  }

  /** To be called at the start, and whenever buckets or alarms were changed. */
  plan(): void {
    if (this.#isOver) return;
    this.#cancelTimer?.();
    const now = this.#options.clock.now();
    const gridMs = this.#guarded(() => this.#gridFrom(now)) ?? USUAL_GRID_MS;
    const waitMs = lastBoundary(now, gridMs) + gridMs - now;
    this.#cancelTimer = this.#options.clock.after(waitMs, () => this.#round());
  }

  /** The alarm is another one now: it is judged at the next boundary, whatever its period. */
  forget(alarmId: number): void {
    this.#judgedUntil.delete(alarmId);
  }

  stop(): void {
    this.#isOver = true;
    this.#cancelTimer?.();
  }

  #round(): void {
    this.#guarded(() => this.#sampleAndJudge());
    this.plan();
  }

  /** No failure of a disk ends the rounds. It is said once, until one succeeds. */
  #guarded<T>(work: () => T): T | undefined {
    const { logger } = this.#options;
    try {
      const result = work();
      this.#isFailing = false;
      return result;
    } catch (error) {
      const reason = errorMessage(error);
      if (!this.#isFailing) logger.error({ reason }, 'monitor buckets: failed, tried again');
      this.#isFailing = true;
      return undefined;
    }
  }

  /** What begins to be watched has its first sample at the next boundary. */
  #gridFrom(now: number): number {
    const watched = this.#watched();
    for (const { seriesId, gridMs } of watched) {
      if (!this.#sampledAt.has(seriesId)) this.#sampledAt.set(seriesId, lastBoundary(now, gridMs));
    }
    return Math.min(USUAL_GRID_MS, ...watched.map((each) => each.gridMs));
  }

  #sampleAndJudge(): void {
    const { tables, clock } = this.#options;
    const now = clock.now();
    const watched = this.#watched();
    tables.loosely(() => {
      for (const bucket of watched) this.#sample(bucket, now);
      this.#prune(watched, now);
    });
    for (const { alarms } of watched) for (const alarm of alarms) this.#judge(alarm, now);
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

  #judge(alarm: StoredAlarm, now: number): void {
    const endAt = lastBoundary(now, alarm.periodMs);
    if (this.#judgedUntil.get(alarm.alarmId) === endAt) return;
    const verdict = evaluate(alarm, this.#datapoints(alarm, endAt));
    if (verdict && verdict.state !== alarm.state) this.#options.change(alarm, verdict);
    this.#judgedUntil.set(alarm.alarmId, endAt);
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
