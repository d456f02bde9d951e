/** Tests of the metrics screen and of alarms in the dashboard. */

import { afterEach, expect, test } from 'vitest';

import { actionsOf, actionsText } from '../../../tui/screens/metrics/alarm-text.ts';
import { definitionOf } from '../../../tui/screens/metrics/alarm-form.ts';
import { SPANS, valuesOf } from '../../../tui/screens/metrics/series.ts';
import { metricAnswers, seededAlarm } from '../../helpers/tui/metric-seeds.ts';
import { SeededDaemon } from '../../helpers/tui/seeded-daemon.ts';
import type { Answers } from '../../helpers/tui/seeded-daemon.ts';
import { TestScreen } from '../../helpers/tui/screen.ts';
import { NOW, seededStatus } from '../../helpers/tui/seeds.ts';

const open: TestScreen[] = [];

afterEach(async () => {
  for (const screen of open.splice(0)) await screen.close();
});

async function start(size: { columns?: number; rows?: number } = {}) {
  const status = () => ({ ...seededStatus(), alarms: [seededAlarm()] });
  const daemon = new SeededDaemon({ status, ...metricAnswers });
  const screen = await new TestScreen({ ...size, connect: daemon.connect }).start();
  open.push(screen);
  await screen.press('6');
  await screen.waitFor('620 GB to');
  return { daemon, screen };
}

test.each([
  [80, 24],
  [120, 40],
])(
  'the dashboard shows the metrics screen and an alarm as in their snapshots at %i×%i',
  async (columns, rows) => {
    const { screen } = await start({ columns, rows });
    const size = `${columns}x${rows}`;
    await expect(screen.text()).toMatchFileSnapshot(`snapshots/metrics-${size}.txt`);
    await screen.press('tab enter');
    await expect(await screen.waitFor('History')).toMatchFileSnapshot(
      `snapshots/alarm-${size}.txt`,
    );
  },
);

test('the metrics screen names the missing bucket instead of loading forever', async () => {
  const none = { 'metrics.list': () => ({ buckets: [] }), status: seededStatus };
  const daemon = new SeededDaemon({ ...metricAnswers, ...none });
  const screen = await new TestScreen({ connect: daemon.connect }).start();
  open.push(screen);
  await screen.press('6');
  await screen.waitFor('no bucket is selected');
});

test('the dashboard requests the samples of a time span when the user selects the span', async () => {
  const { screen, daemon } = await start();
  await screen.press('+');
  await screen.waitFor('1 week  Average');
  const question = daemon.lastOf('metrics.series');
  expect((question?.to ?? 0) - (question?.from ?? 0)).toBe(7 * 86_400_000);
});

test('the time axis of the charts does not end in the future', async () => {
  const { screen } = await start({ columns: 120, rows: 40 });
  await screen.tick(5 * 60_000);
  expect(await screen.tickUntil('2026-11-21 12:05')).not.toContain('2026-11-21 12:30');
});

test('the dashboard lists an alarm in the state ALARM first and lets the user acknowledge it', async () => {
  const { screen, daemon } = await start();
  expect(await screen.waitFor('too-full')).toContain('! 1 alarm');
  await screen.press('tab A');
  expect(daemon.lastOf('alarms.acknowledge')).toEqual({ name: 'too-full' });
  await screen.waitFor('is acknowledged, until its state changes');
});

test('the dashboard explains why an alarm in the state OK cannot be acknowledged', async () => {
  const { screen, daemon } = await start();
  await screen.press('tab j A');
  await screen.waitFor('A is not available: it is OK');
  expect(daemon.lastOf('alarms.acknowledge')).toBeUndefined();
});

test('the dashboard creates an alarm for the selected bucket with the typed values', async () => {
  const { screen, daemon } = await start();
  await screen.press('j n');
  await screen.waitFor('New alarm');
  for (const title of ['Alarm', 'Condition', 'Evaluation'])
    expect(screen.text()).toMatch(new RegExp(`│ +${title} +│`));
  await screen.type('big\t');
  await screen.press('pagedown');
  await screen.type('\t\t\t5GB');
  await screen.press('ctrl-s');
  expect(daemon.lastOf('alarms.put')).toMatchObject({
    replace: false,
    alarm: {
      name: 'big',
      bucket: 'photos',
      threshold: 5_000_000_000,
      comparison: 'GreaterThanThreshold',
    },
  });
});

test("the dashboard shows an entry of an alarm's history in full after Enter", async () => {
  const summary = `1 of the last ${'3 datapoints '.repeat(12)}was above the threshold`;
  const { screen, daemon } = await start();
  const entries = [{ id: 1, at: NOW, kind: 'state' as const, summary }];
  daemon.replace('alarms.history', () => ({ entries }));
  await screen.press('tab enter');
  expect(await screen.waitFor('1 of the last')).not.toContain('above the threshold');
  await screen.press('enter');
  expect(await screen.waitFor('above the threshold')).toContain('Esc close');
});

test('the dashboard reads an open alarm again after a restart of the daemon', async () => {
  const { screen, daemon } = await start();
  await screen.press('tab enter');
  await screen.waitFor('History');
  daemon.stop();
  daemon.replace('alarms.get', () => seededAlarm({ state: 'OK', reason: 'no more than 1 TB' }));
  daemon.down = undefined;
  await screen.press('r');
  await screen.waitFor('no more than 1 TB');
});

test('the dashboard shows the whole reason of the state of an alarm at 80×24', async () => {
  const { screen, daemon } = await start({ columns: 80, rows: 24 });
  const reason = `1 of the last ${'3 periods '.repeat(8)}needed for ALARM`;
  daemon.replace('alarms.get', () => seededAlarm({ reason }));
  await screen.press('tab enter');
  expect((await screen.waitFor('needed for ALARM')).replaceAll(/[│\s]+/gu, ' ')).toContain(reason);
});

test('the dashboard restores a deleted alarm unchanged on undo', async () => {
  const { screen, daemon } = await start();
  await screen.press('tab D');
  await screen.waitFor('Its history is deleted, too');
  await screen.press('y');
  expect(daemon.lastOf('alarms.remove')).toEqual({ name: 'too-full' });
  await screen.press('u');
  expect(daemon.lastOf('alarms.put')?.alarm).toMatchObject({ name: 'too-full', threshold: 1e12 });
});

test('the dashboard turns on the monitoring of a bucket with a key, and undo turns it off', async () => {
  const { screen, daemon } = await start();
  await screen.press('j M');
  expect(daemon.lastOf('metrics.monitor')).toEqual({ bucket: 'photos', on: true });
  await screen.press('u');
  expect(daemon.lastOf('metrics.monitor')).toEqual({ bucket: 'photos', on: false });
});

test("the dashboard keeps the parts of an alarm's actions that the edited text does not show", () => {
  const before = [
    { type: 'webhook' as const, url: 'https://a.example', secretFile: '/etc/secret' },
  ];
  expect(actionsOf(`${actionsText(before)}; log`, before)).toEqual([...before, { type: 'log' }]);
});

test.each([
  ['beep', '"beep": write log'],
  ['command:[1]', 'is not a JSON list of words'],
])('the dashboard refuses the alarm action %s', (text, message) => {
  expect(() => actionsOf(text)).toThrow(message);
});

test.each([
  ['BucketSizeBytes', 1e12, '1 TB'],
  ['BucketSizeBytes', 1_234_567_890_123, '1,234,567,890,123'],
  ['NumberOfObjects', 1_500_000, '1,500,000'],
  ['NumberOfObjects', 0.125, '0.125'],
] as const)(
  'the form of an alarm for %s shows the threshold %d as %s, and saves the same number',
  async (metric, threshold, text) => {
    const { screen, daemon } = await start({ columns: 100, rows: 40 });
    daemon.replace('alarms.list', () => ({ alarms: [seededAlarm({ metric, threshold })] }));
    await screen.press('r tab e');
    expect(await screen.waitFor('Condition')).toMatch(
      new RegExp(String.raw`threshold +${text.replaceAll('.', String.raw`\.`)}\s`),
    );
    await screen.press('ctrl-s');
    expect(daemon.lastOf('alarms.put')?.alarm).toMatchObject({ threshold });
  },
);

test('the metrics screen offers a new alarm only if a bucket is selected', async () => {
  const { screen, daemon } = await start();
  daemon.replace('alarms.list', () => ({ alarms: [] }));
  await screen.press('r');
  await screen.waitFor('no alarms; press n to create one for logs');
  daemon.replace('metrics.list', () => ({ buckets: [] }));
  await screen.press('r');
  await screen.waitFor('no bucket');
  expect(await screen.waitFor('no alarms')).not.toContain('press n');
});

test('the dashboard parses the values that the form of an alarm shows to the same alarm definition', () => {
  const alarm = seededAlarm({ threshold: -1, comparison: 'LessThanThreshold' });
  const { state: _, reason: __, changedAt: ___, ...definition } = alarm;
  const values = {
    name: 'too-full',
    bucket: 'logs',
    metric: 'BucketSizeBytes',
    statistic: 'Average',
    sign: '<',
    threshold: '-1',
    period: '5 min',
    periods: '3',
    datapoints: '2',
    missing: 'missing',
    ALARM: 'notification',
  };
  expect(definitionOf(values, alarm)).toEqual(definition);
});

/** A bucket that was created just now. */
const NOTHING_RECORDED: Answers = {
  'metrics.series': () => ({ points: [] }),
  'metrics.recent': () => ({ from: NOW - 120_000, stepMs: 60_000, to: NOW, values: [null, null] }),
};

test('the dashboard shows how to enable monitoring once for a bucket without recorded sizes', async () => {
  const answers = { ...metricAnswers, ...NOTHING_RECORDED };
  const daemon = new SeededDaemon({ status: seededStatus, ...answers });
  const screen = await new TestScreen({ connect: daemon.connect }).start();
  open.push(screen);
  await screen.press('6');
  await screen.waitFor('no sample in that time: press +');
  await screen.press('j');
  await screen.tick(2_000);
  await screen.tick(2_000);
  const text = await screen.waitFor('press M to record the number of objects');
  expect(text.split('no size was recorded')).toHaveLength(2);
});

test.each([
  [16, 'logs', 'size of the bucket'],
  [24, 'logs', 'number of versions, markers and parts'],
])(
  'the dashboard shows buckets, a chart and the alarms on a terminal of %i rows',
  async (rows, bucket, metric) => {
    const { screen } = await start({ columns: 60, rows });
    expect(screen.text()).toMatch(new RegExp(`❯ ${bucket}[^]*${metric}[^]*│█`));
    await screen.press('tab');
    expect(await screen.waitFor('❯ too-full')).toContain('ALARM');
  },
);

test('the dashboard uses the lines of the charts for the list of buckets if a bucket has no recorded sizes', async () => {
  const { screen, daemon } = await start({ rows: 30 });
  daemon.replace('metrics.series', () => ({ points: [] }));
  daemon.replace('metrics.recent', () => ({ from: NOW, stepMs: 60_000, to: NOW, values: [] }));
  await screen.press('j');
  const text = await screen.tickUntil('no size was recorded');
  const lines = text.split('\n');
  const [charts, alarms] = ['photos  ', 'Alarms'].map((title) =>
    lines.findIndex((line) => line.includes(`─ ${title}`)),
  );
  expect((alarms ?? 0) - (charts ?? 0)).toBe(2);
});

test('the dashboard shows a period without a sample as a gap in the chart', () => {
  const span = SPANS[0];
  const points = [{ at: 60_000, value: 7, samples: 1 }];
  const values = valuesOf({
    metric: 'NumberOfObjects',
    span,
    from: 0,
    to: span.ms,
    periodMs: span.periodMs,
    points,
  });
  expect(values).toHaveLength(60);
  expect(values.slice(0, 3)).toEqual([undefined, 7, undefined]);
});

test('the dashboard shows the sizes that the daemon recorded for a bucket without monitoring', async () => {
  const { screen, daemon } = await start({ rows: 30 });
  daemon.replace('metrics.series', () => ({ points: [] }));
  await screen.press('j');
  expect(await screen.tickUntil('size of the bucket  5')).toMatch(
    /size of the bucket {2}59.* GB to 98 GB, now 98 GB/,
  );
  expect(daemon.lastOf('metrics.recent')).toEqual({ bucket: 'photos', span: 'day' });
  await screen.press('+ +');
  await screen.tickUntil('1 month');
  await screen.tick(1_000);
  expect(daemon.lastOf('metrics.recent')).toEqual({ bucket: 'photos', span: 'month' });
});

test('the dashboard shortens the heading of a chart at 60 columns, but still states where the axis starts', async () => {
  const { screen, daemon } = await start({ columns: 60, rows: 24 });
  const points = [1_234_567_890, 1_234_567_999].map((value, index) => ({
    at: NOW - (2 - index) * 1_800_000,
    value,
    samples: 30,
  }));
  daemon.replace('metrics.series', () => ({ points }));
  await screen.press('j');
  const text = await screen.tickUntil('1,234,567,999');
  expect(text).toMatch(/number +axis from 1,111,111,199 /);
});

test('the dashboard opens the selected bucket with Enter in the list of sizes', async () => {
  const { screen } = await start();
  await screen.press('enter');
  expect(await screen.tickUntil('buckets › logs')).toContain('[2 Buckets]');
});
