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
  const [stored, past] = [store.answers(), history.answers()];
  const daemon = new SeededDaemon({
    ...stored,
    ...past,
    ...settingAnswers,
    ...conflicts.answers(),
    ...clusterAnswers,
    ...lockAnswers,
    ...metricAnswers,
    ...jobAnswers,
    status: () => ({ ...jobsStatus(withConflicts(conflicts)), alarms: [seededAlarm()] }),
    'buckets.list': ({ target }) => bucketsOf(target),
    'metrics.get': (asked) =>
      (['logs', 'photos'].includes(asked.bucket) ? metricAnswers : stored)['metrics.get']!(asked),
    'objects.get': (asked) => (asked.bucket === 'photos' ? past : stored)['objects.get']!(asked),
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

function pictures() {
  const store = seededStore();
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
