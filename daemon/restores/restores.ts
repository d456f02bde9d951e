/** Runs the restores of this daemon, at most one at a time for each target folder, and reports their progress. */

import type { Clock } from '../../src/base/clock.ts';
import { defined } from '../../src/base/defined.ts';
import { errorMessage } from '../../src/base/errors.ts';
import { FilesInFlight } from '../../src/base/files-in-flight.ts';
import type { Logger } from '../../src/base/logger.ts';
import { ControlError } from '../../src/control/control-error.ts';
import type { Result } from '../../src/control/messages.ts';
import { ownTimes } from '../../src/restore/own-times.ts';
import type { VersionTimes } from '../../src/mirror/objects/version-times.ts';
import { readProvenanceKey } from '../../src/mirror/objects/provenance-key.ts';
import { isProven } from '../../src/mirror/objects/provenance.ts';
import { createExcluder } from '../../src/mirror/local/exclude.ts';
import { explained } from '../../src/restore/target-space.ts';
import type { ListingOptions } from '../../src/mirror/objects/version-listing.ts';
import { restoreTree } from '../../src/restore/restore.ts';
import type { RestoreOptions } from '../../src/restore/restore-options.ts';
import { LOCAL_TARGET } from '../../src/control/local-target.ts';
import type { EventBody } from '../control/event-log.ts';
import type { Job } from '../jobs/job.ts';
import { jobStateDir } from '../state/job-state.ts';
import { resultOf } from './restore-result.ts';
import { readLastUndo, type Replaced, UndoRecorder } from './undo-record.ts';
import { RestoreRuns } from './restore-runs.ts';

const PROGRESS_EVERY_MS = 250;

export interface RestoresOptions {
  readonly events: { append(event: EventBody): unknown };
  /** The folders of Holdfast. Nothing may be restored into them. */
  readonly ownFolders: readonly string[];
  /** The folder with the state of all jobs. */
  readonly stateDir: string;
  readonly clock: Clock;
  readonly logger: Logger;
}

/**
 * Returns the upload times of the job's versions. Returns undefined if the service is known to preserve version dates.
 * While the job is not open, this is unknown.
 */
function timesOf(
  job: RestorableJob,
  where: Parameters<typeof ownTimes>[0],
): VersionTimes | undefined {
  return job.opened ? job.opened.versionTimes() : ownTimes(where);
}

/** The parts of a job that a restore uses. */
export type RestorableJob = Pick<Job, 'config' | 'store' | 'opened'>;

export type RestoreRequest = Omit<RestoreOptions, 'onProgress' | 'signal'>;

/** Creates the excluder of a restore. Throws MirrorError, even if the folder cannot be read. */
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

  /** Returns which objects of the job's destination a restore reads, and how it interprets their dates. */
  selection(
    job: RestorableJob,
    path: string | undefined,
  ): Pick<ListingOptions, 'bucket' | 'prefix' | 'path' | 'datesUploadsByEnd' | 'times'> &
    Pick<RestoreRequest, 'store'> {
    const { bucket, prefix, target } = job.config;
    // The embedded store uses the end of an upload as its date.
    const datesUploadsByEnd = target === LOCAL_TARGET;
    const where = { store: job.store(), bucket, prefix };
    const times = datesUploadsByEnd ? undefined : timesOf(job, where);
    return { ...where, datesUploadsByEnd, ...defined({ path, times }) };
  }

  /**
   * Returns the `isProven` check for versions that this job wrote. Returns `{}` if the job's provenance key is missing
   * or unreadable.
   */
  proving(job: RestorableJob): Pick<RestoreRequest, 'isProven'> {
    const { stateDir, logger } = this.#options;
    const { name } = job.config;
    try {
      const key = readProvenanceKey(jobStateDir(stateDir, name));
      return key ? { isProven: (object) => isProven(key, object) } : {};
    } catch (error) {
      const message =
        'restore: cannot read the provenance key; owners and mode bits 07000 are not restored';
      logger.warn({ job: name, error: errorMessage(error) }, message);
      return {};
    }
  }

  /** Returns the recorder of an undo of this job. */
  recordUndo(job: RestorableJob): UndoRecorder {
    return new UndoRecorder(jobStateDir(this.#options.stateDir, job.config.name));
  }

  /** Returns what the last undo of this job replaced. */
  lastUndo(job: RestorableJob): readonly Replaced[] | undefined {
    return readLastUndo(jobStateDir(this.#options.stateDir, job.config.name));
  }

  /**
   * Returns the request for a restore to the folder `to`. Throws MirrorError `RootProtected` for a folder of Holdfast.
   */
  request(job: RestorableJob, path: string | undefined, to: string): RestoreRequest {
    const { ownFolders: protectedFolders, clock, logger } = this.#options;
    const { folder, exclude: patterns, cacheDirs } = job.config;
    // Exclude patterns are relative to the job's folder for an in-place restore, and to the target folder otherwise.
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

  /** Runs a restore. `id` is the ID of its progress events and of its run in `runs`. */
  async run(
    request: RestoreRequest,
    { id, signal }: { readonly id: string; readonly signal: AbortSignal },
  ): Promise<Result<'restore.run'>> {
    const { events, clock } = this.#options;
    this.runs.note(id, { to: request.to });
    const startedAt = clock.monotonic();
    let reportedAt = startedAt;
    const inFlight = new FilesInFlight();
    const onProgress: RestoreOptions['onProgress'] = (progress) => {
      if (clock.monotonic() - reportedAt < PROGRESS_EVERY_MS) return;
      reportedAt = clock.monotonic();
      const { listed: _, ...amounts } = progress;
      this.runs.note(id, amounts);
      const current = inFlight.largest();
      events.append({ type: 'restore.progress', id, ...progress, ...defined({ current }) });
    };
    const report = await this.#alone(request.to, () =>
      restoreTree({ ...request, onProgress, inFlight, signal }),
    );
    const seconds = (clock.monotonic() - startedAt) / 1000;
    return resultOf(report, { to: request.to, seconds });
  }

  /**
   * Runs `work` unless another restore to this folder is in progress. `work` would mistake that restore's partial files
   * for leftovers.
   */
  async #alone<T>(to: string, work: () => Promise<T>): Promise<T> {
    if (this.#underWay.has(to))
      throw new ControlError('Conflict', `cannot restore into ${to}: another restore writes there`);
    this.#underWay.add(to);
    try {
      return await work();
    } finally {
      this.#underWay.delete(to);
    }
  }
}
