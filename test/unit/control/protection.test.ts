/**
 * Tests of the protection that is derived from a job's status: protected, kept, at risk or unknown.
 */

import { describe, expect, test } from 'vitest';

import { DAY_MS } from '../../../src/base/durations.ts';
import { protectionOf, protectionText } from '../../../src/control/protection.ts';
import type { JobStatus } from '../../../src/control/shapes.ts';
import { jobStatus } from '../../helpers/job-status.ts';

const NOW = 100 * DAY_MS;
const PROOF = {
  lastProvenRestorableAt: NOW - DAY_MS,
  drillFailures: 0,
  verifiedShare: 1,
  damaged: 0,
  damagedEarlier: 0,
  bytesPerDay: 0,
  proven: { files: 1, bytes: 1, days: 30 },
};
const LOCKS = {
  locked: 5012,
  bytes: 1,
  unlocked: 0,
  renewalsDue: 0,
  failing: 0,
  released: 0,
  deferred: 0,
  retained: 0,
  renewalRight: 'proven',
} as const;

type Changes = Parameters<typeof jobStatus>[0];

function protectionTextOf(changes: Changes): string {
  const tested = { lastFullRoundAt: NOW, proof: PROOF, placement: 'elsewhere' } as const;
  return protectionText(protectionOf({ job: jobStatus({ ...tested, ...changes }), now: NOW }));
}

test.each<[JobStatus['placement'], string]>([
  ['elsewhere', 'protected'],
  ['same disk', 'kept against mistakes only: the store is on the same disk as the folder'],
  ['this machine', 'kept against mistakes only: the service is on this machine'],
])(
  'Holdfast describes the protection of a job in sync by the location of its bucket: %s',
  (placement, text) => {
    expect(protectionTextOf({ placement })).toBe(text);
  },
);

test.each<[string, Changes]>([
  [
    'root missing: it is gone: holdfast job show photos',
    { state: 'root missing', reason: 'it is gone' },
  ],
  ['failed: holdfast job show photos', { state: 'failed' }],
  ['2 files held for review: holdfast job review photos', { counts: { held: 2 } }],
  ['1,204 files held for review: holdfast job review photos', { counts: { held: 1_204 } }],
  [
    'it looks like an attack: holdfast job review photos',
    { state: 'held', reason: 'it looks like an attack' },
  ],
  ['1 file in conflict: holdfast conflict list photos', { counts: { conflicts: 1 } }],
  [
    '1 file changed in the bucket: holdfast job queue photos --reason drifted',
    { counts: { drifted: 1 } },
  ],
  ['3 files with a problem: holdfast job show photos', { counts: { problems: 3 } }],
  [
    '2 damaged versions in the bucket: holdfast job show photos',
    { proof: { ...PROOF, damaged: 2 }, counts: { problems: 2 } },
  ],
  [
    '1 file not locked as configured: holdfast lock list photos',
    { locks: { ...LOCKS, unlocked: 1 } },
  ],
  [
    '1 file whose lock cannot be renewed: holdfast lock list photos',
    { locks: { ...LOCKS, failing: 1 } },
  ],
  [
    'locks cannot be renewed: holdfast lock list photos',
    { locks: { ...LOCKS, renewalRight: 'refused' } },
  ],
  [
    '4 files failed the last restore test: holdfast test photos',
    { proof: { ...PROOF, drillFailures: 4 } },
  ],
  [
    '2 files not in the bucket yet, the oldest for 5 min: holdfast job queue photos',
    { state: 'mirroring', lagMs: 5 * 60_000, counts: { pending: 2 } },
  ],
  [
    'the job is paused since 14:03: 1 file not in the bucket yet, the oldest for 5 min: holdfast job resume photos',
    { state: 'paused', reason: 'since 14:03', lagMs: 5 * 60_000, counts: { pending: 1 } },
  ],
])('Holdfast describes a job as at risk: %s', (text, changes) => {
  expect(protectionTextOf(changes)).toBe(`at risk: ${text}`);
});

test.each<[string, Changes]>([
  ['the job is paused and backs up no changes: holdfast job resume photos', { state: 'paused' }],
  [
    'the job is paused since 2026-11-21 14:03 and backs up no changes: holdfast job resume photos',
    { state: 'paused', reason: 'since 2026-11-21 14:03' },
  ],
  [
    'the folder has not been compared with the bucket yet: holdfast wait photos',
    { state: 'scanning', lastFullRoundAt: undefined, lastRoundAt: NOW },
  ],
  ['no restore test has passed yet: holdfast test photos', { proof: undefined }],
  [
    'no restore test has passed for 31 days: holdfast test photos',
    { proof: { ...PROOF, lastProvenRestorableAt: NOW - 31 * DAY_MS } },
  ],
])('Holdfast describes the protection of a job as unknown: %s', (text, changes) => {
  expect(protectionTextOf(changes)).toBe(`unknown: ${text}`);
});

describe('protected jobs', () => {
  test.each<[string, Changes]>([
    [
      'with a change in the last minute',
      { state: 'mirroring', lagMs: 60_000, counts: { pending: 1 } },
    ],
    [
      'with changes that wait for its schedule',
      { lagMs: 3_600_000, counts: { pending: 9 }, manners: { nextRunAt: NOW + DAY_MS } },
    ],
    ['with sockets and pipes in the folder', { counts: { skipped: 2 } }],
    [
      'without files, for which no restore test is possible',
      { proof: undefined, counts: { files: 0 } },
    ],
  ])('Holdfast describes a job %s as protected', (_, changes) => {
    expect(protectionTextOf(changes)).toBe('protected');
  });
});
