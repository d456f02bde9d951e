/**
 * Verifies that a job's data can be restored: rereads content at a configured pace, runs a weekly restore test, and
 * compares all objects with the folder on request. Works during sync sessions and between them.
 */

import type { Clock } from '../base/clock.ts';
import { defined } from '../base/defined.ts';
import { DAY_MS } from '../base/durations.ts';
import { errorMessage, isAbort } from '../base/errors.ts';
import type { Logger } from '../base/logger.ts';
import type { DamageMonitor } from '../object-store/damage.ts';
import type { Excluder } from '../mirror/local/exclude.ts';
import { lockSettings } from '../mirror/objects/lock-rules.ts';
import type { StateFile } from '../mirror/state/state-file.ts';
import type { Destination, VersionName } from '../mirror/objects/destination.ts';
import type { Tracker } from '../mirror/model/tracker.ts';
import { type BaselineEntry, LOCK_UNSEEN, type MirrorJob } from '../mirror/model/types.ts';
import { JobDamage } from './damage.ts';
import type { ReportTest, RestoreTestLimits } from './restore-test.ts';
import { RESTORE_TEST_LIMITS, restoreTestText, runRestoreTest } from './restore-test.ts';
import {
  type RestoreTestReport,
  type ProofRecord,
  readProof,
  verifiedShare,
  withReadBack,
  writeProof,
} from './proof-record.ts';
import { ProvenFiles, type ProvenShare } from './proven-files.ts';
import { costPerDay, daysPerPass, type Pace, rereadDue } from './read-all.ts';
import { damageIn, type Finding } from './reread.ts';
import type { VerificationStatus } from './verification-status.ts';
import { verifyFolder, type VerifyRow } from './verify.ts';

export interface VerificationControl {
  /** Compares the folder with the bucket, and yields the findings (see `verifyFolder`). */
  verify(options: {
    readonly readBackBytes?: number;
    readonly signal?: AbortSignal;
  }): AsyncIterable<VerifyRow>;
  /** Reads a version again after a failed restore, if the error may indicate damage. Its key omits the prefix. */
  suspect(version: VersionName, error: unknown): void;
  /** Runs a restore test now. Rejects with the errors of `runRestoreTest`. */
  drill(signal: AbortSignal, onProgress?: ReportTest): Promise<RestoreTestReport>;
}

export interface VerificationOptions {
  readonly job: MirrorJob;
  readonly destination: Destination;
  readonly state: StateFile;
  readonly excluder: Excluder;
  readonly tracker: Tracker;
  /** The folder that restore tests write to. */
  readonly folder: string;
  /** Returns the number of days within which large files must be completely tested. 0 or absent means no limit. */
  readonly provenDays?: () => number;
  readonly restoreTestLimits?: RestoreTestLimits;
  readonly isRemote: boolean;
  /** Returns whether uploads are running or the job is paused. */
  readonly isBusy: () => boolean;
  /** Reports damaged versions. Absent for a service that does not report damage. */
  readonly damage?: DamageMonitor;
  /** Requests a scan of a path in the job's folder. */
  readonly hint: (path: string) => void;
  readonly clock: Clock;
  /** Returns the time from which locks are counted. */
  readonly lockClock: Pick<Clock, 'now'>;
  readonly logger: Logger;
}

/** The interval of steps until the first restore test has run. It is short, because nothing is proven before then. */
const UNTESTED_STEP_MS = 10_000;
/** The delay of the first step after the daemon starts, so that the first round can end. */
const FIRST_STEP_MS = 15 * 60_000;
const STEP_EVERY_MS = 10 * 60_000;
const RESTORE_TEST_EVERY_MS = 7 * DAY_MS;
const VERIFY_DAYS = 30;
/** The default daily read limit for remote services (30 GB a month), because they charge for reads. */
const REMOTE_MEGABYTES_PER_DAY = 1_000;
const MEGABYTE = 1e6;
const SHARE_EVERY_MS = 60_000;

export class Verification implements VerificationControl {
  readonly damage: JobDamage;
  readonly #options: VerificationOptions;
  readonly #pace: Pace;
  readonly #closing = new AbortController();
  readonly #proven: ProvenFiles;
  #record: ProofRecord;
  #share: { readonly at: number; readonly value: ProvenShare } | undefined;
  #running: Promise<void> | undefined;
  #reportTest: ReportTest | undefined;
  #restoreTest: Promise<RestoreTestReport> | undefined;

  constructor(options: VerificationOptions) {
    this.#options = options;
    this.damage = new JobDamage(options);
    const { job, isRemote, state, clock } = options;
    const { verifyDays: days = VERIFY_DAYS, verifyMegabytesPerDay } = job;
    const most = verifyMegabytesPerDay ?? (isRemote ? REMOTE_MEGABYTES_PER_DAY : undefined);
    this.#pace = { days, bytesPerDay: most && most * MEGABYTE };
    this.#record = readProof(state, clock.now());
    this.#proven = new ProvenFiles(state);
  }

  start(): void {
    this.damage.start();
    this.#running ??= this.#runPeriodically();
  }

  async close(): Promise<void> {
    this.#closing.abort();
    const test = this.#restoreTest?.catch(() => undefined);
    await Promise.all([this.#running, test, this.damage.close()]);
  }

  async *verify({ readBackBytes, signal }: Parameters<VerificationControl['verify']>[0]) {
    const { job, destination, excluder, clock, lockClock, state } = this.#options;
    const either = AbortSignal.any([this.#closing.signal, ...(signal ? [signal] : [])]);
    const startedAt = clock.now();
    let soundBytes = 0;
    const rows = verifyFolder({
      destination,
      root: job.root,
      excluder,
      settingsOf: lockSettings(job.lock),
      clock,
      lockClock,
      onNotLocked: (key) => this.#lockAgain(key),
      locks: state.locks,
      totals: state.baseline.totals(),
      signal: either,
      damaged: state.damaged,
      onDamaged: (version, reason) => void this.damage.found(version, reason),
      onSound: (sizeBytes) => void (soundBytes += sizeBytes),
      ...defined({ readBackBytes }),
    });
    try {
      yield* rows;
    } finally {
      this.#noteReadBack(startedAt, soundBytes);
    }
  }

  #noteReadBack(startedAt: number, soundBytes: number): void {
    // The state database may be closed after an abort.
    if (soundBytes === 0 || this.#closing.signal.aborted) return;
    const soundShare = Math.min(1, soundBytes / this.#options.state.baseline.totals().bytes);
    const { since, now } = this.#recent;
    const readBack = { startedAt, endedAt: now, soundShare };
    this.#saveRecord(withReadBack(this.#record, readBack, since));
  }

  /** The period in which content must have been read to count as verified. */
  get #recent(): { readonly since: number; readonly now: number } {
    const now = this.#options.clock.now();
    return { since: now - this.#pace.days * DAY_MS, now };
  }

  suspect(version: VersionName, error: unknown): void {
    if (damageIn(error) === undefined) return;
    const { logger, job } = this.#options;
    this.damage.suspect(version).catch((failure: unknown) => {
      if (this.#closing.signal.aborted) return;
      const fields = { job: job.name, key: version.key, error: errorMessage(failure) };
      logger.warn(fields, 'reread the version that a restore could not read: failed');
    });
  }

  drill(signal: AbortSignal, onProgress?: ReportTest): Promise<RestoreTestReport> {
    this.#reportTest = onProgress;
    return this.#testNow(signal, 1);
  }

  status(): VerificationStatus {
    const { state } = this.#options;
    const { days } = this.#pace;
    const { drill } = this.#record;
    const { problems, replaced } = state.damaged.counts();
    const totals = state.baseline.totals();
    const cost = costPerDay(totals, this.#pace);
    const contentBytes = totals.bytes === 0 ? 0 : Math.min(cost, totals.bytes / Math.max(1, days));
    return {
      ...defined({ lastProvenRestorableAt: drill?.provenAt, lastDrillAt: drill?.at }),
      ...(drill && days > 0 && { nextDrillAt: drill.at + this.#testEveryMs() }),
      drillFailures: drill?.failures.length ?? 0,
      ...(drill && { proven: this.#provenShare() }),
      verifiedShare: days === 0 ? 0 : verifiedShare(this.#record, totals.bytes, this.#recent),
      damaged: problems,
      damagedEarlier: replaced,
      bytesPerDay: Math.round(contentBytes),
      ...(contentBytes > 0 && { daysPerPass: daysPerPass(totals, this.#pace) }),
    };
  }

  /** Returns the number of days for which a successful test counts. */
  get #windowDays(): number {
    return this.#options.provenDays?.() || this.#pace.days || VERIFY_DAYS;
  }

  /** Returns the shares of files and bytes that restore tests proved. Computes them at most once a minute. */
  #provenShare(): ProvenShare {
    const { state, clock } = this.#options;
    const [now, days] = [clock.now(), this.#windowDays];
    const known = this.#share;
    if (known && known.value.days === days && Math.abs(now - known.at) < SHARE_EVERY_MS)
      return known.value;
    const value = this.#proven.share(state.baseline.totals(), days, { since: now - days * DAY_MS });
    this.#share = { at: now, value };
    return value;
  }

  /** Returns the interval of restore tests. If possible, all large files are then tested within `provenDays`. */
  #testEveryMs(): number {
    const { provenDays, state, restoreTestLimits: limits = RESTORE_TEST_LIMITS } = this.#options;
    const { bytesPerDay } = this.#pace;
    const read = costPerDay(state.baseline.totals(), this.#pace);
    const left = bytesPerDay === undefined ? undefined : (bytesPerDay - read) / 2;
    const large = { files: 0, bytes: this.#proven.largeBytes };
    const wanted = costPerDay(large, { days: provenDays?.() ?? 0, bytesPerDay: left });
    if (wanted <= 0) return RESTORE_TEST_EVERY_MS;
    const rangesOfOne = limits.bytes - limits.wholeBytes;
    return Math.min(RESTORE_TEST_EVERY_MS, (rangesOfOne / wanted) * DAY_MS);
  }

  async #runPeriodically(): Promise<void> {
    const { signal } = this.#closing;
    const { clock, logger, job } = this.#options;
    if (this.#pace.days === 0) return;
    const isUntested = () => this.#record.drill === undefined;
    for (let waitMs = isUntested() ? UNTESTED_STEP_MS : FIRST_STEP_MS; !signal.aborted;) {
      try {
        await clock.sleep(waitMs, signal);
        waitMs = STEP_EVERY_MS;
        await this.#step(signal);
        if (isUntested()) waitMs = UNTESTED_STEP_MS;
      } catch (error) {
        if (signal.aborted && isAbort(error)) return;
        const reason = errorMessage(error);
        logger.warn(
          { job: job.name, error: reason },
          'test restores and reread versions: failed, retrying later',
        );
      }
    }
  }

  async #step(signal: AbortSignal): Promise<void> {
    const { state, destination, clock, isBusy } = this.#options;
    const testedAt = this.#record.drill?.at ?? 0;
    const elapsedMs = Math.abs(clock.now() - testedAt);
    const isDue = elapsedMs >= this.#testEveryMs();
    if (isDue && !isBusy() && state.baseline.totals().files > 0)
      await this.#testNow(signal, Math.min(1, elapsedMs / RESTORE_TEST_EVERY_MS));
    await rereadDue(
      this.#record,
      {
        destination,
        state,
        pace: this.#pace,
        now: () => clock.now(),
        isBusy,
        onRead: (entry, finding) => this.#noteRead(entry, finding),
        signal,
      },
      (record) => {
        const { drill, readBack } = this.#record;
        this.#saveRecord({ ...record, ...defined({ drill, readBack }) });
      },
    );
  }

  /** Runs a restore test with a share (0 to 1) of the number of whole files in a weekly test. */
  async #testNow(signal: AbortSignal, share: number): Promise<RestoreTestReport> {
    const { restoreTestLimits: most = RESTORE_TEST_LIMITS } = this.#options;
    const limits = { ...most, files: Math.max(1, Math.round(most.files * share)) };
    const either = AbortSignal.any([signal, this.#closing.signal]);
    this.#restoreTest ??= this.#testOnce(either, limits).finally(() => {
      this.#restoreTest = undefined;
      this.#reportTest = undefined;
    });
    return this.#restoreTest;
  }

  async #testOnce(signal: AbortSignal, limits: RestoreTestLimits): Promise<RestoreTestReport> {
    const { tracker, state, job } = this.#options;
    const found = new Map<string, Promise<void>>();
    const onDamaged = (entry: BaselineEntry, reason: string) =>
      void found.set(entry.path, this.#found(entry, reason));
    const proven = this.#proven;
    const onProgress: ReportTest = (progress) => this.#reportTest?.(progress);
    const parts = { root: job.root, proven, limits, signal, onDamaged, onProgress };
    for (const { path } of this.#record.drill?.failures ?? []) tracker.clearProblem(path, 'failed');
    const report = await runRestoreTest({ ...this.#options, ...parts });
    await Promise.all(found.values());
    const isProven = report.failures.length === 0 && (report.files > 0 || report.ranges);
    const provenAt = isProven ? report.at : this.#record.drill?.provenAt;
    const drill = { ...report, ...defined({ provenAt }) };
    // A damaged version already has its own, more specific problem.
    const isDamaged = (path: string) =>
      found.has(path) || state.damaged.has(path, state.baseline.get(path)?.versionId);
    for (const { path, reason } of report.failures.filter((each) => !isDamaged(each.path)))
      tracker.setProblem({
        path,
        code: 'failed',
        message: `restore test of ${path} failed: ${reason}`,
      });
    const isDayLater = Math.abs(report.at - (this.#record.drill?.at ?? 0)) >= DAY_MS;
    proven.save(report.at - this.#windowDays * DAY_MS);
    this.#share = undefined;
    this.#saveRecord({ ...this.#record, drill });
    if (!isProven || isDayLater)
      tracker.say({
        level: isProven ? 'info' : 'warn',
        action: 'drill',
        message: restoreTestText(report),
      });
    return drill;
  }

  #noteRead(entry: BaselineEntry, finding: Finding): void {
    if (finding.is === 'damaged') void this.#found(entry, finding.reason);
    if (finding.is === 'sound') this.damage.sound(versionOf(entry));
  }

  /** Removes the lock from the baseline row, so that lock renewal finds it due immediately. */
  #lockAgain(key: string): void {
    const { state } = this.#options;
    const entry = state.baseline.get(key);
    if (!entry || entry.retainUntil === LOCK_UNSEEN) return;
    const { retainUntil: _, ...unlocked } = entry;
    state.settle([{ key, baseline: unlocked, reschedulesLock: true }]);
  }

  #found(entry: BaselineEntry, reason: string): Promise<void> {
    return this.damage.found(versionOf(entry), reason);
  }

  #saveRecord(record: ProofRecord): void {
    this.#record = record;
    writeProof(this.#options.state, record);
  }
}

function versionOf({ path: key, versionId, sha256 }: BaselineEntry) {
  return { key, sha256, ...defined({ versionId }) };
}
