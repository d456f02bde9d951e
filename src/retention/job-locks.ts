/**
 * Manages the locks of a job's versions while the job is open. It chooses the lock of each new version and renews
 * locks. Renewal continues while the job is paused or no sync round runs. It needs the store and the job's state, but
 * not the folder.
 */

import PQueue from 'p-queue';

import { type Clock, restUnlessAborted } from '../base/clock.ts';
import { defined } from '../base/defined.ts';
import { DAY_MS } from '../base/durations.ts';
import { errorMessage, isAbort } from '../base/errors.ts';
import type { Logger } from '../base/logger.ts';
import type { MirrorStore } from '../object-store/mirror-store.ts';
import type { LockRequest } from '../object-store/object-store.ts';
import { retentionFrom } from '../object-store/rules/default-retention.ts';
import { backOffMs, RETRY } from '../mirror/model/retry-policy.ts';
import { DUE_FIRST } from '../mirror/state/lock-table.ts';
import type { StateFile } from '../mirror/state/state-file.ts';
import type { Tracker } from '../mirror/model/tracker.ts';
import { MirrorError } from '../mirror/model/mirror-error.ts';
import { type BaselineEntry, LOCK_UNSEEN, type MirrorJob } from '../mirror/model/types.ts';
import { AgreedTime, agreedClock } from './agreed-time.ts';
import { type BucketLocks, readBucketLocks } from './bucket-locks.ts';
import type { LockControlParts } from './control-locks.ts';
import { lockStatus, type LockStatus, type LockStatusParts } from './lock-status.ts';
import {
  lockRules,
  lockSettings,
  lockUntil,
  type NewVersions,
  type LockSettingsOf,
  stricter,
} from '../mirror/objects/lock-rules.ts';
import { lockUnfinished } from './late-locks.ts';
import { renewDue } from './renew-locks.ts';
import { RenewalReport } from './renewal-report.ts';
import type { RenewalContext } from './renewal-context.ts';
import { checkPermission, type RenewalPermission } from './renewal-permission.ts';
import { renewalTime } from './renewal-time.ts';
import { removeRetained } from '../mirror/transfer/remove-version.ts';
import { isScheduled, reschedule } from './reschedule.ts';

export interface JobLocksOptions {
  readonly job: MirrorJob;
  readonly store: MirrorStore;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Called when the clocks differ, so that the caller stops all work that locks versions. */
  readonly onClockDiffers: () => void;
}

/** The maximum time between checks for due locks. New baseline rows can be added at any time. */
const CHECK_EVERY_MS = 60_000;
const READ_AGAIN_MS = DAY_MS;
/** How long renewal ignores a new lock. During this time, the upload itself confirms the lock. */
const UNSEEN_WAIT_MS = 10 * 60_000;

export class JobLocks {
  readonly #options: JobLocksOptions;
  readonly #state: StateFile;
  readonly #settingsOf: LockSettingsOf;
  readonly #renewal: RenewalContext;
  readonly #report: RenewalReport;
  /** Runs one renewal pass at a time. */
  readonly #turns = new PQueue({ concurrency: 1 });
  readonly #closing = new AbortController();
  readonly #time: AgreedTime;
  /** A clock whose wall time is the last agreed time. Locks are counted from it. */
  readonly clock: Clock;
  #renewing: Promise<void> | undefined;
  /** Aborted to end a pause of the renewal loop early. */
  #wakeUp = new AbortController();
  #permission: RenewalPermission = { is: 'unknown' };
  #bucket: (BucketLocks & { readonly readAt: number }) | undefined;
  /** Whether the locks of unfinished uploads must be set by the renewal loop, because no session is running. */
  #hasUnfinishedLocks = false;
  /** The number of failed passes since the last successful pass. */
  #failures = 0;
  #isRescheduling = false;
  #hasLocks = false;

  constructor(options: JobLocksOptions, state: StateFile, tracker: Tracker) {
    const { job, store, clock, logger } = options;
    this.#options = options;
    this.#state = state;
    this.#report = new RenewalReport(tracker);
    const destination = { store, bucket: job.bucket, prefix: job.prefix };
    this.#time = new AgreedTime(destination, clock);
    this.clock = agreedClock(clock, this.#time);
    const settingsOf = lockSettings(job.lock);
    this.#settingsOf = settingsOf;
    this.#renewal = { destination, state, clock: this.clock, logger, tracker, settingsOf };
    state.locks.follow((key, entry) => this.#dueAt(key, entry));
  }

  get control(): Pick<
    LockControlParts,
    'job' | 'destination' | 'state' | 'tracker' | 'ruleOf' | 'bucketDefault'
  > {
    const { destination, state, tracker } = this.#renewal;
    const { job } = this.#options;
    const ruleOf = lockRules(job.lock);
    const bucketDefault = () => this.#bucket?.defaultRetention;
    return { job, destination, state, tracker, ruleOf, bucketDefault };
  }

  get newVersions(): NewVersions {
    return {
      lock: (key) => this.#requestFor(key),
      lockTime: () => this.now(),
      uploadTime: () => this.#time.ofService(this.#closing.signal),
    };
  }

  get ofSession(): NewVersions & { readonly lockUnseen: () => Promise<void> } {
    return { ...this.newVersions, lockUnseen: () => this.#lockUnseen() };
  }

  async #requestFor(key: string): Promise<LockRequest | undefined> {
    const settings = this.#settingsOf(key);
    if (!settings) return undefined;
    const now = await this.now();
    const own = { mode: settings.mode, retainUntil: lockUntil(settings, now) };
    const byBucket = this.#bucket?.defaultRetention;
    return { retention: byBucket ? stricter(own, retentionFrom(byBucket, now)) : own };
  }

  /** Returns the time (ms since 1970) from which locks are counted. Rejects with MirrorError `ClockDiffers`. */
  now(): Promise<number> {
    return this.#time.now(this.#closing.signal);
  }

  /** Asks the service for its time after a clock was corrected, and extends the locks that are then due. */
  clockChanged(): void {
    this.#time.forget();
    this.#wake();
  }

  /** Immediately reads the bucket's settings again, after they were changed. */
  bucketChanged(): void {
    if (this.#bucket) this.#bucket = { ...this.#bucket, readAt: Number.NEGATIVE_INFINITY };
    this.#wake();
  }

  /** Sets the locks that uploads of an ended session did not confirm, before the next session starts. */
  sessionEnded(): void {
    this.#hasUnfinishedLocks = true;
    if (this.#failures === 0) this.#wake();
  }

  /**
   * Sets the locks that uploads of the last session did not confirm. Runs before the first round of a session. A lock
   * that cannot be set now stays due and delays nothing else.
   */
  async #lockUnseen(): Promise<void> {
    this.#hasUnfinishedLocks = false;
    const { locks } = this.#state;
    if (locks.resumeUnseen()) await this.#runTurnsWhile(() => locks.due(DUE_FIRST, 1).length > 0);
  }

  #wake(): void {
    this.#wakeUp.abort();
    this.#wakeUp = new AbortController();
  }

  /** Rejects with MirrorError `ClockDiffers` if the job locks versions and the clocks differ. */
  async checkClock(signal: AbortSignal): Promise<void> {
    if (this.#options.job.lock) await this.#time.now(signal);
  }

  start({ hasSession }: { readonly hasSession: boolean }): void {
    this.#hasUnfinishedLocks = !hasSession;
    this.#renewing ??= this.#renewRepeatedly();
  }

  /** Resolves when each lock that is due now is set or has a recorded problem, or when no lock can be set. */
  async lockDue(): Promise<void> {
    const now = this.clock.now();
    const isDue = () => this.#state.locks.due(now, 1).length > 0;
    await this.#runTurnsWhile(() => !isScheduled(this.#state, this.#settings()) || isDue());
  }

  async #runTurnsWhile(hasWork: () => boolean): Promise<void> {
    const { signal } = this.#closing;
    try {
      while (!signal.aborted && hasWork()) if (!(await this.#runTurn(signal))) return;
    } catch (error) {
      this.#options.logger.debug(
        { error: errorMessage(error) },
        'lock versions: failed, retrying later',
      );
    }
  }

  status(deferrals: LockStatusParts['deferrals']): LockStatus | undefined {
    const hasLock = this.#options.job.lock !== undefined;
    const now = this.clock.now();
    const permission = this.#permission;
    return lockStatus({ state: this.#state, now, permission, deferrals, hasLock });
  }

  warnings(): readonly string[] {
    return [...this.#bucketWarnings(), ...this.#time.warnings()];
  }

  #bucketWarnings(): readonly string[] {
    const { kind, warnings = [] } = this.#bucket ?? {};
    const { job } = this.#options;
    if (!job.lock || kind === undefined) return warnings;
    if (kind !== 'object-lock')
      return [
        `lock: nothing is locked, because bucket ${job.bucket} was created without object lock`,
        ...warnings,
      ];
    const permission = this.#permission;
    if (permission.is !== 'refused') return warnings;
    return [
      `lock: the locks cannot be extended and will expire: ${permission.reason}`,
      ...warnings,
    ];
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await this.#renewing;
    await this.#turns.onIdle();
  }

  async #renewRepeatedly(): Promise<void> {
    const { signal } = this.#closing;
    const { job, clock, logger } = this.#options;
    while (!signal.aborted) {
      // The signal is created before the pass, so that a wake-up during the pass also ends the pause after it.
      const wakeUpOrClose = AbortSignal.any([signal, this.#wakeUp.signal]);
      try {
        const hasMore = await this.#runTurn(signal);
        this.#failures = 0;
        if (!hasMore) await restUnlessAborted(clock, this.#pauseMs(), wakeUpOrClose);
      } catch (error) {
        if (signal.aborted && isAbort(error)) return;
        this.#failures++;
        if (error instanceof MirrorError && error.code === 'ClockDiffers')
          this.#options.onClockDiffers();
        const waitMs = backOffMs(RETRY.renewal, this.#failures);
        logger.warn(
          { job: job.name, error: errorMessage(error), waitMs },
          'renew locks: failed, retrying later',
        );
        await restUnlessAborted(clock, waitMs, wakeUpOrClose);
      }
    }
  }

  /** Runs one pass of lock renewal. Returns whether more locks are already due. */
  #runTurn(signal: AbortSignal): Promise<boolean> {
    return this.#turns.add(async () => {
      signal.throwIfAborted();
      try {
        return await this.#step(signal);
      } finally {
        this.#report.status([this.status({ count: 0 }), this.warnings()]);
      }
    });
  }

  async #step(signal: AbortSignal): Promise<boolean> {
    const { kind } = await this.#readBucket(signal);
    if (kind !== 'object-lock') return false;
    if (this.#reschedule()) return true;
    await this.checkClock(signal);
    await this.#lockUnfinished(signal);
    const { set, checked } = await renewDue(this.#renewal, signal);
    this.#report.renewed(set, checked > 0);
    if (set > 0) this.#permission = { is: 'proven', at: this.clock.now() };
    else if (checked === 0) await this.#testPermission(signal);
    if (checked === 0) await removeRetained(this.#renewal, signal);
    return checked > 0;
  }

  async #lockUnfinished(signal: AbortSignal): Promise<void> {
    if (!this.#hasUnfinishedLocks) return;
    this.#hasUnfinishedLocks = false;
    this.#state.locks.resumeUnseen();
    try {
      await lockUnfinished(this.#renewal, signal);
    } catch (error) {
      this.#hasUnfinishedLocks = true;
      throw error;
    }
  }

  #reschedule(): boolean {
    this.#isRescheduling = true;
    try {
      return reschedule(this.#state, this.#settings());
    } finally {
      this.#isRescheduling = false;
    }
  }

  async #testPermission(signal: AbortSignal): Promise<void> {
    const now = this.clock.now();
    const testedAt = this.#permission.is === 'unknown' ? undefined : this.#permission.at;
    if (testedAt !== undefined && Math.abs(now - testedAt) < READ_AGAIN_MS) return;
    this.#permission = await checkPermission(this.#renewal, signal);
  }

  async #readBucket(signal: AbortSignal): Promise<BucketLocks> {
    const now = this.clock.monotonic();
    if (!this.#bucket || now - this.#bucket.readAt >= READ_AGAIN_MS)
      this.#bucket = { ...(await readBucketLocks(this.#renewal.destination, signal)), readAt: now };
    return this.#bucket;
  }

  #pauseMs(): number {
    const permission = this.#permission;
    const testAt = permission.is === 'unknown' ? permission.testableAt : undefined;
    const nextAt = Math.min(this.#state.locks.nextDueAt() ?? Infinity, testAt ?? Infinity);
    return Math.min(CHECK_EVERY_MS, Math.max(0, nextAt - this.clock.now()));
  }

  #settings = (): string => JSON.stringify(defined({ lock: this.#options.job.lock }));

  /** Returns when a baseline row's lock is due, in ms since 1970. Returns undefined if the key gets no lock. */
  #dueAt(key: string, { retainUntil }: BaselineEntry): number | undefined {
    const settings = this.#settingsOf(key);
    if (!settings) return undefined;
    if (retainUntil === undefined) {
      // The job did not upload this version but found it, for example after an undo. It is locked immediately.
      if (this.#failures === 0 && !this.#isRescheduling) this.#wake();
      return 0;
    }
    if (retainUntil === LOCK_UNSEEN) return this.clock.now() + UNSEEN_WAIT_MS;
    // The first lock ends the pause, so that the permission is tested as soon as this lock can be extended.
    if (!this.#hasLocks && this.#failures === 0) this.#wake();
    this.#hasLocks = true;
    const dueAt = retainUntil - settings.days * DAY_MS;
    // If new settings require a longer retention, the lock is due immediately.
    if (this.#isRescheduling && dueAt <= this.clock.now()) return dueAt;
    return renewalTime(key, retainUntil, settings);
  }
}
