/** Tests of the lines that commands print for events of alarms and jobs. */

import { expect, test } from 'vitest';

import { eventLines } from '../../../src/cli/output/event-text.ts';
import type { AlarmShape } from '../../../src/control/methods/monitoring.ts';
import { jobStatus } from '../../helpers/job-status.ts';

const ALARM: AlarmShape = {
  name: 'full\u001b[2J',
  bucket: 'photos',
  metric: 'BucketSizeBytes',
  statistic: 'Average',
  comparison: 'GreaterThanThreshold',
  threshold: 1,
  periodMs: 60_000,
  evaluationPeriods: 1,
  datapointsToAlarm: 1,
  treatMissingData: 'missing',
  actions: { OK: [], ALARM: [], INSUFFICIENT_DATA: [] },
  state: 'INSUFFICIENT_DATA',
  reason: 'so it is',
  changedAt: 0,
};

test('the command line prints a line when an alarm changes its state, and for the first state of an alarm only if that state is ALARM', () => {
  const reading = {
    states: new Map<string, string>(),
    paint: (_: unknown, text: string) => text,
    one: false,
  };
  const returned = (state: AlarmShape['state'], name = ALARM.name) =>
    eventLines(
      { seq: 1, at: 0, event: { type: 'alarm.changed', alarm: { ...ALARM, name, state } } },
      reading,
    ).map((line) => line.replace(/^\S+ +/, ''));
  expect(returned('INSUFFICIENT_DATA')).toEqual([]);
  expect(returned('INSUFFICIENT_DATA')).toEqual([]);
  expect(returned('OK')).toEqual(['alarm  full\\x1b[2J (photos)  OK  so it is']);
  expect(returned('ALARM', 'another')).toEqual(['alarm  another (photos)  ALARM  so it is']);
});

test('the command line prints a held job again if the reason changes, but not if more deletes are held', () => {
  const reading = {
    states: new Map<string, string>(),
    paint: (_: unknown, text: string) => text,
    one: true,
  };
  const returned = (reason: string) => {
    const job = jobStatus({ state: 'held', inSync: false, reason });
    return eventLines({ seq: 1, at: 0, event: { type: 'job.changed', job } }, reading).length;
  };
  const reasons = ['51 deletes are held', '80 deletes are held', 'suspected ransomware attack'];
  expect(reasons.map(returned)).toEqual([1, 0, 1]);
});
