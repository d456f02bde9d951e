/** Tests of the metrics in the Prometheus text format. */

import { expect, test } from 'vitest';

import { type Numbers, prometheusText } from '../../../daemon/metrics/prometheus.ts';
import { RequestCounter } from '../../../daemon/metrics/request-counter.ts';
import { alarmDefinition } from '../../helpers/alarms.ts';
import { jobStatus } from '../../helpers/job-status.ts';

const NOW = Date.UTC(2026, 10, 21, 12);
const NOW_SECONDS = NOW / 1000;

const NOTHING: Numbers = {
  version: '1.2.3',
  now: NOW,
  startedAt: NOW - 60_000,
  buckets: [],
  monitored: new Set(),
  alarms: [],
  jobs: [],
  health: {
    state: 'in order',
    reasons: [],
    damaged: [],
    damagedCount: 0,
    scrub: undefined,
    clockAheadMs: 0,
  },
  waitingWrites: 0,
  requests: [],
};

/** Returns the metric lines without comments. */
async function lines(numbers: Partial<Numbers>): Promise<string[]> {
  const text = await prometheusText({ ...NOTHING, ...numbers });
  return text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
}

test('the daemon omits metrics without a value', async () => {
  expect(await lines({})).toEqual([
    'holdfast_build_info{version="1.2.3"} 1',
    `holdfast_start_timestamp_seconds ${NOW_SECONDS - 60}`,
    'holdfast_store_state{state="in order"} 1',
    'holdfast_store_state{state="degraded"} 0',
    'holdfast_store_state{state="read-only"} 0',
    'holdfast_store_quarantined_blobs 0',
    'holdfast_store_waiting_writes 0',
    'holdfast_store_clock_ahead_seconds 0',
    'holdfast_store_scrub_running 0',
  ]);
});

test('the daemon exports the state of a job and the time until which its changes are in the bucket', async () => {
  const counts = { ...jobStatus().counts, pending: 3, uploadedBytes: 70 };
  const job = jobStatus({
    name: 'docs',
    state: 'mirroring',
    inSync: false,
    lagMs: 5000,
    counts,
    lastRoundAt: NOW,
    lastFullRoundAt: NOW - 1000,
  });
  const returned = await lines({ jobs: [job, jobStatus({ name: 'away', state: 'paused' })] });
  for (const line of [
    'holdfast_job_state{job="docs",state="mirroring"} 1',
    'holdfast_job_state{job="docs",state="failed"} 0',
    'holdfast_job_state{job="away",state="paused"} 1',
    'holdfast_job_in_sync{job="docs"} 0',
    `holdfast_job_durable_until_timestamp_seconds{job="docs"} ${NOW_SECONDS - 5}`,
    `holdfast_job_last_round_timestamp_seconds{job="docs"} ${NOW_SECONDS - 1}`,
    'holdfast_job_pending_changes{job="docs"} 3',
    'holdfast_job_uploaded_bytes_total{job="docs"} 70',
  ])
    expect(returned).toContain(line);
  // A paused job backs up no changes, so it does not report until when its changes are in the
  // bucket.
  expect(returned.join('\n')).not.toContain('durable_until_timestamp_seconds{job="away"}');
});

test('[alarm-13] the daemon exports an alarm with the state DISABLED while monitoring is off', async () => {
  const alarm = {
    ...alarmDefinition({ name: 'a "quoted"\\name' }),
    state: 'ALARM',
    reason: '',
    changedAt: 0,
  } as const;
  const stateOf = async (monitored: boolean) =>
    (await lines({ alarms: [{ ...alarm, monitored }] })).filter(
      (line) => line.endsWith(' 1') && line.includes('alarm_state'),
    );
  expect(await stateOf(true)).toEqual([
    'holdfast_alarm_state{alarm="a \\"quoted\\"\\\\name",bucket="box",state="ALARM"} 1',
  ]);
  expect(await stateOf(false)).toEqual([expect.stringContaining('state="DISABLED"')]);
});

test('the daemon exports scrub metrics during and after a scrub', async () => {
  const scrub = {
    scrubId: 1,
    startedAt: NOW - 9000,
    finishedAt: null,
    cursor: 5,
    blobs: 2,
    bytes: 400,
    damaged: 1,
    inconsistencies: 0,
  };
  const { health } = NOTHING;
  const running = await lines({ health: { ...health, scrub, damagedCount: 1 } });
  expect(running).toContain('holdfast_store_scrub_running 1');
  expect(running).toContain('holdfast_store_scrub_bytes 400');
  expect(running).toContain('holdfast_store_quarantined_blobs 1');
  expect(running.join('\n')).not.toContain('scrub_finished');
  const ended = await lines({ health: { ...health, scrub: { ...scrub, finishedAt: NOW } } });
  expect(ended).toContain('holdfast_store_scrub_running 0');
  expect(ended).toContain(`holdfast_store_scrub_finished_timestamp_seconds ${NOW_SECONDS}`);
});

test('[metric-10] the daemon counts requests by operation and status', async () => {
  const counter = new RequestCounter();
  counter.count('GetObject', 200);
  counter.count('GetObject', 200);
  counter.count('GetObject', 404);
  counter.count(undefined, 405);
  const text = await prometheusText({ ...NOTHING, requests: counter.list() });
  expect(text).toContain('# TYPE holdfast_requests_total counter');
  expect(text).toContain('holdfast_requests_total{operation="GetObject",status="200"} 2\n');
  expect(text).toContain('holdfast_requests_total{operation="GetObject",status="404"} 1\n');
  expect(text).toContain('holdfast_requests_total{operation="unknown",status="405"} 1\n');
});
