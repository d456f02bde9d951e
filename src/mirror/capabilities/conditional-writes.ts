/**
 * Decides which conditional writes a job may rely on in its bucket. Stores the answers of the capability probe, and
 * repeats the probe when they may have changed.
 */

import type { Clock } from '../../base/clock.ts';
import { DAY_MS } from '../../base/durations.ts';
import { errorMessage } from '../../base/errors.ts';
import type { Logger } from '../../base/logger.ts';
import type { MirrorStore } from '../../object-store/mirror-store.ts';
import { MirrorError } from '../model/mirror-error.ts';
import type { StateFile } from '../state/state.ts';
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
import { probeCapabilities } from './probe.ts';

export interface GuardOptions {
  /** The destination with the store without the conditional-write fallback. */
  readonly destination: Destination;
  /** Whether the store is a service that must be probed. The embedded store evaluates all conditions. */
  readonly isRemote: boolean;
  /** Version of Holdfast, because another version may probe differently. */
  readonly release: string;
  /** Whether the job may write although writes of other clients could be lost. */
  readonly unguarded: boolean;
  readonly state: Pick<StateFile, 'meta' | 'setMeta'>;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** The answers of the service, and when it was probed. */
export interface CapabilityStatus {
  readonly bucket: BucketKind;
  readonly guarding: WriteGuarding;
  /** When the service was probed, in milliseconds since 1970; absent for the embedded store, which is not probed. */
  readonly askedAt?: number;
  readonly answers: Capabilities;
}

interface Remembered {
  readonly bucket: BucketKind;
  readonly release: string;
  readonly at: number;
  readonly answers: Capabilities;
}

/** Names of `meta` records in the job's state. */
const CAPABILITIES = 'capabilities';
const IS_PROBING = 'is probing';
/** Interval of probes in a bucket with a default retention, in which the objects of each probe accumulate. */
const ASK_RETAINING_EVERY_MS = 30 * DAY_MS;

/** Creates the instance of a job when its mirror is opened. */
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

  constructor(options: GuardOptions) {
    this.#options = options;
  }

  /** Returns the current kind of bucket. Throws MirrorError `Unguarded` if writes of other clients could be lost. */
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
   * Records that a put with a matching If-Match was rejected. From then on the job does not send this condition,
   * whatever the probe found. Throws MirrorError `Unguarded` if writes of other clients could then be lost.
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

  /** How writes are protected, for the bucket as it was last read. */
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

  /** Returns whether a copy may be sent without its condition; otherwise the bytes are uploaded. */
  mayCopyUnguarded(): boolean {
    return this.guarding === 'proof' || this.#options.unguarded;
  }

  /** Returns whether the service preserves the dates of versions, by the last known answers; false if unknown. */
  keepsVersionDates(): boolean {
    if (!this.#options.isRemote) return true;
    return (this.#known ?? this.#remembered())?.answers.versionDates === 'kept';
  }

  /** Returns whether the service rejects one of two concurrent writes of the ownership marker. */
  acceptsOneMarkerWrite(): boolean {
    const { put } = this.capabilities;
    return put.ifMatch === 'honoured' && put.ifNoneMatch === 'honoured';
  }

  /** Aborts the uploads of an interrupted probe for a job that is being removed. Failures are logged. */
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

  async #answersOf(bucket: BucketKind, signal: AbortSignal): Promise<Remembered> {
    const { destination, state, clock, logger, release } = this.#options;
    const last = this.#remembered();
    if (last && (await this.#isFresh(last, bucket, signal))) return last;
    state.setMeta(IS_PROBING, 'true');
    const answers = await probeCapabilities({ destination, bucket, clock, logger, signal });
    state.setMeta(IS_PROBING, 'false');
    const asked: Remembered = { bucket, release, at: clock.now(), answers };
    state.setMeta(CAPABILITIES, JSON.stringify(asked));
    logger.info(
      { bucket: destination.bucket, answers },
      'probe service: capability probe finished',
    );
    return asked;
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

  /** Makes the next read of the bucket run the probe again. */
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
