/**
 * Reads the status of the jobs from the configuration and from their state databases, while no daemon is
 * running.
 */

import { existsSync } from 'node:fs';
import { join } from 'node:path';

import Database from 'better-sqlite3';

import { defined } from '../../src/base/defined.ts';
import { failureReason } from '../../src/base/disk-error.ts';
import { errorCode } from '../../src/base/errors.ts';
import type { Home } from '../../src/config/home.ts';
import { lastSignOfLife, readLife } from '../../src/config/life.ts';
import { loadConfig } from '../../src/config/load.ts';
import type { OfflineJob, OfflineStatus } from '../../src/control/offline-status.ts';
import { jobStateDir } from '../state/job-state.ts';

/** Returns the status. Throws ConfigError for an invalid configuration. */
export async function offlineStatus(home: Home): Promise<OfflineStatus> {
  const { jobs, targets } = await loadConfig(home);
  const life = readLife(home);
  const isCrash = life !== undefined && life.stoppedAt === undefined;
  return {
    running: false,
    home: home.root ?? home.stateDir,
    ...defined({ daemon: life, lastSignAt: isCrash ? lastSignOfLife(home) : undefined }),
    jobs: jobs.map(({ name, folder, bucket, prefix, target, paused }) => {
      const targetUrl = targets.find((each) => each.name === target)?.endpoint ?? 'embedded store';
      const state = lastRoundOf(join(jobStateDir(home.stateDir, name), 'state.sqlite'));
      const { lastRoundAt, problem } = state;
      const known = { name, folder, bucket, prefix, target, paused, targetUrl };
      return Object.assign(known, defined({ lastRoundAt, problem }));
    }),
  };
}

function lastRoundOf(file: string): Pick<OfflineJob, 'lastRoundAt' | 'problem'> {
  if (!existsSync(file)) return {};
  try {
    const state = new Database(file, { readonly: true });
    try {
      const last = state.prepare<[], number | null>('SELECT max(ended_at) FROM rounds').pluck();
      return defined({ lastRoundAt: last.get() ?? undefined });
    } finally {
      state.close();
    }
  } catch (error) {
    if (errorCode(error) === undefined) throw error;
    return { problem: `its state cannot be read: ${failureReason(error)}` };
  }
}
