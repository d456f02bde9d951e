/** Metrics and alarms of the fake daemon: two buckets, and an alarm in the state ALARM. */

import { SPANS } from '../../../src/monitoring/recent-points.ts';
import type { AlarmShape } from '../../../src/control/methods/monitoring.ts';
import type { Answers } from './seeded-daemon.ts';
import { NOW } from './seeds.ts';

export function seededAlarm(changes: Partial<AlarmShape> = {}): AlarmShape {
  return {
    name: 'too-full',
    bucket: 'logs',
    metric: 'BucketSizeBytes',
    statistic: 'Average',
    comparison: 'GreaterThanThreshold',
    threshold: 1_000_000_000_000,
    periodMs: 300_000,
    evaluationPeriods: 3,
    datapointsToAlarm: 2,
    treatMissingData: 'missing',
    actions: { OK: [], ALARM: [{ type: 'notification' }], INSUFFICIENT_DATA: [] },
    state: 'ALARM',
    reason: '2 of 3 datapoints are greater than the threshold',
    changedAt: NOW - 3_600_000,
    ...changes,
  };
}

const bucket = (name: string, sizeBytes: number, monitored: boolean) => ({
  bucket: name,
  createdAt: NOW - 90 * 86_400_000,
  monitored,
  sizeBytes,
  objects: 48_213,
  versions: 48_000,
  versionBytes: sizeBytes,
  deleteMarkers: 213,
  parts: 0,
  partBytes: 0,
});

/** Creates rising metric values for the day before `NOW`. */
const points = (top: number) =>
  Array.from({ length: 48 }, (_, index) => ({
    at: NOW - (48 - index) * 1_800_000,
    value: Math.round(top * (0.5 + index / 94)),
    samples: 30,
  }));

export const metricAnswers: Answers = {
  'metrics.list': () => ({
    buckets: [bucket('logs', 1_240_000_000_000, true), bucket('photos', 98_000_000_000, false)],
  }),
  'metrics.get': ({ bucket: name }) => ({
    ...bucket(name, 98_000_000_000, true),
    heads: { count: 41_208, isAll: true },
  }),
  'metrics.series': ({ metric }) => ({
    points: points(metric === 'BucketSizeBytes' ? 1_240_000_000_000 : 48_213),
  }),
  'metrics.recent': ({ span }) => {
    const { stepMs, points: count } = SPANS[span];
    const value = (index: number) => Math.round(98e9 * (0.6 + (0.4 * (index + 1)) / count));
    const values = Array.from({ length: count }, (_, index) => value(index));
    return { from: NOW - count * stepMs, stepMs, to: NOW, values };
  },
  'metrics.monitor': ({ bucket: name, on }) => bucket(name, 98_000_000_000, on),
  'alarms.list': () => ({
    alarms: [
      seededAlarm({
        name: 'idle',
        statistic: 'Maximum',
        comparison: 'LessThanThreshold',
        threshold: 1_000_000,
        state: 'OK',
        changedAt: NOW - 86_400_000,
      }),
      seededAlarm(),
    ],
  }),
  'alarms.get': ({ name }) => seededAlarm({ name }),
  'alarms.acknowledge': ({ name }) => seededAlarm({ name, acknowledgedAt: NOW }),
  'alarms.put': ({ alarm }) => seededAlarm({ ...alarm, state: 'INSUFFICIENT_DATA' }),
  'alarms.remove': () => ({}),
  'alarms.test': () => ({ actions: [{ action: 'notification', ok: true, said: 'shown' }] }),
  'alarms.history': () => ({
    entries: [
      { id: 2, at: NOW - 3_600_000, kind: 'state', summary: 'OK to ALARM: 2 of 3 datapoints' },
      { id: 1, at: NOW - 86_400_000, kind: 'configuration', summary: 'added' },
    ],
  }),
};
