/**
 * Tests of metric time series: when samples are taken, how long they are kept, and the results of
 * queries.
 */

import { join } from 'node:path';

import * as fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';

import {
  gridFor,
  isPeriod,
  lastBoundary,
  RESOLUTIONS,
  windowStart,
} from '../../../src/monitoring/grid.ts';
import { STATISTICS, valueOf } from '../../../src/monitoring/metric.ts';
import { Tables } from '../../../src/monitoring/tables.ts';
import { alarmDefinition, monitoringBench } from '../../helpers/alarms.ts';
import { FakeClock } from '../../helpers/fake-clock.ts';
import { temporaryFolder } from '../../helpers/temporary-folder.ts';

const NOON = Date.UTC(2026, 10, 21, 12);
const MINUTE = 60_000;

/** A clock whose wall time can be set ahead or back. */
class TurnedClock extends FakeClock {
  aheadMs = 0;

  override now(): number {
    return super.now() + this.aheadMs;
  }
}

const question = (members: object = {}) => ({
  bucket: 'box',
  metric: 'BucketSizeBytes' as const,
  statistic: 'Average' as const,
  periodMs: MINUTE,
  from: NOON - 2 * 3_600_000,
  to: NOON + 2 * 3_600_000,
  ...members,
});

describe('sampling times of metrics', () => {
  it.each([
    [1000, true],
    [7000, false],
    [20_000, true],
    [60_000, true],
    [90_000, false],
    [300_000, true],
    [86_400_000, true],
    [999, false],
    [0, false],
    [-60_000, false],
    [Number.NaN, false],
  ])('the daemon decides whether a period of %d ms is valid: %s', (periodMs, expected) => {
    expect(isPeriod(periodMs)).toBe(expected);
  });

  it.each([
    [[], 60_000],
    [[300_000], 60_000],
    [[10_000], 10_000],
    [[20_000, 15_000, 60_000], 5_000],
  ])(
    'the daemon chooses for alarm periods of %j ms the sampling interval of %d ms',
    (periods, gridMs) => {
      expect(gridFor(periods)).toBe(gridMs);
    },
  );

  test('the daemon assigns a sample to the window that ends at its time, or else to the window that contains its time', () => {
    expect(windowStart(NOON, MINUTE)).toBe(NOON - MINUTE);
    expect(windowStart(NOON + 1, MINUTE)).toBe(NOON);
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 2 ** 41 }),
        fc.constantFrom(...RESOLUTIONS),
        (at, { stepMs }) => {
          const begins = windowStart(at, stepMs);
          expect(begins % stepMs).toBe(0);
          expect(begins < at && at <= begins + stepMs).toBe(true);
          expect(lastBoundary(at, stepMs)).toBeLessThanOrEqual(at);
        },
      ),
    );
  });
});

describe('[metric-4] the time series of a metric', () => {
  it('the daemon records one point per minute while monitoring is on, and a gap while it is off', async () => {
    const { monitoring, clock, setBytes } = monitoringBench(new FakeClock(NOON + 20_000));
    setBytes(5);
    clock.advance(MINUTE);
    setBytes(7);
    clock.advance(MINUTE);
    monitoring.setMonitored('box', false);
    clock.advance(3 * MINUTE);
    monitoring.setMonitored('box', true);
    clock.advance(MINUTE);
    expect(monitoring.series(question())).toEqual([
      { at: NOON, value: 5, samples: 1 },
      { at: NOON + MINUTE, value: 7, samples: 1 },
      { at: NOON + 5 * MINUTE, value: 7, samples: 1 },
    ]);
  });

  it('the daemon keeps a time series across a restart, with a gap for each missed sampling time', async () => {
    const bench = monitoringBench(new FakeClock(NOON + 20_000));
    bench.clock.advance(MINUTE);
    await bench.close();
    bench.clock.advance(2 * MINUTE);
    await bench.reopen();
    bench.clock.advance(MINUTE);
    const points = bench.monitoring.series(question());
    expect(points.map(({ at }) => (at - NOON) / MINUTE)).toEqual([0, 3]);
  });

  it('the daemon combines the samples of one minute after the clock was set back', () => {
    const clock = new TurnedClock(NOON + 20_000);
    const { monitoring, setBytes } = monitoringBench(clock);
    setBytes(10);
    clock.advance(MINUTE);
    clock.aheadMs = -2 * MINUTE;
    setBytes(20);
    clock.advance(2 * MINUTE);
    expect(monitoring.series(question())).toEqual([
      { at: NOON - MINUTE, value: 20, samples: 1 },
      { at: NOON, value: 15, samples: 2 },
    ]);
  });

  it('the daemon keeps the earlier points of a time series when the clock is set a year ahead', () => {
    const clock = new TurnedClock(NOON + 20_000);
    const { monitoring } = monitoringBench(clock);
    clock.advance(5 * MINUTE);
    clock.aheadMs = 365 * 86_400_000;
    clock.advance(2 * 60 * MINUTE);
    expect(monitoring.series(question())).toHaveLength(5);
  });

  it('the daemon takes a sample every few seconds if an alarm has a period of seconds', () => {
    const { monitoring, clock } = monitoringBench(new FakeClock(NOON));
    monitoring.putAlarm(alarmDefinition({ periodMs: 20_000 }), { replace: false });
    clock.advance(MINUTE);
    expect(monitoring.series(question({ periodMs: 20_000 }))).toHaveLength(3);
    expect(monitoring.series(question())).toEqual([{ at: NOON, value: 0, samples: 3 }]);
  });

  it('the daemon starts an empty time series for a new bucket with the name of a deleted bucket', () => {
    const { monitoring, clock, buckets } = monitoringBench(new FakeClock(NOON));
    clock.advance(MINUTE);
    buckets.set('box', { bucketId: 2, bytes: 0, objects: 0 });
    expect(monitoring.monitored()).toEqual(new Set());
    expect(monitoring.series(question())).toEqual([]);
  });

  it('the daemon refuses a query with too many points, an invalid period or an unknown bucket', () => {
    const { monitoring } = monitoringBench();
    expect(() => monitoring.series(question({ from: 0 }))).toThrow('2500 periods');
    expect(() => monitoring.series(question({ periodMs: 7000 }))).toThrow('period must be');
    expect(() => monitoring.series(question({ bucket: 'none' }))).toThrow('unknown bucket "none"');
  });
});

test('[metric-5] the daemon computes every statistic of a window from its samples, at each resolution and period', () => {
  const values = fc.array(fc.integer({ min: 0, max: 25 * 1024 ** 4 }), {
    minLength: 1,
    maxLength: 90,
  });
  fc.assert(
    fc.property(values, fc.constantFrom(1, 2, 5, 10, 60), (all, minutes) => {
      const tables = new Tables(join(temporaryFolder('series'), 'monitoring.sqlite'));
      const series = tables.buckets.insert(1, 'box');
      tables.loosely(() => {
        for (const [index, value] of all.entries()) {
          const sample = { BucketSizeBytes: value, NumberOfObjects: index };
          tables.series.add(series, sample, {
            at: NOON + (index + 1) * MINUTE,
            withSeconds: false,
          });
        }
      });
      const periodMs = minutes * MINUTE;
      const window = { at: NOON, endAt: NOON + 2 * 3_600_000, periodMs };
      const read = tables.series.read(series, 'BucketSizeBytes', window);
      tables.close();
      for (const { at, ...summary } of read) {
        const first = (at - NOON) / MINUTE;
        const values = all.slice(first, first + minutes);
        const sum = values.reduce((a, b) => a + b, 0);
        expect(STATISTICS.map((statistic) => valueOf(summary, statistic))).toEqual([
          values.length,
          sum / values.length,
          sum,
          Math.min(...values),
          Math.max(...values),
        ]);
      }
      expect(read).toHaveLength(Math.ceil(all.length / minutes));
    }),
    { numRuns: 25 },
  );
});

test('[metric-6] the daemon keeps no more points of a time series than each resolution allows', () => {
  const tables = new Tables(join(temporaryFolder('series'), 'monitoring.sqlite'));
  const series = tables.buckets.insert(1, 'box');
  const hours = 455 * 24 + 30;
  tables.loosely(() => {
    for (let hour = 1; hour <= hours; hour += 1) {
      const sample = { BucketSizeBytes: hour, NumberOfObjects: hour };
      tables.series.add(series, sample, { at: NOON + hour * 3_600_000, withSeconds: false });
    }
    tables.series.prune(series);
  });
  const all = { at: 0, endAt: NOON + hours * 3_600_000 };
  const kept = tables.series.read(series, 'BucketSizeBytes', { ...all, periodMs: 3_600_000 });
  tables.close();
  expect(kept).toHaveLength(455 * 24);
  expect(kept.at(-1)?.maximum).toBe(hours);
});
