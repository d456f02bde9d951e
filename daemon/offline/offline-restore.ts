/** Restores from the embedded store of a home while no daemon runs, with the handlers of the daemon. */

import { existsSync } from 'node:fs';

import type { Clock } from '../../src/base/clock.ts';
import { silentLogger } from '../../src/base/logger.ts';
import type { Config, JobConfig } from '../../src/config/config.ts';
import type { Home } from '../../src/config/home.ts';
import { loadConfig } from '../../src/config/load.ts';
import { ControlError } from '../../src/control/control-error.ts';
import type { Params, Result } from '../../src/control/messages.ts';
import { LOCAL_TARGET } from '../../src/control/local-target.ts';
import type { ObjectStore } from '../../src/object-store/object-store.ts';
import { internalCaller } from '../../src/object-store/caller.ts';
import { firstUser } from '../../src/identity/sqlite-identity.ts';
import { openStore, ownUser, storeFolder } from '../compose/compose-store.ts';
import type { EventBody } from '../control/event-log.ts';
import { requestOf } from '../handlers/jobs/restore.ts';
import { readJobKeys, storeUnder } from '../jobs/job-key.ts';
import { type RestorableJob, Restores } from '../restores/restores.ts';
import { findSubject, type JobList } from '../jobs/subject.ts';
import { commandErrorOf } from '../control/wire-error.ts';

export interface OfflineRestore {
  readonly home: Home;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** Called with the progress events that a daemon would send. */
  readonly onProgress: (event: EventBody) => void;
}

/**
 * Runs a restore. Returns undefined if the configuration has no jobs. The store is locked meanwhile, so that no
 * daemon can start. Rejects with the daemon's ControlErrors, or with the signal's reason.
 */
export async function offlineRestore(
  { home, clock, signal, onProgress }: OfflineRestore,
  request: Params<'restore.run'>,
): Promise<Result<'restore.run'> | undefined> {
  try {
    const config = await loadConfig(home);
    if (config.jobs.length === 0) return undefined;
    const dir = storeFolder(home);
    if (!existsSync(dir))
      throw new ControlError('NotFound', `cannot open store ${dir}: it does not exist`);
    const engine = await openStore({
      dir,
      config,
      clock,
      logger: silentLogger,
      acceptMetadata: false,
    });
    try {
      const principal = { ...firstUser(ownUser()), kind: 'user' as const, fullAccess: true };
      const store = engine.as(internalCaller(principal, clock.now()));
      const jobs = await jobsOf(config, request, { store, signal });
      const options = { clock, logger: silentLogger };
      const restores = new Restores({
        ...options,
        events: { append: onProgress },
        ownFolders: home.ownFolders,
        stateDir: home.stateDir,
      });
      const { id, ...asked } = request;
      const meant = await requestOf(asked, { jobs, restores }, signal);
      return await restores.run(meant, { id, signal });
    } finally {
      await engine.close();
    }
  } catch (error) {
    signal.throwIfAborted();
    throw commandErrorOf(error);
  }
}

interface Source {
  readonly store: ObjectStore;
  readonly signal: AbortSignal;
}

/** Returns the jobs of the configuration. Reads only the customer key of the requested job. */
async function jobsOf(
  config: Config,
  request: Params<'restore.run'>,
  { store, signal }: Source,
): Promise<JobList<RestorableJob>> {
  const plain = listOf(
    config.jobs.map((job) => ({ config: job, store: () => store, opened: undefined })),
  );
  const { job } = findSubject(plain, request);
  const meant = job.config;
  if (meant.target !== LOCAL_TARGET)
    throw new ControlError(
      'NotRunning',
      `cannot restore job ${meant.name}: Holdfast is not running, and the bucket is at target ${meant.target}`,
      {
        hint: 'to start it: holdfast up; to restore without it: holdfast restore --from ENDPOINT/BUCKET --to DIR',
      },
    );
  const keys = await readJobKeys(meant, signal);
  if (!keys) return plain;
  const under = storeUnder(keys, store);
  const withKey: RestorableJob = { config: meant, store: () => under, opened: undefined };
  return listOf(plain.all().map((each) => (each === job ? withKey : each)));
}

function listOf(jobs: readonly RestorableJob[]): JobList<RestorableJob> {
  const find = (test: (job: JobConfig) => boolean) => jobs.find(({ config }) => test(config));
  return {
    all: () => jobs,
    find,
    get(name) {
      const job = find((each) => each.name === name);
      if (job) return job;
      const names = jobs.map(({ config }) => config.name).join(', ') || 'none';
      throw new ControlError('NotFound', `unknown job "${name}"`, { hint: `jobs: ${names}` });
    },
  };
}
