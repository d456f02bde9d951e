/** This job's claim to its place, for as long as the job is open. */

import { randomUUID } from 'node:crypto';
import { statSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';

import type { Clock } from '../../base/clock.ts';
import { defined } from '../../base/defined.ts';
import { errorCode } from '../../base/errors.ts';
import type { Logger } from '../../base/logger.ts';
import type { ConditionalWrites } from '../capabilities/conditional-writes.ts';
import { toEntry } from '../local/local-entry.ts';
import type { StateFile } from '../state/state.ts';
import type { Place } from '../objects/destination.ts';
import type { MirrorJob } from '../model/types.ts';
import { type Owner, describeRoot, type FoundMarker } from '../objects/ownership-marker.ts';
import { checkDestination, holdDestination, takeOverDestination } from './hold-marker.ts';

export interface OwnershipOptions {
  readonly job: Pick<MirrorJob, 'id' | 'root'>;
  readonly hostId: string;
  readonly keyCheck?: string;
  readonly earlierChecks?: readonly string[];
  readonly place: Place;
  readonly state: Pick<StateFile, 'meta' | 'setMeta'>;
  readonly guards: ConditionalWrites;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Has the job tried again at once. */
  readonly look: () => void;
}

/** Name of a row in the state's `meta`. */
const HOLDERS = 'claim holders';
/** So long, at most, a machine and its copy both write while both have changes. */
const LOOK_EVERY_MS = 60_000;

/** As the state knows them: of which place, and by which holders it may be claimed. */
interface KnownHolders {
  readonly place: string;
  readonly holders: readonly string[];
}

export class Ownership implements OwnershipControl {
  readonly #options: OwnershipOptions;
  readonly #holder = randomUUID();
  /** By which starts the place may be claimed; undefined where the state knows none. */
  #holders: readonly string[] | undefined;
  /** Of the root, as the claim has them; undefined before it is held. */
  #saidAttributes: Owner['rootAttributes'];
  #checkedAt = Number.NEGATIVE_INFINITY;

  constructor(options: OwnershipOptions) {
    this.#options = options;
    this.#holders = this.#knownHolders();
  }

  claimant(): Owner {
    const { job, hostId: host, keyCheck, earlierChecks } = this.#options;
    const claim = { job: job.id, host, root: job.root, holder: this.#holder };
    const rootAttributes = this.#attributesOf(job.root);
    const known = { keyCheck, earlierChecks, holders: this.#holders, rootAttributes };
    return { ...claim, ...defined(known) };
  }

  /**
   * Throws MirrorError `Claimed` where another job owns the destination, `OtherKey` where it is encrypted under another key. A
   * claim with other attributes than the root's is written again.
   */
  async check(signal: AbortSignal): Promise<void> {
    if (this.#isOutdated()) await this.hold(signal);
    else await checkDestination(this.#options.place, this.claimant(), signal);
    this.#checkedAt = this.#options.clock.monotonic();
  }

  /** As `check`, where the last one was a while ago. */
  async checkAgain(signal: AbortSignal): Promise<void> {
    if (this.#options.clock.monotonic() - this.#checkedAt >= LOOK_EVERY_MS)
      await this.check(signal);
  }

  /** Makes the claim where there is none. Throws MirrorError `Claimed` or `OtherKey`. */
  async hold(signal: AbortSignal): Promise<void> {
    const { place, clock, guards } = this.#options;
    const options = { clock, takesOne: () => guards.takesOneClaim(), signal };
    await this.#asHolder((claimant) => holdDestination(place, claimant, options));
  }

  async takeOver(signal: AbortSignal): Promise<FoundMarker | undefined> {
    const { place, logger, look } = this.#options;
    const before = await this.#asHolder((claimant) => takeOverDestination(place, claimant, signal));
    if (before) logger.warn({ bucket: place.bucket, before }, 'take over place: it was claimed');
    look();
    return before;
  }

  /** The holder is in the state before it is in the bucket, and alone there once it is. */
  async #asHolder<T>(claim: (claimant: Owner) => Promise<T>): Promise<T> {
    const claimant = this.claimant();
    const known = claimant.holders?.filter((each) => each !== this.#holder);
    if (known) this.#note([...known, this.#holder]);
    const result = await claim(claimant);
    this.#note([this.#holder]);
    this.#saidAttributes = claimant.rootAttributes;
    return result;
  }

  #isOutdated(): boolean {
    const now = this.#saidAttributes && this.#attributesOf(this.#options.job.root);
    return now !== undefined && !isDeepStrictEqual(now, this.#saidAttributes);
  }

  /** Undefined while the root is missing or cannot be read, which its check reports. */
  #attributesOf(root: string): Owner['rootAttributes'] {
    try {
      const entry = toEntry('', 'directory', statSync(root));
      return describeRoot(entry, this.#options.place.provenance);
    } catch (error) {
      if (errorCode(error) === undefined) throw error;
      return undefined;
    }
  }

  #knownHolders(): readonly string[] | undefined {
    const text = this.#options.state.meta(HOLDERS);
    // Of our own writing: the state file is nobody else's.
    const known = text === undefined ? undefined : (JSON.parse(text) as KnownHolders);
    return known?.place === this.#place() ? known.holders : undefined;
  }

  #note(holders: readonly string[]): void {
    const known: KnownHolders = { place: this.#place(), holders };
    this.#options.state.setMeta(HOLDERS, JSON.stringify(known));
    this.#holders = holders;
  }

  /** A claim of another place says nothing of this one. */
  #place(): string {
    const { bucket, prefix } = this.#options.place;
    return `${bucket}/${prefix}`;
  }
}

/** The job's claim to its place in the bucket. */
export interface OwnershipControl {
  /** Whoever has it, this job has it from now on, and tries again at once. Returns whose it was, if another's. */
  takeOver(signal: AbortSignal): Promise<FoundMarker | undefined>;
  /** As whom it claims; also after `close`. */
  claimant(): Owner;
}
