/**
 * Jobs of the fake daemon in different states: mirroring, scanning, idle, and with changes that are
 * held for review.
 */

import type { Answers } from './seeded-daemon.ts';
import { SPANS } from '../../../src/monitoring/recent-points.ts';
import type { JobStatus, Status } from '../../../src/control/shapes.ts';
import { NOW, seededJob, seededStatus } from './seeds.ts';

const DAY_MS = 86_400_000;
const { counts } = seededJob();

const HELD =
  '1,204 deletes are held: the limit of the job is 310 in 10 minutes; their objects stay in the bucket';

const REMOTE = {
  target: 'eu',
  targetUrl: 'https://storage.example.com',
  placement: 'elsewhere',
} as const;

export const JOBS: readonly JobStatus[] = [
  seededJob({
    state: 'mirroring',
    inSync: false,
    ...REMOTE,
    lagMs: 400,
    counts: { ...counts, pending: 812, pendingBytes: 2_600_000_000 },
    progress: {
      share: 0.62,
      remainingFiles: 812,
      remainingBytes: 434_000_000,
      bytesPerSecond: 31_000_000,
      operationsPerSecond: 240,
      etaMs: 14_000,
    },
    proof: {
      lastProvenRestorableAt: Date.UTC(2026, 10, 20, 3),
      lastDrillAt: Date.UTC(2026, 10, 20, 3),
      drillFailures: 0,
      verifiedShare: 0.43,
      damagedEarlier: 0,
      damaged: 0,
      bytesPerDay: 41_000_000_000,
      daysPerPass: 30,
    },
    locks: {
      locked: 41_208,
      bytes: 98_000_000_000,
      unlocked: 0,
      earliestUntil: NOW + 21 * DAY_MS,
      firstLapseDays: 21,
      renewalsDue: 3,
      failing: 0,
      released: 0,
      deferred: 0,
      retained: 12,
      retainedUntil: NOW + 2 * DAY_MS,
      renewalRight: 'proven',
    },
  }),
  seededJob({
    name: 'logs',
    folder: '/var/log',
    bucket: 'logs',
    ...REMOTE,
    state: 'scanning',
    inSync: false,
    counts: { ...counts, files: 910, bytes: 4_200_000_000, pending: 40, pendingBytes: 90_000_000 },
    progress: {
      share: 0.41,
      remainingFiles: 40,
      remainingBytes: 90_000_000,
      bytesPerSecond: 0,
      operationsPerSecond: 11,
    },
  }),
  seededJob({
    name: 'home',
    folder: '/home/ada',
    bucket: 'home',
    counts: { ...counts, files: 21_480, bytes: 64_000_000_000 },
  }),
  seededJob({
    name: 'media',
    folder: '/home/ada/Media',
    bucket: 'media',
    ...REMOTE,
    state: 'held',
    reason: HELD,
    inSync: false,
    counts: { ...counts, files: 3_100, bytes: 4_340_000_000_000, held: 1_204, problems: 2 },
    problems: [
      { path: 'a\u{1b}[31m.mkv', code: 'busy', message: 'a program is writing to it' },
      { path: 'films/draft.mkv', code: 'unreadable', message: 'permission denied' },
    ],
  }),
];

export function jobsStatus(jobs: readonly JobStatus[] = JOBS): Status {
  return {
    ...seededStatus(),
    disk: { freeBytes: 190_000_000_000, sizeBytes: 1_000_000_000_000 },
    jobs: [...jobs],
  };
}

/** Throughput samples of one minute. The values rise and fall, and end at the rate of the mirroring job. */
const samples = Array.from({ length: 60 }, (_, second) => {
  const height = 1 + Math.sin(second / 6 + 3.65);
  return {
    at: NOW - (60 - second) * 1_000,
    bytesPerSecond: height * 20_000_000,
    operationsPerSecond: height * 150,
  };
});

const GONE = Array.from({ length: 1_204 }, (_, index) => {
  const path = `films/${String(index).padStart(4, '0')}.mkv`;
  return { path, change: 'delete' as const, bytes: 1_400_000_000 };
});

export const GONE_GROUP = {
  folder: 'films/',
  isDirect: true,
  deletes: GONE.length,
  overwrites: 0,
  renames: 0,
  bytes: GONE.length * 1_400_000_000,
};

export const DIGEST = '0123456789abcdef';

export const jobAnswers: Answers = {
  status: () => jobsStatus(),
  throughput: () => {
    const today = {
      since: NOW - 43_200_000,
      bytes: 1.24e12,
      readBytes: 0,
      versions: 41_208,
      errors: 7,
    };
    return { samples, jobs: [], today };
  },
  'throughput.series': ({ metric, span }) => {
    const { stepMs, points } = SPANS[span];
    const from = NOW - points * stepMs;
    const tops = { bytes: 30_000 * stepMs, operations: stepMs / 5, versions: 900, lag: 90_000 };
    // A metric has no values for a time in which the daemon was stopped.
    const value = (index: number) =>
      index % 40 === 30 ? null : Math.round(tops[metric] * (1 + Math.sin(index / 6)) * 0.5);
    return { from, stepMs, to: NOW, values: Array.from({ length: points }, (_, at) => value(at)) };
  },
  'alerts.list': () => {
    const reason = 'held for 2 h: 1,204 deletes at once';
    return { alerts: [{ job: 'media', kind: 'held', reason, since: NOW - 7_200_000 }] };
  },
  'jobs.queue': ({ reason, after }) => {
    const rows = QUEUE.filter((row) => reason === undefined || row.reason === reason);
    const from = after === undefined ? 0 : Number(after);
    const page = rows.slice(from, from + 1_000);
    const next = from + 1_000 < rows.length ? { next: String(from + 1_000) } : {};
    return { rows: page, counts: QUEUE_COUNTS, ...next };
  },
  'jobs.history': ({ before }) => {
    const number = 7;
    const startedAt = NOW - 120_000;
    const round = { number, rounds: 1, startedAt, endedAt: NOW - 118_700, actions: 300 };
    const done = { versions: 300, bytes: 6_000_000, deletes: 2 };
    return { rounds: before === undefined ? [{ ...round, kind: 'listing', ...done }] : [] };
  },
  'jobs.locks': () => {
    const days = [{ day: NOW + 21 * DAY_MS, versions: 41_208, bytes: 98_000_000_000 }];
    const what = 'an earlier version';
    return { days, retained: [{ key: 'old.mkv', until: NOW + 2 * DAY_MS, what }] };
  },
  'jobs.review': ({ after, limit }) => {
    const from = after === undefined ? 0 : GONE.findIndex(({ path }) => path === after) + 1;
    const changes = GONE.slice(from, from + limit);
    const last = changes.at(-1)?.path;
    const next = from + limit < GONE.length && last !== undefined ? { next: last } : {};
    const groups = [GONE_GROUP];
    return { changes, total: GONE.length, digest: DIGEST, groups, reason: HELD, ...next };
  },
  'targets.list': () => {
    const endpoint = 'https://storage.example.com';
    return {
      targets: [
        {
          name: 'eu',
          endpoint,
          region: 'eu-1',
          protocol: 'svc',
          jobs: ['photos', 'logs', 'media'],
        },
      ],
    };
  },
};

type QueueRow = Awaited<ReturnType<NonNullable<Answers['jobs.queue']>>>['rows'][number];

/** Queue with 100,000 files that failed with an error, and one file for each other reason. */
const QUEUE: readonly QueueRow[] = [
  ...Array.from({ length: 100_000 }, (_, index): QueueRow => {
    // The first name tries to hide its extension.
    const path = `raw/${String(index).padStart(5, '0')}${index === 0 ? '\n\u{202e}gpj.exe' : '.cr3'}`;
    return { path, reason: 'error', detail: 'permission denied', until: NOW + 60_000 };
  }),
  { path: 'notes.md', reason: 'conflict', detail: 'changed here and in the bucket' },
  { path: 'films/0000.mkv', reason: 'held', detail: 'one of many deletes' },
  { path: 'draft.odt', reason: 'busy', detail: 'a program wrote to it while it was read' },
];

const QUEUE_COUNTS = {
  error: 100_000,
  conflict: 1,
  held: 1,
  drifted: 0,
  busy: 1,
  waiting: 0,
  retained: 0,
};
