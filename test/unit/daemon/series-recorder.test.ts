/**
 * Tests of the values that the daemon records for charts each minute, with a fake clock and a real
 * database.
 */

import { join } from 'node:path';

import { expect, onTestFinished, test } from 'vitest';

import { SeriesRecorder, type Totals } from '../../../daemon/metrics/series-recorder.ts';
import { MINUTE_MS } from '../../../src/base/durations.ts';
import { type Logger, silentLogger } from '../../../src/base/logger.ts';
import { RecentSeries } from '../../../src/monitoring/recent-series.ts';
import { Tables } from '../../../src/monitoring/tables.ts';
import { FakeClock } from '../../helpers/fake-clock.ts';
import { temporaryFolder } from '../../helpers/temporary-folder.ts';

function bench() {
  const clock = new FakeClock();
  const tables = new Tables(join(temporaryFolder('recorder'), 'monitoring.sqlite'));
  onTestFinished(() => tables.close());
  const recent = new RecentSeries(tables, clock.now());
  const transferred = new Map<string, Totals>();
  const lags: { name: string; lagMs: number }[] = [];
  const sizes = new Map<string, number>();
  const failing = { reason: undefined as string | undefined };
  const logged: unknown[] = [];
  const logger: Logger = { ...silentLogger, error: (fields) => void logged.push(fields) };
  const list = () => {
    if (failing.reason !== undefined) throw new Error(failing.reason);
    return [...sizes].map(([name, versionBytes], bucketId) => {
      const counts = { versions: 1, deleteMarkers: 0, parts: 0, partBytes: 0 };
      return Object.assign({ bucketId, name, createdAt: 0, versionBytes }, counts);
    });
  };
  const recorder = new SeriesRecorder({
    recent,
    transferred: () => transferred,
    lags: () => lags,
    buckets: { list },
    clock,
    logger,
  });
  const read = (subject: string, metric: 'bytes' | 'lag' | 'size' | 'versions') =>
    recent.read(subject, metric, 'hour', clock.now()).values.filter((value) => value !== undefined);
  return { clock, recorder, recent, transferred, lags, sizes, failing, logged, read };
}

test('the daemon records for each minute the transfers of each job, the longest lag and the bucket sizes', () => {
  const { clock, recorder, transferred, lags, sizes, read } = bench();
  lags.push({ name: 'notes', lagMs: 0 }, { name: 'photos', lagMs: 5_000 });
  sizes.set('box', 10);
  recorder.start();
  transferred.set('notes', { bytes: 100, operations: 2, versions: 1 });
  clock.advance(MINUTE_MS);
  transferred.set('notes', { bytes: 150, operations: 3, versions: 3 });
  transferred.set('photos', { bytes: 1_000, operations: 9, versions: 7 });
  sizes.set('box', 30);
  clock.advance(MINUTE_MS);
  clock.advance(MINUTE_MS);
  expect(read('all', 'bytes')).toEqual([100, 1_050, 0]);
  expect(read('all', 'lag')).toEqual([5_000, 5_000, 5_000]);
  expect(read('job notes', 'versions')).toEqual([1, 2, 0]);
  expect(read('job photos', 'bytes')).toEqual([0, 1_000, 0]);
  expect(read('bucket box', 'size')).toEqual([10, 30, 30]);
});

test('the daemon starts new series for a job that was removed and added again', () => {
  const { clock, recorder, transferred, lags, read } = bench();
  lags.push({ name: 'notes', lagMs: 0 });
  recorder.start();
  transferred.set('notes', { bytes: 100, operations: 1, versions: 1 });
  clock.advance(MINUTE_MS);
  recorder.forgetJob('notes');
  transferred.set('notes', { bytes: 40, operations: 1, versions: 1 });
  clock.advance(MINUTE_MS);
  expect(read('job notes', 'bytes')).toEqual([40]);
});

test('the daemon deletes the series of a deleted bucket within a minute', () => {
  const { clock, recorder, recent, sizes } = bench();
  sizes.set('box', 10).set('other', 20);
  recorder.start();
  clock.advance(MINUTE_MS);
  sizes.delete('box');
  clock.advance(MINUTE_MS);
  expect([...recent.subjects()]).toEqual(['all', 'bucket other']);
});

test('the daemon logs a failure once and continues recording', () => {
  const { clock, recorder, failing, logged, lags, read } = bench();
  lags.push({ name: 'notes', lagMs: 1 });
  failing.reason = 'disk I/O error';
  recorder.start();
  clock.advance(3 * MINUTE_MS);
  failing.reason = undefined;
  clock.advance(MINUTE_MS);
  expect(logged).toEqual([{ reason: 'disk I/O error' }]);
  expect(read('job notes', 'lag')).toEqual([1]);
});

test('the daemon saves the values of the last minute before it stops', () => {
  const { clock, recorder, transferred, lags, read } = bench();
  lags.push({ name: 'notes', lagMs: 0 });
  recorder.start();
  clock.advance(MINUTE_MS / 2);
  transferred.set('notes', { bytes: 100, operations: 1, versions: 1 });
  recorder.close();
  clock.advance(MINUTE_MS);
  expect(read('all', 'bytes')).toEqual([100]);
});
