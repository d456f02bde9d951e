/**
 * Removes versions that the job's `keep` rule does not retain. Runs once a day or on request, independently of sync
 * rounds.
 */

import type { Clock } from '../base/clock.ts';
import { DAY_MS } from '../base/durations.ts';
import { errorMessage, isAbort } from '../base/errors.ts';
import type { Logger } from '../base/logger.ts';
import { bytesText, countText } from '../text/amounts.ts';
import type { VersionTimes } from '../mirror/objects/version-times.ts';
import { AgreedTime } from './agreed-time.ts';
import { MirrorError } from '../mirror/model/mirror-error.ts';
import { BEYOND_KEEP } from '../mirror/state/retained-versions.ts';
import type { StateFile } from '../mirror/state/state-file.ts';
import { type Destination, readBucketKind } from '../mirror/objects/destination.ts';
import type { Tracker } from '../mirror/model/tracker.ts';
import type { KeepRule, MirrorJob } from '../mirror/model/types.ts';
import {
  NO_TOTALS,
  previewRules,
  pruningPass,
  type PruningPreview,
  type PruningReport,
} from './pruning-pass.ts';

export interface PruningControl {
  /**
   * Removes versions that the `keep` rule does not retain. With `dryRun`, only counts them. Rejects with MirrorError
   * `NoKeep`, `NoVersions`, `ClockDiffers`, `Claimed` or `KeepHalted`, and with the store's errors.
   */
  run(options: { readonly dryRun: boolean; readonly signal: AbortSignal }): Promise<PruningReport>;
  /**
   * Returns how many versions in the bucket each rule would remove. Rejects with MirrorError `NoVersions` or
   * `ClockDiffers`, and with the store's errors.
   */
  preview(rules: readonly KeepRule[], signal: AbortSignal): Promise<PruningPreview>;
}

/** The result of the last pruning pass that was not a dry run. */
export interface PruningStatus extends PruningReport {
  /** When the pass ended, in milliseconds since 1970. */
  readonly at: number;
}

export interface VersionPruningOptions {
  readonly job: MirrorJob;
  readonly destination: Destination;
  /** Checks that the ownership marker at the destination still names this job. */
  readonly ownership: { check(signal: AbortSignal): Promise<void> };
  readonly state: StateFile;
  readonly tracker: Tracker;
  /**
   * Returns the upload times that the job recorded. Returns undefined if the service preserves the dates of versions.
   */
  readonly times: () => VersionTimes | undefined;
  /** Returns whether the job is paused or outside its schedule. */
  readonly isPaused: () => boolean;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** The name of the `meta` record in the job's state that contains the last pass, as JSON. */
const LAST_PASS = 'kept';
/**
 * How often to check whether a pass is due. The interval is long enough for most first rounds to end before the first
 * pass.
 */
const CHECK_EVERY_MS = 15 * 60_000;
const EVERY_MS = DAY_MS;

export class VersionPruning implements PruningControl {
  readonly #options: VersionPruningOptions;
  readonly #time: AgreedTime;
  readonly #closing = new AbortController();
  /** The last requested pass. Each pass starts after the previous pass has ended. */
  #lastPass: Promise<unknown> = Promise.resolve();
  #pruning: Promise<void> | undefined;

  constructor(options: VersionPruningOptions) {
    this.#options = options;
    this.#time = new AgreedTime(options.destination, options.clock);
  }

  start(): void {
    const { job, state } = this.#options;
    if (job.keep) this.#pruning ??= this.#pruneDaily();
    // Without a `keep` rule, no version needs to be removed when its lock ends.
    else state.retained.releaseEnded(BEYOND_KEEP, Number.MAX_SAFE_INTEGER);
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await Promise.all([this.#pruning, this.#lastPass]);
  }

  status(): PruningStatus | undefined {
    const text = this.#options.state.meta(LAST_PASS);
    return text === undefined
      ? undefined
      : { ...NO_TOTALS, ...(JSON.parse(text) as PruningStatus) };
  }

  run({ dryRun, signal }: Parameters<PruningControl['run']>[0]): Promise<PruningReport> {
    const either = AbortSignal.any([signal, this.#closing.signal]);
    const pass = this.#lastPass.then(() => this.#pass(dryRun, either));
    this.#lastPass = pass.catch(() => undefined);
    return pass;
  }

  async preview(rules: readonly KeepRule[], signal: AbortSignal): Promise<PruningPreview> {
    const either = AbortSignal.any([signal, this.#closing.signal]);
    await this.#checkVersioned(either);
    const { destination, times } = this.#options;
    const now = await this.#agreedTime(either);
    return previewRules({ destination, times: times(), now, signal: either }, rules);
  }

  async #checkVersioned(signal: AbortSignal): Promise<void> {
    const { destination, job } = this.#options;
    if ((await readBucketKind(destination, signal)) !== 'unversioned') return;
    throw new MirrorError(
      'NoVersions',
      `cannot remove old versions: bucket ${job.bucket} has no versioning`,
    );
  }

  async #pass(isDryRun: boolean, signal: AbortSignal): Promise<PruningReport> {
    const { job, destination, ownership, state, tracker, clock } = this.#options;
    signal.throwIfAborted();
    if (!job.keep) throw new MirrorError('NoKeep', NO_KEEP);
    await this.#checkVersioned(signal);
    await ownership.check(signal);
    const now = await this.#agreedTime(signal);
    const times = this.#options.times();
    const report = await pruningPass({
      destination,
      state,
      rule: job.keep,
      times,
      now,
      isDryRun,
      signal,
    });
    if (isDryRun) return report;
    state.setMeta(LAST_PASS, JSON.stringify({ ...report, at: clock.now() }));
    const { versions, markers, bytes } = report;
    if (versions + markers > 0) {
      const message = `removed ${countText(versions, 'old version')} and ${countText(markers, 'delete marker')}, ${bytesText(bytes)}`;
      tracker.say({ level: 'info', action: 'keep', message });
    }
    return report;
  }

  /** Returns the time agreed with the service. A clock that is years ahead would make every version removable. */
  async #agreedTime(signal: AbortSignal): Promise<number> {
    try {
      return await this.#time.now(signal);
    } catch (error) {
      if (!(error instanceof MirrorError)) throw error;
      throw new MirrorError(error.code, `cannot remove old versions: ${error.message}`);
    }
  }

  async #pruneDaily(): Promise<void> {
    const { signal } = this.#closing;
    const { clock, logger, job } = this.#options;
    while (!signal.aborted) {
      try {
        await clock.sleep(CHECK_EVERY_MS, signal);
        if (this.#isDue()) await this.run({ dryRun: false, signal });
      } catch (error) {
        if (signal.aborted && isAbort(error)) return;
        const reason = errorMessage(error);
        logger.warn(
          { job: job.name, error: reason },
          'remove old versions: failed, retrying later',
        );
      }
    }
  }

  #isDue(): boolean {
    const { clock, isPaused } = this.#options;
    return !isPaused() && Math.abs(clock.now() - (this.status()?.at ?? 0)) >= EVERY_MS;
  }
}

const NO_KEEP =
  'cannot remove old versions: the job has no keep rule, so it keeps all of them; add one, such as keep: {all: 7d, daily: 30d, weekly: 1y}';
