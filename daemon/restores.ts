/** The restores that this daemon is at: one at a time in each folder, telling how far it is. */

import type { Clock } from '../src/base/clock.ts';
import { defined } from '../src/base/defined.ts';
import { errorMessage } from '../src/base/errors.ts';
import type { Logger } from '../src/base/logger.ts';
import { ControlError } from '../src/control/control-error.ts';
import type { Result } from '../src/control/messages.ts';
import { ownTimes } from '../src/restore/own-times.ts';
import type { VersionTimes } from '../src/mirror/objects/version-times.ts';
import { readProvenanceKey } from '../src/mirror/objects/provenance-key.ts';
import { isProven } from '../src/mirror/objects/provenance.ts';
import { createExcluder } from '../src/mirror/local/exclude.ts';
import { explained } from '../src/restore/target-space.ts';
import type { ListingOptions } from '../src/mirror/objects/version-listing.ts';
import { restoreTree } from '../src/restore/restore.ts';
import type { RestoreOptions } from '../src/restore/restore-options.ts';
import { LOCAL_TARGET } from '../src/control/methods/target.ts';
import type { EventLog } from './event-log.ts';
import type { Job } from './job.ts';
import { jobStateDir } from './job-state.ts';
import { resultOf } from './restore-result.ts';
import { RestoreRuns } from './restore-runs.ts';

const PROGRESS_EVERY_MS = 250;

export interface RestoresOptions {
  readonly events: EventLog;
  /** Nothing is restored into these. */
  readonly ownFolders: readonly string[];
  /** Of all jobs. */
  readonly stateDir: string;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Without its mirror nothing is known of the service, nor of its versions. */
function timesOf(
  job: RestorableJob,
  where: Parameters<typeof ownTimes>[0],
): VersionTimes | undefined {
  return job.opened ? job.opened.versionTimes() : ownTimes(where);
}

/** Of a job, what a restore needs. */
export type RestorableJob = Pick<Job, 'config' | 'store' | 'opened'>;

export type RestoreRequest = Omit<RestoreOptions, 'onProgress' | 'signal'>;

/** Throws MirrorError, also for a folder that may not be read. */
function excluderOf(options: Parameters<typeof createExcluder>[0], to: string) {
  try {
    return createExcluder(options);
  } catch (error) {
    throw explained(error, { to });
  }
}

export class Restores {
  readonly runs: RestoreRuns;
  readonly #options: RestoresOptions;
  readonly #underWay = new Set<string>();

  constructor(options: RestoresOptions) {
    this.#options = options;
    this.runs = new RestoreRuns(options.clock);
  }

  /** What of a job's place is read. */
  selection(
    job: RestorableJob,
    path: string | undefined,
  ): Pick<ListingOptions, 'bucket' | 'prefix' | 'path' | 'datesUploadsByEnd' | 'times'> &
    Pick<RestoreRequest, 'store'> {
    const { bucket, prefix, target } = job.config;
    // The embedded store dates an upload by its end.
    const datesUploadsByEnd = target === LOCAL_TARGET;
    const where = { store: job.store(), bucket, prefix };
    const times = datesUploadsByEnd ? undefined : timesOf(job, where);
    return { ...where, datesUploadsByEnd, ...defined({ path, times }) };
  }

  /** How versions of the job are recognised; nothing where it has no key, or none that can be read. */
  proving(job: RestorableJob): Pick<RestoreRequest, 'isProven'> {
    const { stateDir, logger } = this.#options;
    const { name } = job.config;
    try {
      const key = readProvenanceKey(jobStateDir(stateDir, name));
      return key ? { isProven: (object) => isProven(key, object) } : {};
    } catch (error) {
      const message = 'read the provenance key: owners and mode bits 07000 are not restored';
      logger.warn({ job: name, error: errorMessage(error) }, message);
      return {};
    }
  }

  /** Throws MirrorError `RootProtected` for a place within our own folders. */
  request(job: RestorableJob, path: string | undefined, to: string): RestoreRequest {
    const { ownFolders: protectedFolders, clock, logger } = this.#options;
    const { folder, exclude: patterns, cacheDirs } = job.config;
    // In the job's own folder its patterns mean what they mean to the job; elsewhere, the same below the target.
    const isInside = to === folder || to.startsWith(`${folder}/`);
    const root = isInside ? folder : to;
    const excluder = excluderOf(
      { root, patterns, protectedFolders, ...defined({ cacheDirs }) },
      to,
    );
    const excluderBase = to.slice(root.length + 1);
    const { prefix } = job.config;
    const onUnread: RestoreRequest['onUnread'] = ({ key, versionId }, error) => {
      const version = { key: key.slice(prefix.length), ...defined({ versionId }) };
      job.opened?.verification.suspect(version, error);
    };
    const read = this.selection(job, path);
    return { ...read, to, excluder, excluderBase, onUnread, clock, logger };
  }

  /** `id` names its events, and the run among `runs` that it belongs to. */
  async run(
    request: RestoreRequest,
    { id, signal }: { readonly id: string; readonly signal: AbortSignal },
  ): Promise<Result<'restore.run'>> {
    const { events, clock } = this.#options;
    this.runs.note(id, { to: request.to });
    const startedAt = clock.monotonic();
    let toldAt = startedAt;
    const onProgress: RestoreOptions['onProgress'] = (progress) => {
      if (clock.monotonic() - toldAt < PROGRESS_EVERY_MS) return;
      toldAt = clock.monotonic();
      const { listed: _, ...amounts } = progress;
      this.runs.note(id, amounts);
      events.append({ type: 'restore.progress', id, ...progress });
    };
    const report = await this.#alone(request.to, () =>
      restoreTree({ ...request, onProgress, signal }),
    );
    const seconds = (clock.monotonic() - startedAt) / 1000;
    return resultOf(report, { to: request.to, seconds });
  }

  /** Two at once would each take the other's half files for leftovers. */
  async #alone<T>(to: string, work: () => Promise<T>): Promise<T> {
    if (this.#underWay.has(to))
      throw new ControlError('Conflict', `restore into ${to}: another restore is at work there`);
    this.#underWay.add(to);
    try {
      return await work();
    } finally {
      this.#underWay.delete(to);
    }
  }
}
