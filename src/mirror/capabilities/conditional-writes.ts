/**
 * Determines which conditional writes a job can rely on in its bucket. Stores the results of the capability probe, and
 * repeats the probe when they may have changed.
 */

import type { Clock } from '../../base/clock.ts';
import { DAY_MS } from '../../base/durations.ts';
import { unlessAborted } from '../../base/abortable.ts';
import { errorMessage } from '../../base/errors.ts';
import type { Logger } from '../../base/logger.ts';
import type { MirrorStore } from '../../object-store/mirror-store.ts';
import { MirrorError } from '../model/mirror-error.ts';
import type { StateFile } from '../state/state-file.ts';
import { type Destination, readBucketKind } from '../objects/destination.ts';
import type { BucketKind, MirrorJob } from '../model/types.ts';
import {
  type Capabilities,
  type WriteGuarding,
  guardingOf,
  EVALUATES_ALL,
  shortcomings,
} from './capabilities.ts';
import { abortProbeUploads } from './clear-probe.ts';
import { beginProbe, type BegunProbe } from './probe.ts';

export interface GuardOptions {
  /** The job's destination, with a store that does not apply the conditional-write fallback. */
  readonly destination: Destination;
  /** Whether the store is a service that must be probed. The embedded store honours all conditions. */
  readonly isRemote: boolean;
  /** Version of Holdfast. The probe is repeated after an update, because another version may probe differently. */
  readonly release: string;
  /** Whether the job may write even if other clients' changes could be lost. */
  readonly unguarded: boolean;
  readonly state: Pick<StateFile, 'meta' | 'setMeta'>;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Capabilities of the service, and the time of the probe. */
export interface CapabilityStatus {
  readonly bucket: BucketKind;
  readonly guarding: WriteGuarding;
  /**
   * When the service was probed, in milliseconds since 1970. Absent for the embedded store, which is not
   * probed.
   */
  readonly askedAt?: number;
  readonly answers: Capabilities;
}

interface Remembered {
  readonly bucket: BucketKind;
  readonly release: string;
  readonly at: number;
  readonly answers: Capabilities;
}

/** Names of the values in the job's state file that store the probe's results and its progress. */
const CAPABILITIES = 'capabilities';
const IS_PROBING = 'is probing';
/**
 * Time between two probes of a bucket with a default retention, in milliseconds. It is long because each probe leaves
 * objects that cannot be deleted yet.
 */
const ASK_RETAINING_EVERY_MS = 30 * DAY_MS;
/**
 * Maximum time in milliseconds for which closing a job waits until a probe ends. An interrupted probe is repeated
 * later.
 */
const CLOSE_WAIT_MS = 5_000;

/** Creates a job's ConditionalWrites object. */
export function conditionalWritesOf(
  { job, store, isRemote = false, release = '', clock, logger }: GuardedJob,
  state: GuardOptions['state'],
): ConditionalWrites {
  const { bucket, prefix, unguarded } = job;
  const destination = { store, bucket, prefix };
  return new ConditionalWrites({ destination, isRemote, release, unguarded, state, clock, logger });
}

export interface GuardedJob {
  readonly job: Pick<MirrorJob, 'bucket' | 'prefix' | 'unguarded'>;
  readonly store: MirrorStore;
  readonly isRemote?: boolean;
  readonly release?: string;
  readonly clock: Clock;
  readonly logger: Logger;
}

export class ConditionalWrites {
  readonly #options: GuardOptions;
  #known: CapabilityStatus | undefined;
  /**
   * The latest request for the capabilities. Requests run one after the other, so that only one of them probes the
   * service.
   */
  #asking: Promise<unknown> = Promise.resolve();
  /** The last phase of a probe (date probe and cleanup). It runs while the job already mirrors. */
  #finishing: Promise<void> | undefined;
  readonly #closing = new AbortController();

  constructor(options: GuardOptions) {
    this.#options = options;
  }

  /**
   * Reads the bucket's kind (versioning, Object Lock), and probes the service if necessary. Throws MirrorError
   * `Unguarded` if other clients' writes could be lost.
   */
  async readBucket(signal: AbortSignal): Promise<BucketKind> {
    const { destination, isRemote } = this.#options;
    const bucket = await readBucketKind(destination, signal);
    if (!isRemote) this.#know(bucket, EVALUATES_ALL);
    else {
      const { answers, at } = await this.#answersOf(bucket, signal);
      this.#know(bucket, answers, at);
    }
    return bucket;
  }

  /**
   * Records that the service rejected a put although its If-Match condition was met. From then on, the job sends puts
   * without If-Match, whatever the probe found. Throws MirrorError `Unguarded` if other clients' writes could then be
   * lost.
   */
  contradicted(): void {
    const { bucket, answers, askedAt } = this.#now();
    const put = { ...answers.put, ifMatch: 'refused' } as const;
    this.#askAgain();
    this.#know(bucket, { ...answers, put }, askedAt);
  }

  get capabilities(): Capabilities {
    return this.#now().answers;
  }

  /** How other clients' writes are protected in the bucket, as last determined. */
  get guarding(): WriteGuarding {
    return this.#now().guarding;
  }

  status(): CapabilityStatus | undefined {
    return this.#known;
  }

  warnings(): readonly string[] {
    if (!this.#known || this.#known.guarding === 'conditions') return [];
    const { guarding, answers } = this.#known;
    const what = shortcomings(answers).join('; ');
    if (guarding === 'unguarded')
      return [
        `unguarded: this job may overwrite changes by other clients, because the service does not support all conditional writes (${what})`,
      ];
    return [
      `the service does not support all conditional writes (${what}): the job detects overwritten changes by other clients afterwards, from the version history`,
    ];
  }

  /** Returns whether a copy may be sent without its condition. If not, the job uploads the content instead. */
  mayCopyUnguarded(): boolean {
    return this.guarding === 'proof' || this.#options.unguarded;
  }

  /**
   * Returns whether versions keep their LastModified dates when their locks or tags change, according to this or an
   * earlier session. Returns false if unknown.
   */
  keepsVersionDates(): boolean {
    if (!this.#options.isRemote) return true;
    return (this.#known ?? this.#remembered())?.answers.versionDates === 'kept';
  }

  /** Returns whether the service rejects one of two concurrent writes to the ownership marker. */
  acceptsOneMarkerWrite(): boolean {
    const { put } = this.capabilities;
    return put.ifMatch === 'honoured' && put.ifNoneMatch === 'honoured';
  }

  /** Resolves when no probe is running. Never rejects. */
  async probed(): Promise<void> {
    await this.#finishing;
  }

  /** Waits until a probe ends, or interrupts the probe if it takes too long. */
  async close(): Promise<void> {
    const cancel = this.#options.clock.after(CLOSE_WAIT_MS, () => this.#closing.abort());
    await this.probed();
    cancel();
  }

  /** Aborts an interrupted probe's multipart uploads when the job is removed. Failures are only logged. */
  async end(signal: AbortSignal): Promise<void> {
    const { destination, state, logger } = this.#options;
    if (state.meta(IS_PROBING) !== 'true') return;
    try {
      await abortProbeUploads({ destination, logger, signal });
    } catch (error) {
      logger.warn(
        { error: errorMessage(error) },
        'remove job: cannot abort the multipart uploads of the capability probe',
      );
    }
  }

  #answersOf(bucket: BucketKind, signal: AbortSignal): Promise<Remembered> {
    const before = this.#asking.catch(() => undefined);
    const answers = unlessAborted(before, signal).then(() => this.#ask(bucket, signal));
    this.#asking = answers;
    return answers;
  }

  async #ask(bucket: BucketKind, signal: AbortSignal): Promise<Remembered> {
    const { destination, state, clock, logger, release } = this.#options;
    const last = this.#remembered();
    const isInterrupted = state.meta(IS_PROBING) === 'true' && !this.#finishing;
    if (last && !isInterrupted && (await this.#isFresh(last, bucket, signal))) return last;
    await unlessAborted(this.#finishing ?? Promise.resolve(), signal);
    state.setMeta(IS_PROBING, 'true');
    const context = { destination, bucket, clock, logger };
    const probe = await beginProbe({ ...context, signal });
    const asked: Remembered = { bucket, release, at: clock.now(), answers: probe.answers };
    this.#remember(asked);
    this.#finishing = this.#finish(probe, asked).finally(() => {
      this.#finishing = undefined;
    });
    return asked;
  }

  async #finish(probe: BegunProbe, asked: Remembered): Promise<void> {
    const { state, logger, destination } = this.#options;
    const { bucket } = destination;
    try {
      const found = await probe.finish(this.#closing.signal);
      // While the probe ran, `contradicted` may have changed the stored results.
      const last = this.#remembered() ?? asked;
      const answers = { ...last.answers, ...found };
      this.#remember({ ...last, answers });
      state.setMeta(IS_PROBING, 'false');
      if (this.#known)
        this.#known = { ...this.#known, answers: { ...this.#known.answers, ...found } };
      logger.info({ bucket, answers }, 'probe service: capability probe finished');
    } catch (error) {
      const message = 'probe service: failed; the next check of the bucket repeats it';
      logger.warn({ bucket, error: errorMessage(error) }, message);
    }
  }

  #remember(asked: Remembered): void {
    this.#options.state.setMeta(CAPABILITIES, JSON.stringify(asked));
  }

  #now(): CapabilityStatus {
    return this.#known ?? { bucket: 'versioned', guarding: 'conditions', answers: EVALUATES_ALL };
  }

  #know(bucket: BucketKind, answers: Capabilities, askedAt?: number): void {
    const guarding = guardingOf(answers, bucket);
    this.#known = { bucket, guarding, answers, ...(askedAt !== undefined && { askedAt }) };
    if (guarding === 'unguarded' && !this.#options.unguarded)
      throw unguarded(answers, this.#options.destination);
  }

  /** Marks the stored results as stale, so that the next `readBucket` probes the service again. */
  #askAgain(): void {
    const last = this.#remembered();
    if (last) this.#options.state.setMeta(CAPABILITIES, JSON.stringify({ ...last, at: 0 }));
  }

  #remembered(): Remembered | undefined {
    const text = this.#options.state.meta(CAPABILITIES);
    // Only Holdfast writes the state file, so the JSON is not validated.
    return text === undefined ? undefined : (JSON.parse(text) as Remembered);
  }

  async #isFresh(last: Remembered, bucket: BucketKind, signal: AbortSignal): Promise<boolean> {
    const { clock, release, destination } = this.#options;
    if (last.bucket !== bucket || last.release !== release) return false;
    const age = clock.now() - last.at;
    if (age >= 0 && age < DAY_MS) return true;
    if (bucket !== 'object-lock' || age < 0 || age >= ASK_RETAINING_EVERY_MS) return false;
    const asked = { bucket: destination.bucket };
    return (
      (await destination.store.getObjectLockConfiguration(asked, { signal })).defaultRetention !==
      undefined
    );
  }
}

function unguarded(answers: Capabilities, { bucket }: Pick<Destination, 'bucket'>): MirrorError {
  return new MirrorError(
    'Unguarded',
    `cannot back up to bucket ${bucket}: it has no versioning, and the service does not support all conditional writes ` +
      `(${shortcomings(answers).join('; ')}), so changes by other clients could be lost; enable versioning on the bucket, ` +
      'or set unguarded: true for the job in config.yaml',
  );
}
