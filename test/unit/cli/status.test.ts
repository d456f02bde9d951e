/** Tests of the line that `holdfast status` prints for a job. */

import { expect, test } from 'vitest';

import { jobLines } from '../../../src/cli/commands/daemon/status.ts';
import { proofLines } from '../../../src/cli/output/proof-text.ts';
import { jobStatus } from '../../helpers/job-status.ts';

const comparedAt = new Date(2026, 10, 22, 15, 40).getTime();
const remote = { target: 'nas', targetUrl: 'https://nas', comparedAt };

test.each([
  ['in sync with the embedded store', {}, 'photos  in sync'],
  [
    'in sync with a remote service, with the time of the last comparison',
    remote,
    'photos  in sync; bucket last compared 2026-11-22 15:40:00',
  ],
  [
    'changed by another client on a remote service, with the time of the last comparison',
    { ...remote, inSync: false, counts: { drifted: 1 } },
    'photos  in sync except for 1 drifted object; bucket last compared 2026-11-22 15:40:00',
  ],
  [
    'at work, without a statement about the last comparison',
    { ...remote, inSync: false, state: 'mirroring', counts: { pending: 1 } },
    'photos  mirroring',
  ],
  [
    'in its first scan, with the number of files so far',
    { inSync: false, state: 'scanning', scan: { files: 1 } },
    'photos  scanning, 1 file scanned so far',
  ],
  [
    'in a later scan, with the expected number of files',
    { inSync: false, state: 'scanning', scan: { files: 12_000, expected: 42_000 } },
    'photos  scanning, 12,000 of about 42,000 files scanned',
  ],
] as const)(
  'holdfast status prints the status line of a job that is %s',
  (_what, changes, first) => {
    expect(jobLines(jobStatus(changes), (_tone, text) => text)[0]).toBe(first);
  },
);

const lastDrillAt = comparedAt;
const untested = {
  drillFailures: 0,
  verifiedShare: 0,
  damaged: 0,
  damagedEarlier: 0,
  bytesPerDay: 0,
};
const tested = {
  lastDrillAt,
  lastProvenRestorableAt: lastDrillAt,
  daysPerPass: 30,
  bytesPerDay: 7,
};
const pace = '(7 B a day, all in 30 days)';

test.each([
  [
    'was not tested yet',
    { daysPerPass: 30 },
    ['not tested yet; to run a restore test now: holdfast test photos'],
  ],
  [
    'was tested, but whose content was not read again yet',
    { ...tested, proven: { files: 0, bytes: 0, days: 30 } },
    [
      'proven restorable 2026-11-22 15:40:00',
      `content not read again yet ${pace}; to read it now: holdfast verify photos --read-back`,
      'restore tests proved no file within 30 days; to test now: holdfast test photos',
    ],
  ],
  [
    'was tested in small part',
    { ...tested, verifiedShare: 0.001, proven: { files: 0.5, bytes: 0.002, days: 30 } },
    [
      'proven restorable 2026-11-22 15:40:00',
      `less than 1 % of the content read again ${pace}`,
      'restore tests proved 50 % of the files and less than 1 % of the bytes within 30 days',
    ],
  ],
] as const)(
  'holdfast status prints a percentage of a job that %s only after it has begun',
  (_what, proof, lines) => {
    const job = jobStatus({ proof: { ...untested, ...proof } });
    expect(proofLines(job, (_tone, text) => text)).toEqual(lines);
  },
);

test('holdfast status prints the reason of a failed job once', () => {
  const reason = 'cannot back up to photos/: it belongs to job theirs';
  const lines = jobLines(
    jobStatus({ state: 'failed', reason, inSync: false }),
    (_tone, text) => text,
  );
  expect(lines.slice(0, 2)).toEqual([
    `photos  failed: ${reason}`,
    '  at risk: holdfast job show photos',
  ]);
});
