/**
 * The locks of a job's versions, for as long as the job is open: what a new version is given, and the renewals, which go
 * on beside the sessions and whatever state the job is in. They need the store and the state, and nothing of the folder.
 */

import PQueue from 'p-queue';

import { type Clock, restUnlessAborted } from '../base/clock.ts';
import { defined } from '../base/defined.ts';
import { DAY_MS } from '../base/durations.ts';
import { errorMessage, isAbort } from '../base/errors.ts';
import type { Logger } from '../base/logger.ts';
import type { MirrorStore } from '../object-store/mirror-store.ts';
import type { LockRequest, Retention } from '../object-store/object-store.ts';
import { retentionFrom } from '../object-store/rules/default-retention.ts';
import { backOffMs, RETRY } from '../mirror/model/retry-policy.ts';
import { DUE_FIRST } from '../mirror/state/lock-table.ts';
import type { StateFile } from '../mirror/state/state.ts';
import type { Place } from '../mirror/objects/destination.ts';
import type { Tracker } from '../mirror/model/activity.ts';
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
} from '../mirror/objects/lock-rules.ts';
import { lockUnfinished } from './late-locks.ts';
import { renewDue } from './renew-locks.ts';
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
  /** The clocks differ: no work that locks may go on. */
  readonly onClockDiffers: () => void;
}

/** New rows come at any time: so often it is looked whether one is due. */
const LOOK_EVERY_MS = 60_000;
const RIGHT_ASKED_EVERY_MS = DAY_MS;
const BUCKET_LOOK_EVERY_MS = DAY_MS;
/** A lock that its upload looks at itself: so long it is left to it. */
const UNSEEN_WAIT_MS = 10 * 60_000;

export class JobLocks {
  readonly #options: JobLocksOptions;
  readonly #place: Place;
  readonly #state: StateFile;
  readonly #termsOf: LockSettingsOf;
  readonly #renewal: RenewalContext;
  /** One turn at a time, whoever asks for it. */
  readonly #turns = new PQueue({ concurrency: 1 });
  readonly #closing = new AbortController();
  readonly #time: AgreedTime;
  /** This machine's clock with the time that locks are counted from, as it was last agreed on. */
  readonly clock: Clock;
  #life: Promise<void> | undefined;
  /** Aborted to end a rest. */
  #woken = new AbortController();
  #right: RenewalPermission = { is: 'unknown' };
  #bucket: (BucketLocks & { readonly readAt: number }) | undefined;
  /** A session has ended, or none may begin, since its uploads' locks were last taken up. */
  #hasEnded = false;
  /** The last turn failed: the next one waits its time. */
  #isFailing = false;
  #isRescheduling = false;
  /** The counts after the last turn, as text. */
  #notified = '';

  constructor(options: JobLocksOptions, state: StateFile, tracker: Tracker) {
    const { job, store, clock, logger } = options;
    this.#options = options;
    this.#state = state;
    this.#place = { store, bucket: job.bucket, prefix: job.prefix };
    this.#time = new AgreedTime(this.#place, clock);
    this.clock = agreedClock(clock, this.#time);
    const termsOf = lockSettings(job.lock);
    this.#termsOf = termsOf;
    this.#renewal = { place: this.#place, state, clock: this.clock, logger, tracker, termsOf };
    state.locks.follow((key, entry) => this.#dueAt(key, entry));
  }

  get control(): Pick<
    LockControlParts,
    'place' | 'state' | 'tracker' | 'ruleOf' | 'bucketDefault'
  > {
    const { place, state, tracker } = this.#renewal;
    const ruleOf = lockRules(this.#options.job.lock);
    return { place, state, tracker, ruleOf, bucketDefault: () => this.#bucket?.defaultRetention };
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
    const terms = this.#termsOf(key);
    if (!terms) return undefined;
    const now = await this.now();
    const own = { mode: terms.mode, retainUntil: lockUntil(terms, now) };
    const byBucket = this.#bucket?.defaultRetention;
    return { retention: byBucket ? stricter(own, retentionFrom(byBucket, now)) : own };
  }

  /** The time that locks are counted from, milliseconds since 1970. Rejects with MirrorError `ClockDiffers`. */
  now(): Promise<number> {
    return this.#time.now(this.#closing.signal);
  }

  /** A clock was corrected: the service is asked for its time again, and locks that are due by it are extended at once. */
  clockChanged(): void {
    this.#time.forget();
    this.#wake();
  }

  /** It is read again at once. */
  bucketChanged(): void {
    if (this.#bucket) this.#bucket = { ...this.#bucket, readAt: Number.NEGATIVE_INFINITY };
    this.#wake();
  }

  /** No session works: locks that its uploads did not confirm are set beside, whatever keeps the next one from beginning. */
  sessionEnded(): void {
    this.#hasEnded = true;
    if (!this.#isFailing) this.#wake();
  }

  /**
   * Before the first round of a session: sets the locks that no upload confirmed before the last one ended. What cannot be
   * locked now stays due, and keeps nothing else from being done.
   */
  async #lockUnseen(): Promise<void> {
    this.#hasEnded = false;
    const { locks } = this.#state;
    if (locks.resumeUnseen()) await this.#turnWhile(() => locks.due(DUE_FIRST, 1).length > 0);
  }

  #wake(): void {
    this.#woken.abort();
    this.#woken = new AbortController();
  }

  /** Rejects with MirrorError `ClockDiffers` for a job that locks what it writes. */
  async checkClock(signal: AbortSignal): Promise<void> {
    if (this.#options.job.lock) await this.#time.now(signal);
  }

  start({ hasSession }: { readonly hasSession: boolean }): void {
    this.#hasEnded = !hasSession;
    this.#life ??= this.#live();
  }

  /** Resolves when each lock that is due when it is called is set, or a named problem; or when none can be. */
  async lockDue(): Promise<void> {
    const now = this.clock.now();
    const isDue = () => this.#state.locks.due(now, 1).length > 0;
    await this.#turnWhile(() => !isScheduled(this.#state, this.#terms()) || isDue());
  }

  async #turnWhile(isLeft: () => boolean): Promise<void> {
    const { signal } = this.#closing;
    try {
      while (!signal.aborted && isLeft()) if (!(await this.#turn(signal))) return;
    } catch (error) {
      this.#options.logger.debug(
        { error: errorMessage(error) },
        'lock versions: tried again later',
      );
    }
  }

  status(deferrals: LockStatusParts['deferrals']): LockStatus | undefined {
    const hasLock = this.#options.job.lock !== undefined;
    const now = this.clock.now();
    return lockStatus({ state: this.#state, now, right: this.#right, deferrals, hasLock });
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
        `lock: nothing is locked, since bucket ${job.bucket} was made without object lock`,
        ...warnings,
      ];
    if (this.#right.is !== 'refused') return warnings;
    return [`lock: locks cannot be extended, and will end: ${this.#right.reason}`, ...warnings];
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await this.#life;
    await this.#turns.onIdle();
  }

  async #live(): Promise<void> {
    const { signal } = this.#closing;
    const { job, clock, logger } = this.#options;
    for (let failures = 0; !signal.aborted;) {
      // Taken before the turn: a wake-up during the turn ends the rest after it.
      const either = AbortSignal.any([signal, this.#woken.signal]);
      try {
        const isMore = await this.#turn(signal);
        failures = 0;
        this.#isFailing = false;
        if (!isMore) await restUnlessAborted(clock, this.#restMs(), either);
      } catch (error) {
        if (signal.aborted && isAbort(error)) return;
        failures++;
        this.#isFailing = true;
        if (error instanceof MirrorError && error.code === 'ClockDiffers')
          this.#options.onClockDiffers();
        const waitMs = backOffMs(RETRY.renewal, failures);
        logger.warn(
          { job: job.name, error: errorMessage(error), waitMs },
          'renew locks: failed, tried again later',
        );
        await restUnlessAborted(clock, waitMs, either);
      }
    }
  }

  /** Returns whether more is to be done at once. */
  #turn(signal: AbortSignal): Promise<boolean> {
    return this.#turns.add(async () => {
      signal.throwIfAborted();
      try {
        return await this.#step(signal);
      } finally {
        this.#notifyOfChange();
      }
    });
  }

  async #step(signal: AbortSignal): Promise<boolean> {
    const { kind } = await this.#lookAtBucket(signal);
    if (kind !== 'object-lock') return false;
    if (this.#reschedule()) return true;
    await this.checkClock(signal);
    await this.#takeUp(signal);
    const { set, looked } = await renewDue(this.#renewal, signal);
    if (set > 0) this.#right = { is: 'proven', at: this.clock.now() };
    else if (looked === 0) await this.#lookAtRight(signal);
    if (looked === 0) await removeRetained(this.#renewal, signal);
    return looked > 0;
  }

  /** A turn changes counts of the job's status without any transfer or round that would report them. */
  #notifyOfChange(): void {
    const status = JSON.stringify([this.status({ count: 0 }), this.warnings()]);
    if (status !== this.#notified) this.#renewal.tracker.changed();
    this.#notified = status;
  }

  async #takeUp(signal: AbortSignal): Promise<void> {
    if (!this.#hasEnded) return;
    this.#hasEnded = false;
    this.#state.locks.resumeUnseen();
    try {
      await lockUnfinished(this.#renewal, signal);
    } catch (error) {
      this.#hasEnded = true;
      throw error;
    }
  }

  #reschedule(): boolean {
    this.#isRescheduling = true;
    try {
      return reschedule(this.#state, this.#terms());
    } finally {
      this.#isRescheduling = false;
    }
  }

  async #lookAtRight(signal: AbortSignal): Promise<void> {
    const now = this.clock.now();
    const askedAt = this.#right.is === 'unknown' ? undefined : this.#right.at;
    if (askedAt !== undefined && Math.abs(now - askedAt) < RIGHT_ASKED_EVERY_MS) return;
    this.#right = await checkPermission(this.#renewal, signal);
  }

  async #lookAtBucket(signal: AbortSignal): Promise<BucketLocks> {
    const now = this.clock.monotonic();
    if (!this.#bucket || now - this.#bucket.readAt >= BUCKET_LOOK_EVERY_MS)
      this.#bucket = { ...(await readBucketLocks(this.#place, signal)), readAt: now };
    return this.#bucket;
  }

  #restMs(): number {
    const nextMs = (this.#state.locks.nextDueAt() ?? Infinity) - this.clock.now();
    return Math.min(LOOK_EVERY_MS, Math.max(0, nextMs));
  }

  #terms(): string {
    return JSON.stringify(defined({ lock: this.#options.job.lock }));
  }

  /** Of the row that is written now. */
  #dueAt(key: string, { retainUntil }: BaselineEntry): number | undefined {
    const terms = this.#termsOf(key);
    if (!terms) return undefined;
    if (retainUntil === undefined) return 0;
    if (retainUntil === LOCK_UNSEEN) return this.clock.now() + UNSEEN_WAIT_MS;
    const dueAt = retainUntil - terms.days * DAY_MS;
    // Terms that ask for more are kept at once, and not at a place in the time that follows.
    if (this.#isRescheduling && dueAt <= this.clock.now()) return dueAt;
    return renewalTime(key, retainUntil, terms);
  }
}

/** The longer and the stricter of both. */
function stricter(a: Retention, b: Retention): Retention {
  const isCompliance = a.mode === 'COMPLIANCE' || b.mode === 'COMPLIANCE';
  return {
    mode: isCompliance ? 'COMPLIANCE' : 'GOVERNANCE',
    retainUntil: Math.max(a.retainUntil, b.retainUntil),
  };
}
