/**
 * Creates job and daemon states as the control protocol returns them. A job is idle and in sync
 * unless a test changes it.
 */

import { type Protection, protectionOf } from '../../src/control/protection.ts';
import type { JobStatus, Status } from '../../src/control/shapes.ts';
import type { StoreHealth } from '../../src/control/store-shapes.ts';

type Changes = Partial<Omit<JobStatus, 'counts'>> & {
  readonly counts?: Partial<JobStatus['counts']>;
};

export function jobStatus({ counts, ...changes }: Changes = {}): JobStatus {
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
    problems: [],
    watch: 'watching 100 %',
    warnings: [],
    ...changes,
    counts: {
      files: 5012,
      bytes: 3_140_000_000,
      pending: 0,
      pendingBytes: 0,
      uploadedVersions: 0,
      uploadedBytes: 0,
      deleted: 0,
      conflicts: 0,
      drifted: 0,
      foreign: 0,
      held: 0,
      problems: 0,
      ...counts,
    },
  } satisfies Omit<JobStatus, 'protection'>;
  return { protection: protectionOfTested(job), ...job };
}

/**
 * Returns the protection level of a job that has completed its first sync round and a restore test.
 */
export function protectionOfTested(job: Omit<JobStatus, 'protection'>): Protection {
  const proof = {
    verifiedShare: 1,
    damaged: 0,
    damagedEarlier: 0,
    bytesPerDay: 0,
    drillFailures: 0,
  };
  const tested = {
    lastRoundAt: 0,
    lastFullRoundAt: 0,
    ...job,
    proof: { ...proof, ...job.proof, lastProvenRestorableAt: 0 },
  };
  return protectionOf({ job: tested, now: 0 });
}

/** Returns the status of a daemon that has these jobs. */
export function daemonStatus(...jobs: JobStatus[]): Status {
  return {
    version: '1.2.3',
    pid: 42,
    home: '/home/ada/.local/share/holdfast',
    startedAt: 0,
    listeners: [],
    store: storeHealth(),
    jobs,
    alarms: [],
    warnings: [],
  };
}

/**
 * Returns the health report of an embedded store that has no problems. `changes` overrides fields of the report.
 */
export function storeHealth(changes: Partial<StoreHealth> = {}): StoreHealth {
  return {
    state: 'in order',
    reasons: [],
    damagedCount: 0,
    damaged: [],
    clockAheadMs: 0,
    ...changes,
  };
}
