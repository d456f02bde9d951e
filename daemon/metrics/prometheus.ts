/**
 * Formats the daemon's metrics in the Prometheus text format. Names follow its conventions: the prefix `holdfast_`,
 * the unit as a suffix, and `_total` for counters. A state has one series for each possible value. The series of the
 * current value is 1.
 */

import { Counter, Gauge, Registry } from 'prom-client';

import type { Protection } from '../../src/control/protection.ts';
import type { JobStatus } from '../../src/control/shapes.ts';
import {
  type BucketMetrics,
  bucketSizeBytes,
  numberOfObjects,
} from '../../src/engine/reads/bucket-metrics.ts';
import type { StoreHealth } from '../../src/engine/maintenance/upkeep.ts';
import { ALARM_STATES, type Alarm } from '../../src/monitoring/alarm.ts';
import type { RequestCount } from './request-counter.ts';

export interface Numbers {
  readonly version: string;
  readonly now: number;
  readonly startedAt: number;
  readonly buckets: readonly BucketMetrics[];
  /** The names of the monitored buckets. */
  readonly monitored: ReadonlySet<string>;
  readonly alarms: readonly Alarm[];
  readonly jobs: readonly JobStatus[];
  readonly health: StoreHealth;
  /** The number of writes that are waiting for the store's disk. */
  readonly waitingWrites: number;
  readonly requests: readonly RequestCount[];
}

type Value = readonly [labels: Readonly<Record<string, string>>, value: number];

const JOB_STATES = [
  ...(['starting', 'scanning', 'mirroring', 'watching', 'paused', 'waiting'] as const),
  ...(['root missing', 'no room', 'clock', 'held', 'failed', 'stopped'] as const),
] satisfies readonly JobStatus['state'][];
/** The states in which a job detects every change, and in which its lag is therefore meaningful. */
const SEEING = new Set<JobStatus['state']>(['scanning', 'mirroring', 'watching', 'held']);
const PROTECTIONS = [
  'protected',
  'kept',
  'at risk',
  'unknown',
] satisfies readonly Protection['is'][];
const HEALTH_STATES = [
  'in order',
  'degraded',
  'read-only',
] satisfies readonly StoreHealth['state'][];

export function prometheusText(numbers: Numbers): Promise<string> {
  const registry = new Registry();
  for (const [name, [help, values]] of Object.entries(metricsOf(numbers))) {
    // A metric without values would be reported as 0.
    if (values.length > 0) register(registry, { name, help, values });
  }
  return registry.metrics();
}

function register(
  registry: Registry,
  { name, help, values }: { name: string; help: string; values: readonly Value[] },
): void {
  const labelNames = Object.keys(values[0]?.[0] ?? {});
  const options = { name: `holdfast_${name}`, help, labelNames, registers: [registry] };
  if (name.endsWith('_total')) {
    const counter = new Counter(options);
    for (const [labels, value] of values) counter.inc(labels, value);
  } else {
    const gauge = new Gauge(options);
    for (const [labels, value] of values) gauge.set(labels, value);
  }
}

/** Returns the name and the help text of each metric. docs/reference/metrics.md is generated from them. */
export function metricsHelp(
  numbers: Numbers,
): readonly { readonly name: string; readonly help: string }[] {
  return Object.entries(metricsOf(numbers)).map(([name, [help]]) => ({
    name: `holdfast_${name}`,
    help,
  }));
}

type Metrics = Readonly<Record<string, readonly [help: string, values: readonly Value[]]>>;

function metricsOf(numbers: Numbers): Metrics {
  return {
    ...daemonMetrics(numbers),
    ...bucketMetrics(numbers),
    alarm_state: [
      '1 for the current state of an alarm, which is DISABLED while monitoring of its bucket is off',
      numbers.alarms.flatMap(({ name, bucket, state, monitored }) =>
        states(
          { alarm: name, bucket },
          [...ALARM_STATES, 'DISABLED'],
          monitored ? state : 'DISABLED',
        ),
      ),
    ],
    ...jobMetrics(numbers),
    ...storeMetrics(numbers),
  };
}

function daemonMetrics({ version, startedAt, requests }: Numbers): Metrics {
  return {
    build_info: ['Version of the running daemon', [[{ version }, 1]]],
    start_timestamp_seconds: ['Start time of the daemon', [[{}, startedAt / 1000]]],
    requests_total: [
      'Requests to the embedded store by operation and HTTP status',
      requests.map(({ operation, status, count }) => [{ operation, status: `${status}` }, count]),
    ],
  };
}

function bucketMetrics({ buckets, monitored }: Numbers): Metrics {
  const each = (valueOf: (bucket: BucketMetrics) => number) =>
    buckets.map((bucket): Value => [{ bucket: bucket.name }, valueOf(bucket)]);
  return {
    bucket_size_bytes: [
      'BucketSizeBytes: all versions and the parts of unfinished multipart uploads',
      each(bucketSizeBytes),
    ],
    bucket_objects: [
      'NumberOfObjects: all versions, delete markers and the parts of unfinished multipart uploads',
      each(numberOfObjects),
    ],
    bucket_monitored: [
      '1 if the bucket is monitored: its metrics are recorded and its alarms are evaluated',
      each(({ name }) => (monitored.has(name) ? 1 : 0)),
    ],
  };
}

function jobMetrics({ jobs, now }: Numbers): Metrics {
  const each = (valueOf: (job: JobStatus) => number | undefined) =>
    jobs.flatMap((job): Value[] => {
      const value = valueOf(job);
      return value === undefined ? [] : [[{ job: job.name }, value]];
    });
  return {
    job_state: [
      '1 for the current state of a job',
      jobs.flatMap(({ name, state }) => states({ job: name }, JOB_STATES, state)),
    ],
    job_protection: [
      '1 for the current protection of a job: protected, kept (against mistakes only), at risk or unknown',
      jobs.flatMap(({ name, protection }) => states({ job: name }, PROTECTIONS, protection.is)),
    ],
    job_in_sync: ['1 if a job has no pending changes', each(({ inSync }) => (inSync ? 1 : 0))],
    job_durable_until_timestamp_seconds: [
      'All detected changes before this time are durable in the bucket',
      each(({ state, lagMs }) => (SEEING.has(state) ? (now - lagMs) / 1000 : undefined)),
    ],
    job_last_round_timestamp_seconds: [
      'End of the last full sync round',
      each(({ lastFullRoundAt: at }) => at && at / 1000),
    ],
    job_pending_changes: ['Changes that are not yet durable', each(({ counts }) => counts.pending)],
    job_pending_bytes: [
      'Bytes of the changes that are not yet durable',
      each(({ counts }) => counts.pendingBytes),
    ],
    job_files: ['Files in the folder', each(({ counts }) => counts.files)],
    job_problems: ['Paths that cannot be mirrored', each(({ counts }) => counts.problems)],
    job_conflicts: ['Paths that changed on both sides', each(({ counts }) => counts.conflicts)],
    job_uploaded_versions_total: [
      'Versions uploaded since the daemon started',
      each(({ counts }) => counts.uploadedVersions),
    ],
    job_uploaded_bytes_total: [
      'Bytes uploaded since the daemon started',
      each(({ counts }) => counts.uploadedBytes),
    ],
  };
}

function storeMetrics({ health, waitingWrites }: Numbers): Metrics {
  const { state, damagedCount, scrub, clockAheadMs } = health;
  const finishedAt = scrub?.finishedAt ?? undefined;
  const one = (value: number | undefined): Value[] => (value === undefined ? [] : [[{}, value]]);
  return {
    store_state: [
      '1 for the current state of the embedded store',
      states({}, HEALTH_STATES, state),
    ],
    store_quarantined_blobs: ['Quarantined blobs, whose content is damaged', one(damagedCount)],
    store_waiting_writes: ['Writes that wait for the disk', one(waitingWrites)],
    store_clock_ahead_seconds: [
      'How far the system clock is ahead of the trusted time, which decides when locks end',
      one(clockAheadMs / 1000),
    ],
    store_scrub_running: ['1 while a scrub runs', one(scrub && !finishedAt ? 1 : 0)],
    store_scrub_finished_timestamp_seconds: [
      'End of the last scrub; absent while a scrub runs',
      one(finishedAt && finishedAt / 1000),
    ],
    store_scrub_bytes: ['Bytes that the current or last scrub has read', one(scrub?.bytes)],
    store_scrub_damaged_blobs: [
      'Damaged blobs that the current or last scrub has found',
      one(scrub?.damaged),
    ],
  };
}

function states<S extends string>(
  labels: Readonly<Record<string, string>>,
  all: readonly S[],
  current: S,
): Value[] {
  return all.map((state) => [{ ...labels, state }, state === current ? 1 : 0]);
}
