/** Answers of the fake daemon: a small data set with at least one item of each kind. */

import type { JobStatus, Status } from '../../../src/control/shapes.ts';
import { protectionOfTested } from '../job-status.ts';

/** Noon (UTC) on the day on which the fake clock starts. */
export const NOW = Date.UTC(2026, 10, 21, 12);

export function seededJob(changes: Partial<JobStatus> = {}): JobStatus {
  const job = {
    name: 'photos',
    folder: '/home/ada/Photos',
    bucket: 'photos',
    prefix: '',
    target: 'local',
    targetUrl: 'embedded store',
    placement: 'same disk',
    state: 'watching',
    inSync: true,
    lagMs: 0,
    lastRoundAt: NOW - 60_000,
    lastFullRoundAt: NOW - 60_000,
    counts: {
      files: 48_213,
      bytes: 1_240_000_000_000,
      pending: 0,
      pendingBytes: 0,
      uploadedVersions: 41_208,
      uploadedBytes: 98_000_000_000,
      deleted: 12,
      conflicts: 0,
      drifted: 0,
      foreign: 0,
      held: 0,
      problems: 0,
    },
    problems: [],
    watch: 'watching 100 %',
    warnings: [],
    ...changes,
  } satisfies Omit<JobStatus, 'protection'>;
  return { protection: protectionOfTested(job), ...job };
}

export function seededStatus(): Status {
  return {
    version: '0.1.0',
    pid: 4242,
    home: '/home/ada/.local/share/holdfast',
    startedAt: NOW - 3 * 86_400_000 - 15_120_000,
    listeners: [{ name: 'storage', host: '127.0.0.1', port: 9000, url: 'http://127.0.0.1:9000' }],
    store: { state: 'in order', reasons: [], damagedCount: 0, damaged: [], clockAheadMs: 0 },
    jobs: [seededJob()],
    alarms: [],
    warnings: [],
  };
}
