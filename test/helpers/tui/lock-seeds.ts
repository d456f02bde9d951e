/** Locks of two jobs of the fake daemon. The locks of the second job cannot be extended. */

import type { Result } from '../../../src/control/messages.ts';
import type { Answers } from './seeded-daemon.ts';
import { NOW, seededJob, seededStatus } from './seeds.ts';

const DAY_MS = 86_400_000;
const MIDNIGHT = Date.UTC(2026, 10, 21);

type Summary = Result<'locks.summary'>;
type Locks = Summary['jobs'][number]['locks'];

export function seededLocks(changes: Partial<Locks> = {}): Locks {
  return {
    locked: 48_213,
    bytes: 1.2e12,
    unlocked: 0,
    earliestUntil: NOW + 12 * DAY_MS,
    firstLapseDays: 12,
    renewalsDue: 140,
    failing: 0,
    released: 3,
    deferred: 0,
    retained: 2,
    renewalRight: 'proven',
    ...changes,
  };
}

export function lockSummary(): Summary {
  return {
    modes: [
      { mode: 'GOVERNANCE', versions: 48_213, bytes: 1.2e12 },
      { mode: 'COMPLIANCE', versions: 120, bytes: 4e9 },
    ],
    jobs: [
      { name: 'photos', mode: 'GOVERNANCE', locks: seededLocks() },
      {
        name: 'papers\u{202e}',
        mode: 'COMPLIANCE',
        locks: seededLocks({
          locked: 120,
          bytes: 4e9,
          unlocked: 4,
          failing: 2,
          firstLapseDays: 1,
          earliestUntil: NOW + DAY_MS,
          renewalRight: 'refused',
          reason: 'AccessDenied: may not extend',
        }),
      },
    ],
    days: [
      { day: MIDNIGHT + DAY_MS, versions: 12, bytes: 3e6 },
      { day: MIDNIGHT + 12 * DAY_MS, versions: 1_200, bytes: 5e9 },
      { day: MIDNIGHT + 40 * DAY_MS, versions: 400, bytes: 2e9 },
    ],
    retained: [
      {
        job: 'photos',
        key: 'old/IMG_1.jpg',
        versionId: 'v1',
        until: NOW + 5 * DAY_MS,
        what: 'purge',
      },
      { job: 'photos', key: 'bad\nname', until: NOW + 9 * DAY_MS, what: 'purge' },
    ],
    renewalsDue: 280,
    retainedCount: 150,
    unopened: [],
    buckets: [
      {
        bucket: 'archive',
        versions: 31,
        defaultRetention: { mode: 'GOVERNANCE', days: 30 },
        isCounting: false,
        counted: {
          at: NOW - 60_000,
          hasChanged: false,
          modes: [
            { mode: 'COMPLIANCE', versions: 1, bytes: 4e6 },
            { mode: 'GOVERNANCE', versions: 30, bytes: 3e8 },
          ],
          held: { versions: 2, bytes: 5e6 },
        },
      },
      { bucket: 'photos', versions: 48_500, isCounting: true },
    ],
  };
}

export const lockAnswers: Answers = {
  status: () => ({
    ...seededStatus(),
    jobs: [seededJob(), seededJob({ name: 'papers\u{202e}', bucket: 'papers' })],
  }),
  'locks.summary': lockSummary,
  'locks.get': ({ bucket }) =>
    bucket === 'photos' ? { defaultRetention: { mode: 'GOVERNANCE', days: 30 } } : {},
  'jobs.why': ({ path = '' }) => ({
    job: 'photos',
    path,
    isHead: true,
    retention: { mode: 'GOVERNANCE', retainUntil: NOW + 12 * DAY_MS },
    legalHold: false,
    terms: { mode: 'GOVERNANCE', days: 30, refreshDays: 15 },
    released: false,
    ends: 'the job renews its retention until the file is deleted',
  }),
  'jobs.release': () => ({ versions: 2, firstEnd: NOW + DAY_MS, lastEnd: NOW + 12 * DAY_MS }),
};
