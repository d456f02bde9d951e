/** Runs one configured job. It creates the job's bucket and opens its mirror, and retries until both succeed. */

import { isDeepStrictEqual } from 'node:util';

import { type Clock, restUnlessAborted } from '../../src/base/clock.ts';
import { defined } from '../../src/base/defined.ts';
import { diskErrorLine, failureReason } from '../../src/base/disk-error.ts';
import { errorMessage, isAbort } from '../../src/base/errors.ts';
import type { FileInFlight } from '../../src/base/files-in-flight.ts';
import type { Logger } from '../../src/base/logger.ts';
import type { JobConfig, TargetConfig } from '../../src/config/config.ts';
import { ConfigError } from '../../src/config/config-error.ts';
import { ControlError } from '../../src/control/control-error.ts';
import type { Result } from '../../src/control/messages.ts';
import type { JobStatus } from '../../src/control/shapes.ts';
import type { Mirror, MirrorStatus } from '../../src/mirror/mirror.ts';
import { restMs, retryText } from '../../src/mirror/session-failure.ts';
import { STATE_DAMAGED, statusWithout } from '../../src/mirror/status.ts';
import { RETRY } from '../../src/mirror/model/retry-policy.ts';
import type { MirrorStore } from '../../src/object-store/mirror-store.ts';
import type { ObjectStore } from '../../src/object-store/object-store.ts';
import { type Placement, protectionOf } from '../../src/control/protection.ts';
import { isStorageError } from '../../src/object-store/storage-error.ts';
import { minuteText } from '../../src/text/time.ts';
import {
  checksOf,
  hasOtherKeys,
  type JobKeys,
  keySource,
  readJobKeys,
  storeUnder,
} from './job-key.ts';
import type { JobMeter } from '../meter/job-meter.ts';
import { MeteredStore } from '../meter/metered-store.ts';
import { progressOf } from '../meter/progress.ts';
import { retireMirror } from './retire-job.ts';
import type { JobHooks, Rooms } from '../services/rooms.ts';

/** The maximum number of transfers in a response. It is more than a screen shows. */
const MAX_TRANSFERS = 100;

export interface JobOptions {
  readonly config: JobConfig;
  /** The target of the job. Absent for the embedded store. */
  readonly target?: TargetConfig;
  readonly rooms: Pick<Rooms, 'storeOf' | 'jobStore' | 'openJob' | 'placementOf'>;
  readonly meter: JobMeter;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly onChange: (status: JobStatus) => void;
  readonly onActivity: JobHooks['onActivity'];
  readonly provenDays?: JobHooks['provenDays'];
}

export class Job {
  readonly config: JobConfig;
  readonly #options: JobOptions;
  readonly #abort = new AbortController();
  #mirror: Mirror | undefined;
  /** The service of the latest attempt to open the job, and the store of the job's objects there. */
  #openedWith: { readonly service: ObjectStore; readonly store: MirrorStore } | undefined;
  #keys: JobKeys | undefined;
  readonly #placement: Placement;
  /** Why the job is not open. Undefined until the first attempt has failed. */
  #failure: string | undefined;
  #paused: boolean;
  /** Resolves after the first attempt to open the job, or after the first attempt that follows `tryAgain`. */
  #firstTry: Promise<void>;
  #opening: Promise<void>;
  /** Ends the delay before the next attempt. Undefined if no attempt is scheduled. */
  #tryNow: (() => void) | undefined;

  constructor(options: JobOptions) {
    this.config = options.config;
    this.#options = options;
    this.#paused = options.config.paused;
    this.#placement = options.rooms.placementOf(this.config.folder, options.target);
    const first = Promise.withResolvers<void>();
    this.#firstTry = first.promise;
    this.#opening = this.#open(first.resolve);
  }

  status(): JobStatus {
    const { config, target } = this.#options;
    const mirror = this.#mirror?.status() ?? this.#withoutMirror();
    const job = {
      ...mirror,
      ...defined({
        name: config.name,
        folder: config.folder,
        bucket: config.bucket,
        prefix: config.prefix,
        target: config.target,
        targetUrl: target?.endpoint ?? 'embedded store',
        customerKey: keySource(config),
        progress: this.progress(mirror),
        scan: this.scan,
      }),
      placement: this.#placement,
      problems: mirror.problems.map((problem) => ({ ...problem })),
      warnings: [...mirror.warnings],
    };
    const now = this.#options.clock.now();
    return { ...job, protection: protectionOf({ job, now }) };
  }

  /** Returns the progress of the job, or undefined if nothing is pending. */
  progress(status: MirrorStatus = this.#mirror?.status() ?? this.#withoutMirror()) {
    return progressOf(status, this.#options.meter, this.scan !== undefined);
  }

  /** The progress of the running scan. Undefined if no scan is running. */
  get scan(): JobStatus['scan'] {
    const { work } = this.#mirror ?? {};
    const files = work?.scannedFiles();
    return files === undefined
      ? undefined
      : { files, ...defined({ expected: work?.expectedFiles() }) };
  }

  /** The largest file that is being read before its upload. Undefined if no large file is being read. */
  get reading(): FileInFlight | undefined {
    return this.#mirror?.work.largestRead();
  }

  /** Returns the transfers of files in progress (at most `MAX_TRANSFERS`) and their total number. */
  transfers(): Result<'jobs.transfers'> {
    const { prefix } = this.config;
    const all = this.#options.meter.transfersOfFiles(prefix);
    const transfers = all.slice(0, MAX_TRANSFERS).map((transfer) => {
      const { key, kind, sentBytes, startedAt } = transfer;
      const path = key.slice(prefix.length);
      const sizeBytes = transfer.sizeBytes ?? this.#mirror?.work.sizeOf(path);
      return defined({ path, kind, sizeBytes, sentBytes, startedAt });
    });
    return { transfers, count: all.length };
  }

  /** Returns the store that contains the bucket. It cannot read objects that are encrypted with the job's key. */
  service(): ObjectStore {
    return this.#options.rooms.storeOf(this.#options.target);
  }

  /** Returns the store of the job's objects. Throws ControlError `Failed` while their key is unknown. */
  store(): MirrorStore {
    if (this.config.customerKey === undefined) return this.service();
    if (this.#openedWith) return this.#openedWith.store;
    throw this.#notOpen();
  }

  /**
   * Returns whether the job's state is still valid with this configuration. `prepareJobState` deletes the state of
   * another folder or destination.
   */
  keepsState({ folder, bucket, prefix }: JobConfig, target: TargetConfig | undefined): boolean {
    const { config, target: own } = this.#options;
    const isSame = isDeepStrictEqual(
      [folder, bucket, prefix],
      [config.folder, config.bucket, config.prefix],
    );
    return isSame && own?.endpoint === target?.endpoint;
  }

  /** Returns whether the job uses this target with its current credentials. */
  reaches(target: TargetConfig | undefined): boolean {
    if (!isDeepStrictEqual(this.#options.target, target)) return false;
    try {
      return this.service() === this.#openedWith?.service;
    } catch (error) {
      // The credentials cannot be read now. The job is not restarted, because it could not connect without them.
      if (error instanceof ConfigError) return true;
      throw error;
    }
  }

  /** Returns whether the key files contain other customer-provided keys than those that the job was opened with. */
  hasOtherKeys(): Promise<boolean> {
    return hasOtherKeys(this.config, this.#keys, this.#abort.signal);
  }

  get isPaused(): boolean {
    return this.#paused;
  }

  pause(): void {
    this.#paused = true;
    this.#mirror?.pause(`since ${minuteText(this.#options.clock.now())}`);
  }

  resume(): void {
    this.#paused = false;
    this.#mirror?.resume();
  }

  /** If an attempt to open the job is scheduled, starts it immediately. */
  tryAgain(): void {
    this.#tryNow?.();
  }

  async runNow(): Promise<void> {
    this.tryAgain();
    const mirror = await this.mirror();
    if (this.#paused) {
      const { name } = this.config;
      const hint = `holdfast job resume ${name}`;
      throw new ControlError('Conflict', `cannot run job ${name}: it is paused`, { hint });
    }
    // The caller does not wait for the sync round. The job's status reports the result of the round.
    void mirror.runNow().catch((error: unknown) => {
      if (!isAbort(error)) this.#warn(error, 'run job: the round failed');
    });
  }

  async settled(signal: AbortSignal): Promise<void> {
    let mirror: Mirror;
    do {
      mirror = await this.mirror();
      await mirror.settled(signal);
      // A mirror that was reopened in the meantime has not settled yet.
    } while (mirror !== this.#mirror && !this.#abort.signal.aborted);
  }

  async close(): Promise<void> {
    this.#abort.abort();
    await this.#opening;
    await this.#mirror?.close();
  }

  /** Closes a removed or moved job. Returns notes for the user about unfinished uploads that may remain. */
  async retire(): Promise<readonly string[]> {
    this.#abort.abort();
    await this.#opening;
    return this.#mirror ? retireMirror(this.#mirror, this.#options) : [];
  }

  /** The mirror, or undefined while the job is not open. */
  get opened(): Mirror | undefined {
    return this.#mirror;
  }

  /** Returns the mirror. Rejects with ControlError `Failed` while the job is not open. */
  async mirror(): Promise<Mirror> {
    await this.#firstTry;
    if (this.#mirror) return this.#mirror;
    throw this.#notOpen();
  }

  #notOpen(): ControlError {
    const why = this.#failure ?? 'it is starting or has stopped';
    return new ControlError('Failed', `job ${this.config.name} is not open: ${why}`);
  }

  async #open(first: () => void): Promise<void> {
    const { signal } = this.#abort;
    let tried = first;
    for (let failures = 1; !signal.aborted; failures += 1) {
      let waitMs = 0;
      try {
        await this.#openOnce();
        return;
      } catch (error) {
        waitMs = restMs(error, failures, RETRY.openJob);
        this.#failure = `${diskErrorLine(error) ?? failureReason(error)}; ${retryText(waitMs, this.config.name)}`;
        this.#warn(error, 'open job: failed; will retry');
        this.#options.onChange(this.status());
      } finally {
        tried();
      }
      tried = await this.#rest(waitMs);
    }
    tried();
  }

  /** Waits for `waitMs`, or until `tryAgain` is called. Call the returned function after the next attempt. */
  async #rest(waitMs: number): Promise<() => void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const wake = new AbortController();
    this.#tryNow = () => {
      this.#firstTry = promise;
      wake.abort();
    };
    const ends = AbortSignal.any([this.#abort.signal, wake.signal]);
    await restUnlessAborted(this.#options.clock, waitMs, ends);
    this.#tryNow = undefined;
    return resolve;
  }

  /** Reopens the job with a new state database. The damaged database is renamed when the mirror closes. */
  #reopen(): void {
    const mirror = this.#mirror;
    if (!mirror || this.#abort.signal.aborted) return;
    this.#mirror = undefined;
    this.#failure = STATE_DAMAGED;
    const tried = Promise.withResolvers<void>();
    this.#firstTry = tried.promise;
    this.#opening = mirror
      .close()
      .catch((error: unknown) => this.#warn(error, 'close job: failed'))
      .then(() => this.#open(tried.resolve));
  }

  async #openOnce(): Promise<void> {
    const { rooms, config, target, meter, onChange, onActivity, provenDays } = this.#options;
    const { signal } = this.#abort;
    const service = this.service();
    const keys = await readJobKeys(config, signal);
    const { store: own, ...heard } = rooms.jobStore(target);
    const store = keys ? storeUnder(keys, own) : own;
    this.#keys = keys;
    this.#openedWith = { service, store };
    await ensureBucket(store, config.bucket, signal);
    const onStateDamaged = () => this.#reopen();
    const asked = { onActivity, onStateDamaged, ...defined({ provenDays }) };
    const hooks = { onChange: () => onChange(this.status()), ...asked };
    const counted = new MeteredStore(store, meter);
    const opened = { config, target, service, store: counted, ...heard, ...checksOf(keys) };
    const mirror = await rooms.openJob(opened, hooks);
    this.#mirror = mirror;
    this.#failure = undefined;
    if (this.#paused) mirror.pause();
    mirror.start();
  }

  #warn(error: unknown, message: string): void {
    this.#options.logger.warn({ job: this.config.name, error: errorMessage(error) }, message);
  }

  #withoutMirror(): MirrorStatus {
    return statusWithout(this.#failure === undefined ? 'starting' : 'failed', this.#failure);
  }
}

/**
 * Creates the job's bucket if it does not exist. Enables Object Lock, because many services cannot enable it for an
 * existing bucket. The bucket has no default retention, so an object is locked only if the job requests it.
 */
async function ensureBucket(
  store: Pick<ObjectStore, 'getVersioning' | 'createBucket'>,
  bucket: string,
  signal: AbortSignal,
): Promise<void> {
  try {
    // GetBucketVersioning is used because a HEAD response has no body and so cannot contain the reason for a rejection.
    await store.getVersioning({ bucket }, { signal });
  } catch (error) {
    if (!isStorageError(error, 'NoSuchBucket')) throw error;
    await store.createBucket({ bucket, objectLockEnabled: true }, { signal });
  }
}
