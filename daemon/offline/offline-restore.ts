/** Restores from the embedded store of a home folder while no daemon is running, with the handlers of the daemon. */

import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';

import type { Clock } from '../../src/base/clock.ts';
import { silentLogger } from '../../src/base/logger.ts';
import type { Config, JobConfig } from '../../src/config/config.ts';
import { storeFolder } from '../../src/config/home.ts';
import type { Home } from '../../src/config/home.ts';
import { loadConfig } from '../../src/config/load.ts';
import { ControlError } from '../../src/control/control-error.ts';
import type { Params, Result } from '../../src/control/messages.ts';
import type { Subject } from '../../src/control/methods/restore.ts';
import { LOCAL_TARGET } from '../../src/control/local-target.ts';
import type { ObjectStore } from '../../src/object-store/object-store.ts';
import { MirrorError } from '../../src/mirror/model/mirror-error.ts';
import type { Mirror } from '../../src/mirror/mirror.ts';
import { internalCaller } from '../../src/object-store/caller.ts';
import { firstUser } from '../../src/identity/sqlite-identity.ts';
import { openStore, ownUser } from '../compose/compose-store.ts';
import { JobOpener } from '../compose/job-opener.ts';
import type { ControlHandlers } from '../control/control-handlers.ts';
import type { EventBody } from '../control/event-log.ts';
import { historyHandlers } from '../handlers/jobs/history.ts';
import { requestOf, restoreHandlers } from '../handlers/jobs/restore.ts';
import { checksOf, readJobKeys, storeUnder } from '../jobs/job-key.ts';
import type { OpenedJob } from '../services/rooms.ts';
import { hostIdOf } from '../state/host-id.ts';
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
 * Runs a restore. Returns undefined if the configuration has no jobs. Locks the store during the restore, so that no
 * daemon can start. Rejects with the daemon's ControlErrors, or with the signal's reason.
 */
export async function offlineRestore(
  place: OfflineRestore,
  request: Params<'restore.run'>,
): Promise<Result<'restore.run'> | undefined> {
  const { signal } = place;
  return translated(signal, async () => {
    const writes = request.to === undefined;
    const opened = await openRestores(place, request, { writes });
    if (!opened) return undefined;
    try {
      const { id, ...asked } = request;
      const meant = await requestOf(asked, opened, signal);
      return await opened.restores.run(meant, { id, signal });
    } finally {
      await opened.close();
    }
  });
}

type ReadMethod = 'history.changes' | 'history.folder' | 'history.list' | 'restore.plan';

/**
 * Reads the versions of a job in the same way as a daemon does for its clients. Rejects with the daemon's
 * ControlErrors.
 */
export interface OfflineReader {
  call<M extends ReadMethod>(
    method: M,
    params: Params<M>,
    options?: { readonly signal?: AbortSignal },
  ): Promise<Result<M>>;
  /** Yields the bytes of a stream that a method has returned. */
  download(
    stream: string,
    options?: { readonly signal?: AbortSignal | undefined },
  ): AsyncIterable<Uint8Array>;
  close(): Promise<void>;
}

/**
 * Opens the store to read the versions of a job. Like `offlineRestore`, it locks the store, and returns undefined if
 * the configuration has no jobs.
 */
export async function openOfflineReader(
  place: OfflineRestore,
  subject: Subject,
): Promise<OfflineReader | undefined> {
  const opened = await translated(place.signal, () =>
    openRestores(place, subject, { writes: false }),
  );
  if (!opened) return undefined;
  const bodies = new Map<string, AsyncIterable<Uint8Array>>();
  const streams = {
    offerDownload(body: AsyncIterable<Uint8Array>) {
      const stream = randomUUID();
      bodies.set(stream, body);
      return stream;
    },
  };
  const options = { ...opened, streams, clock: place.clock };
  const handlers: Pick<ControlHandlers, ReadMethod> = {
    ...historyHandlers(options),
    ...restoreHandlers(options),
  };
  const connection = { id: 0, client: 'offline' };
  return {
    call: (method, params, { signal = place.signal } = {}) =>
      translated(signal, () => handlers[method](params, { signal, connection })),
    async *download(stream, { signal } = {}) {
      const body = bodies.get(stream);
      bodies.delete(stream);
      try {
        for await (const bytes of body ?? []) {
          signal?.throwIfAborted();
          yield bytes;
        }
      } catch (error) {
        signal?.throwIfAborted();
        throw commandErrorOf(error);
      }
    },
    close: () => opened.close(),
  };
}

async function translated<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    signal.throwIfAborted();
    throw commandErrorOf(error);
  }
}

interface Opened {
  readonly jobs: JobList<RestorableJob>;
  readonly restores: Restores;
  close(): Promise<void>;
}

/**
 * Opens the store and its jobs, with the customer-provided key of the requested job. With `writes`, also opens that
 * job, so that local files can be uploaded before they are replaced.
 */
async function openRestores(
  { home, clock, signal, onProgress }: OfflineRestore,
  subject: Subject,
  { writes }: Pick<Source, 'writes'>,
): Promise<Opened | undefined> {
  const config = await loadConfig(home);
  if (config.jobs.length === 0) return undefined;
  const dir = storeFolder(home);
  if (!existsSync(dir))
    throw new ControlError('NotFound', `cannot open store ${dir}: it does not exist`);
  const options = { clock, logger: silentLogger };
  const engine = await openStore({ dir, config, ...options, acceptMetadata: false });
  try {
    const principal = { ...firstUser(ownUser()), kind: 'user' as const, fullAccess: true };
    const store = engine.as(internalCaller(principal, clock.now()));
    const hostId = await hostIdOf(home);
    const logger = { ...silentLogger, area: () => silentLogger };
    const opener = new JobOpener({ home, config, storeDir: dir, engine, hostId, clock, logger });
    const jobs = await jobsOf(config, subject, { store, opener, signal, writes });
    const restores = new Restores({
      ...options,
      events: { append: onProgress },
      ownFolders: home.ownFolders,
      stateDir: home.stateDir,
    });
    const close = async () => {
      try {
        for (const { opened } of jobs.all()) await opened?.close();
      } finally {
        await engine.close();
      }
    };
    return { jobs, restores, close };
  } catch (error) {
    await engine.close();
    throw error;
  }
}

interface Source {
  readonly store: ObjectStore;
  readonly opener: JobOpener;
  readonly signal: AbortSignal;
  /** Whether the restore replaces local files of the job. */
  readonly writes: boolean;
}

/**
 * Returns the jobs of the configuration. Reads only the customer-provided key of the requested job. With `writes`,
 * opens that job.
 */
async function jobsOf(
  config: Config,
  subject: Subject,
  { store: service, opener, signal, writes }: Source,
): Promise<JobList<RestorableJob>> {
  const closed = config.jobs.map((job) => ({
    config: job,
    store: () => service,
    opened: undefined,
  }));
  const { job } = findSubject(listOf(closed), subject);
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
  const store = keys ? storeUnder(keys, service) : service;
  const own = { config: meant, target: undefined, service, store, ...checksOf(keys) };
  const opened = writes ? await openUnstarted(opener, own) : undefined;
  const asked: RestorableJob = { config: meant, store: () => store, opened };
  return listOf(closed.map((each) => (each === job ? asked : each)));
}

/** Opens the mirror of a job. Opening it changes nothing. Returns undefined if the job cannot be opened. */
async function openUnstarted(opener: JobOpener, job: OpenedJob): Promise<Mirror | undefined> {
  try {
    return await opener.open(job, { onChange: ignore, onActivity: ignore });
  } catch (error) {
    // The job's folder may be missing. The restore creates it.
    if (error instanceof MirrorError) return undefined;
    throw error;
  }
}

function ignore(): void {}

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
