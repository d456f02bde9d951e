/** A job as the control protocol tells it, quiet and in sync unless a test says otherwise. */

import type { JobStatus, Status } from '../../src/control/shapes.ts';
import type { StoreHealth } from '../../src/control/store-shapes.ts';

type Changes = Partial<Omit<JobStatus, 'counts'>> & {
  readonly counts?: Partial<JobStatus['counts']>;
};

export function jobStatus({ counts, ...changes }: Changes = {}): JobStatus {
  return {
    name: 'photos',
    folder: '/home/ada/Photos',
    bucket: 'photos',
    prefix: '',
    target: 'local',
    targetUrl: 'embedded store',
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
  };
}

/** A daemon with these jobs. */
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

/** The embedded store, in order unless a test says otherwise. */
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
