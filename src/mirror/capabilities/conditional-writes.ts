/** How this job's writes are guarded in its bucket: asked of the service, remembered, and asked again when it may differ. */

import type { Clock } from '../../base/clock.ts';
import { DAY_MS } from '../../base/durations.ts';
import { errorMessage } from '../../base/errors.ts';
import type { Logger } from '../../base/logger.ts';
import type { MirrorStore } from '../../object-store/mirror-store.ts';
import { MirrorError } from '../model/mirror-error.ts';
import type { StateFile } from '../state/state.ts';
import { type Place, readBucketKind } from '../objects/destination.ts';
import type { BucketKind, MirrorJob } from '../model/types.ts';
import {
  type Capabilities,
  type WriteGuarding,
  guardingOf,
  HONOURS_ALL,
  shortcomings,
} from './capabilities.ts';
import { abortProbeUploads } from './clear-probe.ts';
import { probeCapabilities } from './probe.ts';

export interface GuardOptions {
  /** With the store as it is. */
  readonly place: Place;
  /** Whether the store is a service that must be asked; the embedded one honours all. */
  readonly isRemote: boolean;
  /** Of Holdfast: another one may ask otherwise. */
  readonly release: string;
  /** Whether the job may write where nothing guards it. */
  readonly unguarded: boolean;
  readonly state: Pick<StateFile, 'meta' | 'setMeta'>;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** What the service answered, and when. */
export interface CapabilityStatus {
  readonly bucket: BucketKind;
  readonly guarding: WriteGuarding;
  /** Absent for the embedded store, which is not asked. */
  readonly askedAt?: number;
  readonly answers: Capabilities;
}

interface Remembered {
  readonly bucket: BucketKind;
  readonly release: string;
  readonly at: number;
  readonly answers: Capabilities;
}

/** Names of rows in the state's `meta`. */
const CAPABILITIES = 'capabilities';
const IS_PROBING = 'is probing';
/** What a default retention keeps of each probe piles up. */
const ASK_RETAINING_EVERY_MS = 30 * DAY_MS;

/** As the job's mirror is opened. */
export function conditionalWritesOf(
  { job, store, isRemote = false, release = '', clock, logger }: GuardedJob,
  state: GuardOptions['state'],
): ConditionalWrites {
  const { bucket, prefix, unguarded } = job;
  const place = { store, bucket, prefix };
  return new ConditionalWrites({ place, isRemote, release, unguarded, state, clock, logger });
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

  /** What kind of bucket it is now. Throws MirrorError `Unguarded` where nothing would keep writes of others from being lost. */
  async lookAtBucket(signal: AbortSignal): Promise<BucketKind> {
    const { place, isRemote } = this.#options;
    const bucket = await readBucketKind(place, signal);
    if (!isRemote) this.#know(bucket, HONOURS_ALL);
    else {
      const { answers, at } = await this.#answersOf(bucket, signal);
      this.#know(bucket, answers, at);
    }
    return bucket;
  }

  /**
   * A put was refused for an ETag that the head has: whatever was answered before, no such condition is sent from here
   * on. Throws MirrorError `Unguarded` where nothing would guard then.
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

  /** Of the bucket as it was last seen. */
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
      return [`unguarded: writes of others may be lost; the service does not hold to: ${what}`];
    return [
      `the service does not hold to conditions of writes (${what}): what is covered is found afterwards by its versions`,
    ];
  }

  /** Whether a copy may be made where the service does not hold to what it expects: else the bytes are sent. */
  mayCopyUnguarded(): boolean {
    return this.guarding === 'proof' || this.#options.unguarded;
  }

  /** Also by what an earlier session asked. Not, where that is not known. */
  keepsVersionDates(): boolean {
    if (!this.#options.isRemote) return true;
    return (this.#known ?? this.#remembered())?.answers.versionDates === 'kept';
  }

  /** Whether of two jobs that claim one place at once, the service refuses one. */
  takesOneClaim(): boolean {
    const { put } = this.capabilities;
    return put.ifMatch === 'honoured' && put.ifNoneMatch === 'honoured';
  }

  /** For a job that is removed: aborts the uploads that an interrupted probe left. What fails is logged. */
  async end(signal: AbortSignal): Promise<void> {
    const { place, state, logger } = this.#options;
    if (state.meta(IS_PROBING) !== 'true') return;
    try {
      await abortProbeUploads({ place, logger, signal });
    } catch (error) {
      logger.warn({ error: errorMessage(error) }, 'end job: uploads of a probe may remain');
    }
  }

  async #answersOf(bucket: BucketKind, signal: AbortSignal): Promise<Remembered> {
    const { place, state, clock, logger, release } = this.#options;
    const last = this.#remembered();
    if (last && (await this.#isFresh(last, bucket, signal))) return last;
    state.setMeta(IS_PROBING, 'true');
    const answers = await probeCapabilities({ place, bucket, clock, logger, signal });
    state.setMeta(IS_PROBING, 'false');
    const asked: Remembered = { bucket, release, at: clock.now(), answers };
    state.setMeta(CAPABILITIES, JSON.stringify(asked));
    logger.info({ bucket: place.bucket, answers }, 'probe service: asked what it honours');
    return asked;
  }

  #now(): CapabilityStatus {
    return this.#known ?? { bucket: 'versioned', guarding: 'conditions', answers: HONOURS_ALL };
  }

  #know(bucket: BucketKind, answers: Capabilities, askedAt?: number): void {
    const guarding = guardingOf(answers, bucket);
    this.#known = { bucket, guarding, answers, ...(askedAt !== undefined && { askedAt }) };
    if (guarding === 'unguarded' && !this.#options.unguarded) throw unguarded(answers);
  }

  /** At the next look at the bucket. */
  #askAgain(): void {
    const last = this.#remembered();
    if (last) this.#options.state.setMeta(CAPABILITIES, JSON.stringify({ ...last, at: 0 }));
  }

  #remembered(): Remembered | undefined {
    const text = this.#options.state.meta(CAPABILITIES);
    // Of our own writing: the state file is nobody else's.
    return text === undefined ? undefined : (JSON.parse(text) as Remembered);
  }

  async #isFresh(last: Remembered, bucket: BucketKind, signal: AbortSignal): Promise<boolean> {
    const { clock, release, place } = this.#options;
    if (last.bucket !== bucket || last.release !== release) return false;
    const age = clock.now() - last.at;
    if (age >= 0 && age < DAY_MS) return true;
    if (bucket !== 'object-lock' || age < 0 || age >= ASK_RETAINING_EVERY_MS) return false;
    const asked = { bucket: place.bucket };
    return (
      (await place.store.getObjectLockConfiguration(asked, { signal })).defaultRetention !==
      undefined
    );
  }
}

function unguarded(answers: Capabilities): MirrorError {
  return new MirrorError(
    'Unguarded',
    `guard writes: the bucket keeps no versions, and the service does not hold to what a write expects ` +
      `(${shortcomings(answers).join('; ')}), so that what others write could be lost; turn versioning on in the bucket, ` +
      'or let the job write all the same with unguarded: true in config.yaml',
  );
}
