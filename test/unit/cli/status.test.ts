/** Tests of the line that `holdfast status` prints for a job. */

import { expect, test } from 'vitest';

import { jobLines } from '../../../src/cli/commands/daemon/status.ts';
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
