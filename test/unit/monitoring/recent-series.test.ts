/**
 * Tests of the time series for charts: their values, their limits, and when they are written to
 * disk.
 */

import { statSync } from 'node:fs';
import { join } from 'node:path';

import * as fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';

import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../src/base/durations.ts';
import { windowStart } from '../../../src/monitoring/grid.ts';
import { RecentPoints, SPANS, type SpanName } from '../../../src/monitoring/recent-points.ts';
import { MAX_SERIES, RecentSeries } from '../../../src/monitoring/recent-series.ts';
import { Tables } from '../../../src/monitoring/tables.ts';
import { temporaryFolder } from '../../helpers/temporary-folder.ts';

const NOON = Date.UTC(2026, 10, 21, 12);
const SPAN_NAMES = Object.keys(SPANS) as SpanName[];
const COMBINE = {
  sum: (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0),
  largest: (values: readonly number[]) => Math.max(...values),
  last: (values: readonly number[]) => values.at(-1) ?? 0,
};

/** The expected result for a time span: all values of each period, combined. */
function expected(
  samples: readonly (readonly [at: number, value: number])[],
  combine: keyof typeof COMBINE,
  { span, now }: { span: SpanName; now: number },
) {
  const { stepMs, points } = SPANS[span];
  const first =
    windowStart(Math.floor(now / MINUTE_MS) * MINUTE_MS, stepMs) - (points - 1) * stepMs;
  return Array.from({ length: points }, (_, index) => {
    const begin = first + index * stepMs;
    const own = samples.filter(([at]) => windowStart(at, stepMs) === begin);
    return own.length === 0 ? undefined : COMBINE[combine](own.map(([, value]) => value));
  });
}

const gaps = fc.oneof(
  fc.constant(MINUTE_MS),
  fc.integer({ min: 1, max: 5 * MINUTE_MS }),
  fc.integer({ min: 1, max: 3 * HOUR_MS }),
  fc.integer({ min: 1, max: 40 * DAY_MS }),
);

describe('the points of one time series', () => {
  it('the daemon returns the combined values of each period of a time span, also after they were stored', () => {
    fc.assert(
      fc.property(
        fc.constantFrom('sum' as const, 'largest' as const, 'last' as const),
        fc.array(fc.tuple(gaps, fc.nat(1_000)), { minLength: 1, maxLength: 60 }),
        fc.nat(2 * DAY_MS),
        (combine, steps, laterMs) => {
          let points = new RecentPoints(combine);
          let at = NOON;
          const samples: [number, number][] = [];
          for (const [gapMs, value] of steps) {
            at += gapMs;
            samples.push([at, value]);
            points.add(at, value);
          }
          points = new RecentPoints(combine, { sampledAt: at, bytes: points.bytes() });
          const now = Math.ceil((at + laterMs) / MINUTE_MS) * MINUTE_MS;
          for (const span of SPAN_NAMES) {
            const read = points.read(span, now);
            expect(read.values).toEqual(expected(samples, combine, { span, now }));
            expect(read.from + read.values.length * read.stepMs).toBeGreaterThanOrEqual(read.to);
          }
        },
      ),
      { numRuns: 60 },
    );
  });

  it('the daemon continues a time series after the clock was ahead for a while', () => {
    const points = new RecentPoints('sum');
    points.add(NOON, 1);
    points.add(NOON + 400 * DAY_MS, 5);
    points.add(NOON + MINUTE_MS, 2);
    points.add(NOON + 2 * MINUTE_MS, 3);
    const known = points
      .read('hour', NOON + 2 * MINUTE_MS)
      .values.filter((value) => value !== undefined);
    expect(known).toEqual([2, 3]);
  });
});

function bench() {
  const path = join(temporaryFolder('recent'), 'monitoring.sqlite');
  let tables = new Tables(path);
  onTestFinished(() => tables.close());
  const open = (now: number) => new RecentSeries(tables, now);
  const reopen = (now: number) => {
    tables.close();
    tables = new Tables(path);
    return open(now);
  };
  /** The database files with their sizes and modification times. */
  const files = () =>
    ['', '-wal'].map((suffix) => {
      const { size, mtimeNs } = statSync(path + suffix, { bigint: true });
      return `${suffix} ${size} ${mtimeNs}`;
    });
  return { path, open, reopen, files };
}

const bytesOf = (value: number) => [{ subject: 'all', metric: 'bytes', value } as const];
const sizeOf = (value: number) => [{ subject: 'bucket box', metric: 'size', value } as const];
const known = (values: readonly (number | undefined)[]) =>
  values.filter((value) => value !== undefined);

describe('the time series of the daemon', () => {
  it('the daemon writes nothing to disk while no value changes', () => {
    const { open, files } = bench();
    const series = open(NOON);
    series.record(NOON, [...bytesOf(7), ...sizeOf(5)]);
    for (let minute = 1; minute <= 11; minute += 1) {
      series.record(NOON + minute * MINUTE_MS, [...bytesOf(0), ...sizeOf(5)]);
    }
    const before = files();
    for (let minute = 12; minute <= 3 * 24 * 60; minute += 1) {
      series.record(NOON + minute * MINUTE_MS, [...bytesOf(0), ...sizeOf(5)]);
    }
    expect(files()).toEqual(before);
  });

  it('the daemon writes a changed value within ten minutes, and at most once in ten minutes', () => {
    const { open, files } = bench();
    const series = open(NOON);
    const written: number[] = [];
    let last = files();
    for (let minute = 1; minute <= 60; minute += 1) {
      series.record(NOON + minute * MINUTE_MS, bytesOf(minute));
      const now = files();
      if (now.join() !== last.join()) written.push(minute);
      last = now;
    }
    expect(written).toEqual([10, 20, 30, 40, 50, 60]);
  });

  it('the daemon keeps the values across a restart and leaves a gap for the time in between', () => {
    const { open, reopen } = bench();
    const series = open(NOON);
    for (let minute = 1; minute <= 5; minute += 1) {
      series.record(NOON + minute * MINUTE_MS, [...bytesOf(minute), ...sizeOf(100)]);
    }
    series.close(NOON + 5 * MINUTE_MS);
    const again = reopen(NOON + 20 * MINUTE_MS);
    again.record(NOON + 20 * MINUTE_MS, [...bytesOf(9), ...sizeOf(200)]);
    const { values } = again.read('all', 'bytes', 'hour', NOON + 20 * MINUTE_MS);
    expect(values.slice(-20)).toEqual([
      1,
      2,
      3,
      4,
      5,
      ...Array.from({ length: 14 }, () => undefined),
      9,
    ]);
    expect(known(again.read('bucket box', 'size', 'day', NOON + 20 * MINUTE_MS).values)).toEqual([
      100, 200,
    ]);
  });

  it('the daemon loses at most the last ten minutes of values in a crash', () => {
    const { open, reopen } = bench();
    const series = open(NOON);
    for (let minute = 1; minute <= 15; minute += 1) {
      series.record(NOON + minute * MINUTE_MS, bytesOf(minute));
    }
    const again = reopen(NOON + 16 * MINUTE_MS);
    const { values } = again.read('all', 'bytes', 'hour', NOON + 16 * MINUTE_MS);
    expect(known(values)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
  });

  it('the daemon returns no values of a bucket or job that was removed, also after a restart', () => {
    const { open, reopen } = bench();
    const series = open(NOON);
    series.record(NOON + 10 * MINUTE_MS, [...bytesOf(1), ...sizeOf(3)]);
    series.forget('bucket box');
    series.close(NOON + 10 * MINUTE_MS);
    const again = reopen(NOON + 11 * MINUTE_MS);
    expect([...again.subjects()]).toEqual(['all']);
  });

  it('the daemon deletes a time series without values for 30 days when the daemon stops', () => {
    const { open, reopen } = bench();
    const first = open(NOON);
    first.record(NOON, [...bytesOf(1), ...sizeOf(3)]);
    first.close(NOON);
    const later = NOON + 31 * DAY_MS;
    const second = reopen(later);
    second.record(later, bytesOf(1));
    second.close(later);
    expect([...reopen(later).subjects()]).toEqual(['all']);
  });

  it('the daemon needs less than 5 MiB in memory and on disk for any number of subjects', () => {
    const { path, open, reopen } = bench();
    const series = open(NOON);
    for (let minute = 0; minute < 3; minute += 1) {
      const values = Array.from({ length: MAX_SERIES + 500 }, (_, index) => ({
        subject: `bucket ${String(index).padStart(200, 'b')}`,
        metric: 'size' as const,
        value: index * 1e12 + minute,
      }));
      series.record(NOON + minute * MINUTE_MS, values);
    }
    series.close(NOON + 3 * MINUTE_MS);
    expect(series.subjects().size).toBe(MAX_SERIES);
    expect(series.bytes).toBeLessThan(5 * 1024 ** 2);
    reopen(NOON + 4 * MINUTE_MS);
    expect(statSync(path).size).toBeLessThan(5 * 1024 ** 2);
  });
});
