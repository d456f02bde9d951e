/**
 * The daemon's numbers in the text format of Prometheus. Names follow its conventions: `holdfast_` first, the unit
 * last, `_total` for what only grows; a state is one gauge for each of its values, of which one is 1.
 */

import { Counter, Gauge, Registry } from 'prom-client';

import type { Protection } from '../src/control/protection.ts';
import type { JobStatus } from '../src/control/shapes.ts';
import {
  type BucketMetrics,
  bucketSizeBytes,
  numberOfObjects,
} from '../src/engine/reads/bucket-metrics.ts';
import type { StoreHealth } from '../src/engine/maintenance/upkeep.ts';
import { ALARM_STATES, type Alarm } from '../src/monitoring/alarm.ts';
import type { RequestCount } from './request-counter.ts';

export interface Numbers {
  readonly version: string;
  readonly now: number;
  readonly startedAt: number;
  readonly buckets: readonly BucketMetrics[];
  /** Names of those that are. */
  readonly monitored: ReadonlySet<string>;
  readonly alarms: readonly Alarm[];
  readonly jobs: readonly JobStatus[];
  readonly health: StoreHealth;
  /** Writes to the store that wait for the disk. */
  readonly waitingWrites: number;
  readonly requests: readonly RequestCount[];
}

type Value = readonly [labels: Readonly<Record<string, string>>, value: number];

const JOB_STATES = [
  ...(['starting', 'scanning', 'mirroring', 'watching', 'paused', 'waiting'] as const),
  ...(['root missing', 'no room', 'clock', 'held', 'failed', 'stopped'] as const),
] satisfies readonly JobStatus['state'][];
/** In these a job sees each change, and its lag says how far it is. */
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
    // One without a value would be told as 0.
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

/** All there are: what each is called, and what it says. A test holds docs/prometheus.md to it. */
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
      'Whether an alarm is in that state; DISABLED while monitoring of its bucket is off',
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
    build_info: ['The release that runs', [[{ version }, 1]]],
    start_timestamp_seconds: ['When the daemon began', [[{}, startedAt / 1000]]],
    requests_total: [
      'Requests to the embedded store that were answered',
      requests.map(({ operation, status, count }) => [{ operation, status: `${status}` }, count]),
    ],
  };
}

function bucketMetrics({ buckets, monitored }: Numbers): Metrics {
  const each = (valueOf: (bucket: BucketMetrics) => number) =>
    buckets.map((bucket): Value => [{ bucket: bucket.name }, valueOf(bucket)]);
  return {
    bucket_size_bytes: [
      'BucketSizeBytes: all versions, and the parts of open uploads',
      each(bucketSizeBytes),
    ],
    bucket_objects: [
      'NumberOfObjects: all versions, delete markers, and the parts of open uploads',
      each(numberOfObjects),
    ],
    bucket_monitored: [
      'Whether a series of the bucket is kept and its alarms are awake',
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
      'Whether a job is in that state',
      jobs.flatMap(({ name, state }) => states({ job: name }, JOB_STATES, state)),
    ],
    job_protection: [
      'Whether the files of a job are protected, kept against mistakes only, at risk, or not known to be either',
      jobs.flatMap(({ name, protection }) => states({ job: name }, PROTECTIONS, protection.is)),
    ],
    job_in_sync: ['Whether nothing is left to do', each(({ inSync }) => (inSync ? 1 : 0))],
    job_durable_until_timestamp_seconds: [
      'What was changed before this instant is durable in the bucket, as far as the job sees changes',
      each(({ state, lagMs }) => (SEEING.has(state) ? (now - lagMs) / 1000 : undefined)),
    ],
    job_last_round_timestamp_seconds: [
      'When the last full round ended',
      each(({ lastFullRoundAt: at }) => at && at / 1000),
    ],
    job_pending_changes: ['Changes that are not yet durable', each(({ counts }) => counts.pending)],
    job_pending_bytes: ['Their bytes', each(({ counts }) => counts.pendingBytes)],
    job_files: ['Files in the folder', each(({ counts }) => counts.files)],
    job_problems: ['Paths that cannot be mirrored', each(({ counts }) => counts.problems)],
    job_conflicts: ['Paths that changed on both sides', each(({ counts }) => counts.conflicts)],
    job_uploaded_versions_total: [
      'Versions made since the daemon began',
      each(({ counts }) => counts.uploadedVersions),
    ],
    job_uploaded_bytes_total: [
      'Bytes sent since the daemon began',
      each(({ counts }) => counts.uploadedBytes),
    ],
  };
}

function storeMetrics({ health, waitingWrites }: Numbers): Metrics {
  const { state, damagedCount, scrub, clockAheadMs } = health;
  const finishedAt = scrub?.finishedAt ?? undefined;
  const one = (value: number | undefined): Value[] => (value === undefined ? [] : [[{}, value]]);
  return {
    store_state: ['How the embedded store stands', states({}, HEALTH_STATES, state)],
    store_quarantined_blobs: ['Blobs whose bytes are damaged', one(damagedCount)],
    store_waiting_writes: ['Writes that wait for the disk', one(waitingWrites)],
    store_clock_ahead_seconds: [
      'How far the clock is ahead of the time that locks are judged by',
      one(clockAheadMs / 1000),
    ],
    store_scrub_running: ['Whether all bytes are being read', one(scrub && !finishedAt ? 1 : 0)],
    store_scrub_finished_timestamp_seconds: [
      'When the last scrub ended, if none is under way',
      one(finishedAt && finishedAt / 1000),
    ],
    store_scrub_bytes: ['Bytes read by it, or by the one under way', one(scrub?.bytes)],
    store_scrub_damaged_blobs: ['Damaged blobs that it found', one(scrub?.damaged)],
  };
}

function states<S extends string>(
  labels: Readonly<Record<string, string>>,
  all: readonly S[],
  current: S,
): Value[] {
  return all.map((state) => [{ ...labels, state }, state === current ? 1 : 0]);
}
