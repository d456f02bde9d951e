/**
 * Data of the fake daemon for the tour. It contains at least one item of each kind that the
 * dashboard shows, in different states.
 */

import { ControlError } from '../../src/control/control-error.ts';
import { seededStore } from '../helpers/tui/bucket-seeds.ts';
import { clusterAnswers } from '../helpers/tui/cluster-seeds.ts';
import { SeededConflicts, seededConflict } from '../helpers/tui/conflict-seeds.ts';
import { jobAnswers, JOBS, jobsStatus } from '../helpers/tui/job-seeds.ts';
import { lockAnswers } from '../helpers/tui/lock-seeds.ts';
import { metricAnswers, seededAlarm } from '../helpers/tui/metric-seeds.ts';
import { SeededHistory } from '../helpers/tui/restore-seeds.ts';
import { SeededDaemon } from '../helpers/tui/seeded-daemon.ts';
import type { Answers } from '../helpers/tui/seeded-daemon.ts';
import { NOW, seededJob, seededStatus } from '../helpers/tui/seeds.ts';
import { settingAnswers } from '../helpers/tui/setting-seeds.ts';

const DAY_MS = 86_400_000;

export function tourDaemon(answers: Answers = {}): SeededDaemon {
  const [store, history, conflicts] = [pictures(), new SeededHistory(), someConflicts()];
  const [stored, past, sided] = [store.answers(), history.answers(), conflicts.answers()];
  const daemon = new SeededDaemon({
    ...stored,
    ...past,
    ...settingAnswers,
    ...sided,
    ...clusterAnswers,
    ...lockAnswers,
    ...metricAnswers,
    ...jobAnswers,
    status: () => ({ ...jobsStatus(withConflicts(conflicts)), alarms: [seededAlarm()] }),
    'buckets.list': ({ target }) => bucketsOf(target),
    'buckets.describe': (asked) =>
      asked.target === undefined ? stored['buckets.describe']!(asked) : described(asked.bucket),
    'metrics.get': (asked) =>
      (['logs', 'photos'].includes(asked.bucket) ? metricAnswers : stored)['metrics.get']!(asked),
    'quotas.getBucket': (asked) =>
      Object.assign({}, settingAnswers['quotas.getBucket']!(asked), {
        usage: { objects: 10, sizeBytes: PHOTO_BYTES },
      }),
    'objects.get': (asked) => {
      if (asked.bucket === 'photos') return past['objects.get']!(asked);
      if (!asked.key.endsWith('.jpg')) return stored['objects.get']!(asked);
      const info = { sizeBytes: PHOTO_BYTES, etag: '"e"', lastModifiedAt: NOW };
      return { stream: daemon.offer(JPEG.subarray(0, (asked.range?.end ?? 0) + 1)), info };
    },
    'versioning.get': ({ bucket }) => (bucket === 'scratch' ? {} : { versioning: 'Enabled' }),
    'locks.get': ({ bucket }) =>
      ['archive', 'photos'].includes(bucket)
        ? { defaultRetention: { mode: 'GOVERNANCE', days: 30 } }
        : {},
    'links.create': ({ bucket, key, expiresSeconds }) => {
      const query = `X-Amz-Expires=${expiresSeconds}&X-Amz-Signature=${'5f3c9a1e'.repeat(8)}`;
      const url = `http://127.0.0.1:9000/${bucket}/${key}?${query}`;
      return { url, expiresAt: NOW + expiresSeconds * 1_000, local: true };
    },
    ...JOB_FORMS,
    'conflicts.sides': async (asked) => {
      const { conflict, local, remote } = await sided['conflicts.sides']!(asked);
      const of = (side: typeof local, quarter: string) =>
        Object.assign(side, { stream: daemon.offer(reportOf(quarter, side.sizeBytes)) });
      return { conflict, local: of(local, 'third'), remote: of(remote, 'fourth') };
    },
    'proof.verify': () => ({ stream: daemon.offer(FINDINGS) }),
    ...answers,
  });
  store.daemon = daemon;
  history.daemon = daemon;
  daemon.onUpload = store.received;
  return daemon;
}

function bucketsOf(target = 'local') {
  const names = target === 'local' ? ['archive', 'home', 'scratch'] : ['logs', 'media', 'photos'];
  return { buckets: names.map((name) => ({ name, createdAt: NOW - 90 * DAY_MS })) };
}

/** Returns the facts of a job's bucket at the target `eu`, whose service reports no number of current objects. */
function described(bucket: string) {
  const { files = 0, bytes = 0 } = JOBS.find((job) => job.bucket === bucket)?.counts ?? {};
  return {
    location: 'eu-1',
    owner: 'ada',
    versioning: 'Enabled' as const,
    usage: { objects: files, sizeBytes: bytes },
    tags: [],
    grants: [],
    configured: [],
  };
}

const SOURCE = `/**
 * Copies the pictures of a day.
 */
import { cp, readdir } from 'node:fs/promises';

const FOLDER = '/home/ada/Photos';
const RETRIES = 3;

export async function copyDay(day: Date, to: string): Promise<number> {
  const names = await readdir(\`\${FOLDER}/\${day.toISOString().slice(0, 10)}\`);
  for (const name of names) {
    // A file that cannot be read is not copied.
    await cp(name, to, { recursive: true }).catch(() => undefined);
  }
  return names.length === 0 ? 0 : names.length / RETRIES;
}
`;

const counts = {
  entries: 48_213,
  bytes: 1.24e12,
  changedMeanwhile: 0,
  readBack: 0,
  readBackBytes: 0,
};
/** The findings of a verification. */
const FINDINGS = [
  { is: 'finding', path: '2026/07/pano.tif', code: 'missing', message: 'is not in the bucket' },
  { is: 'finding', path: 'notes.md', code: 'different', message: 'differs from the bucket' },
  { is: 'done', ...counts, toBeLocked: 0, findings: 2 },
];

const PHOTO_BYTES = 4_100_000;
/** The start of a JPEG image of 4032 x 3024 pixels. */
const JPEG = Buffer.alloc(65_536, 'ffd8ffc00011080bd00fc003012200021101031101ffda9f3c71d6', 'hex');

/** Answers of the daemon to the forms and questions of a job. */
const JOB_FORMS: Answers = {
  'jobs.get': () => ({
    name: 'photos',
    settings: {
      name: 'photos',
      folder: '~/Photos',
      bucket: 'photos',
      exclude: ['*.tmp'],
      keep: { all: '2y' },
    },
    defaults: { conflict: 'keep-both', paused: false },
    options: ['name', 'folder', 'bucket', 'exclude', 'conflict', 'keep'],
  }),
  'jobs.edit': ({ changes }) => {
    const text = `    conflict: ${String(changes['conflict'])}`;
    return { diff: [{ is: 'added', text }], problems: [] };
  },
  'jobs.plan': ({ bucket = 'music' }) => ({
    name: 'music',
    bucket,
    bucketExists: false,
    existing: false,
    notes: [],
    diff: ['  - name: music', '    folder: ~/Music'].map((text) => ({ is: 'added', text })),
    problems: [],
  }),
  'jobs.keep': () => {
    const left = { retained: 3, needed: 0, others: 0, undated: 0, failed: 0 };
    return { ...left, versions: 1_204, bytes: 98_000_000_000, markers: 31 };
  },
  'jobs.keep.preview': ({ rules }) => ({
    rules: rules.map((_, at) => ({ versions: 8_204 * at, bytes: 19.4e9 * at })),
    versions: 41_208,
    bytes: 98e9,
    oldestAt: NOW - 400 * DAY_MS,
  }),
};

function pictures() {
  const store = seededStore();
  const photo = store.version({ bucket: 'archive', key: '2026/07/IMG_0001.jpg' });
  Object.assign(photo, {
    body: 'x'.repeat(PHOTO_BYTES),
    attributes: { contentType: 'image/jpeg', metadata: { camera: 'X100V' } },
    tags: [{ key: 'team', value: 'photos' }],
  });
  for (const name of ['home', 'logs', 'media']) store.addBucket(name, 'Enabled');
  const readme = [
    '# Archive',
    '',
    'Contracts and pictures since 2019.',
    '',
    '- contracts',
    '- thumbs',
  ];
  store.put('archive', '2026/07/README.md', `${readme.join('\n')}\n`);
  store.put('home', 'scripts/backup.ts', SOURCE);
  return store;
}

/** Returns the content of one side of a conflict. */
function reportOf(quarter: string, sizeBytes = 0): string {
  const rows = Array.from({ length: 60 }, (_, at) => `- region ${at + 1}: ${at * 37} orders`);
  return ['# Report', '', `Orders of the ${quarter} quarter`, '', ...rows]
    .join('\n')
    .slice(0, sizeBytes);
}

function someConflicts(): SeededConflicts {
  return new SeededConflicts({
    media: [
      seededConflict(),
      seededConflict({ id: '', path: 'notes.md', state: 'held', retainUntil: undefined }),
      seededConflict({ id: 'j3', path: 'pano\nname.tif', side: 'folder', sizeBytes: 1.9e9 }),
    ],
    home: [seededConflict({ id: 'j4', path: '.profile', wish: 'remote', retainUntil: undefined })],
  });
}

function withConflicts({ jobs }: SeededConflicts) {
  const open = (name: string) => (jobs[name] ?? []).filter(({ state }) => state !== 'resolved');
  return JOBS.map((job) =>
    Object.assign({}, job, { counts: { ...job.counts, conflicts: open(job.name).length } }),
  );
}

/** A daemon with only one job, which is in sync. */
export const QUIET: Answers = {
  status: () => ({ ...seededStatus(), jobs: [seededJob()] }),
  throughput: () => ({
    samples: [],
    jobs: [],
    today: { since: NOW - 43_200_000, bytes: 0, readBytes: 0, versions: 0, errors: 0 },
  }),
  'alerts.list': () => ({ alerts: [] }),
};

/** A daemon without any job, bucket or cluster. */
export const EMPTY: Answers = {
  ...QUIET,
  status: () => ({ ...seededStatus(), jobs: [] }),
  'buckets.list': () => ({ buckets: [] }),
  'targets.list': () => ({ targets: [] }),
  'clusters.list': () => ({ clusters: [] }),
  'metrics.list': () => ({ buckets: [] }),
  'alarms.list': () => ({ alarms: [] }),
  'locks.summary': () => ({
    modes: [],
    jobs: [],
    days: [],
    retained: [],
    renewalsDue: 0,
    retainedCount: 0,
    unopened: [],
    buckets: [],
  }),
};

/** A service that refuses all requests for its content. */
export const REFUSED: Answers = {
  'objects.list': () => {
    throw new ControlError('Storage', 'list archive: access denied', {
      storageCode: 'AccessDenied',
    });
  },
};
