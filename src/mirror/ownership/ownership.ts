/**
 * Maintains an open job's ownership marker: acquires it, checks it periodically, and takes over a destination on
 * request.
 */

import { randomUUID } from 'node:crypto';
import { statSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';

import type { Clock } from '../../base/clock.ts';
import { defined } from '../../base/defined.ts';
import { errorCode } from '../../base/errors.ts';
import type { Logger } from '../../base/logger.ts';
import type { ConditionalWrites } from '../capabilities/conditional-writes.ts';
import { toEntry } from '../local/local-entry.ts';
import type { StateFile } from '../state/state-file.ts';
import type { Destination } from '../objects/destination.ts';
import type { MirrorJob } from '../model/types.ts';
import { type Owner, describeRoot, type FoundMarker } from '../objects/ownership-marker.ts';
import { checkDestination, holdDestination, takeOverDestination } from './hold-marker.ts';

export interface OwnershipOptions {
  readonly job: Pick<MirrorJob, 'id' | 'root'>;
  readonly hostId: string;
  readonly keyCheck?: string;
  readonly earlierChecks?: readonly string[];
  readonly destination: Destination;
  readonly state: Pick<StateFile, 'meta' | 'setMeta'>;
  readonly guards: ConditionalWrites;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Starts the job's next attempt at once. */
  readonly retry: () => void;
}

/** Name of the value in the job's state that stores the holder ids, which are random ids of the job's starts. */
const HOLDERS = 'claim holders';
/** Interval between checks in milliseconds. A machine and its copy can both write for at most this time. */
const CHECK_EVERY_MS = 60_000;

/**
 * The destination, and the holder ids that this job may have written to its ownership marker. Stored in the job's
 * state.
 */
interface KnownHolders {
  readonly place: string;
  readonly holders: readonly string[];
}

export class Ownership implements OwnershipControl {
  readonly #options: OwnershipOptions;
  readonly #holder = randomUUID();
  /** Holder ids of this job that may be in the marker; undefined if the job's state has none. */
  #holders: readonly string[] | undefined;
  /** The root's attributes in the marker; undefined before the marker is acquired. */
  #storedAttributes: Owner['rootAttributes'];
  #checkedAt = Number.NEGATIVE_INFINITY;

  constructor(options: OwnershipOptions) {
    this.#options = options;
    this.#holders = this.#knownHolders();
  }

  owner(): Owner {
    const { job, hostId: host, keyCheck, earlierChecks } = this.#options;
    const claim = { job: job.id, host, root: job.root, holder: this.#holder };
    const rootAttributes = this.#attributesOf(job.root);
    const known = { keyCheck, earlierChecks, holders: this.#holders, rootAttributes };
    return { ...claim, ...defined(known) };
  }

  /**
   * Checks the ownership marker, and updates it if the root's attributes changed. Throws MirrorError `Claimed` if
   * another job owns the destination, and `OtherKey` if the objects are encrypted with another key.
   */
  async check(signal: AbortSignal): Promise<void> {
    if (this.#isOutdated()) await this.hold(signal);
    else await checkDestination(this.#options.destination, this.owner(), signal);
    this.#checkedAt = this.#options.clock.monotonic();
  }

  /** Checks the ownership marker if the last check is at least a minute ago. */
  async checkAgain(signal: AbortSignal): Promise<void> {
    if (this.#options.clock.monotonic() - this.#checkedAt >= CHECK_EVERY_MS)
      await this.check(signal);
  }

  /**
   * Writes the ownership marker if it does not exist. Throws MirrorError `Claimed` if another job owns the destination,
   * and `OtherKey` if the objects are encrypted with another key.
   */
  async hold(signal: AbortSignal): Promise<void> {
    const { destination, clock, guards } = this.#options;
    const options = { clock, acceptsOneWrite: () => guards.acceptsOneMarkerWrite(), signal };
    await this.#asHolder((claimant) => holdDestination(destination, claimant, options));
  }

  async takeOver(signal: AbortSignal): Promise<FoundMarker | undefined> {
    const { destination, logger, retry } = this.#options;
    const before = await this.#asHolder((claimant) =>
      takeOverDestination(destination, claimant, signal),
    );
    if (before)
      logger.warn(
        { bucket: destination.bucket, before },
        'take over destination: replaced the ownership marker of another job',
      );
    retry();
    return before;
  }

  /**
   * Stores the holder id in the state before writing it to the bucket, so that the job recognises its own marker after
   * a crash in between. Once the marker is written, the state contains only this id.
   */
  async #asHolder<T>(claim: (claimant: Owner) => Promise<T>): Promise<T> {
    const claimant = this.owner();
    const known = claimant.holders?.filter((each) => each !== this.#holder);
    if (known) this.#note([...known, this.#holder]);
    const result = await claim(claimant);
    this.#note([this.#holder]);
    this.#storedAttributes = claimant.rootAttributes;
    return result;
  }

  #isOutdated(): boolean {
    const now = this.#storedAttributes && this.#attributesOf(this.#options.job.root);
    return now !== undefined && !isDeepStrictEqual(now, this.#storedAttributes);
  }

  /**
   * Returns the root's attributes; undefined if the root is missing or unreadable, because the root check reports that.
   */
  #attributesOf(root: string): Owner['rootAttributes'] {
    try {
      const entry = toEntry('', 'directory', statSync(root));
      return describeRoot(entry, this.#options.destination.provenance);
    } catch (error) {
      if (errorCode(error) === undefined) throw error;
      return undefined;
    }
  }

  #knownHolders(): readonly string[] | undefined {
    const text = this.#options.state.meta(HOLDERS);
    // Only Holdfast writes the state file, so the JSON is not validated.
    const known = text === undefined ? undefined : (JSON.parse(text) as KnownHolders);
    return known?.place === this.#destinationText() ? known.holders : undefined;
  }

  #note(holders: readonly string[]): void {
    const known: KnownHolders = { place: this.#destinationText(), holders };
    this.#options.state.setMeta(HOLDERS, JSON.stringify(known));
    this.#holders = holders;
  }

  /** Returns the destination as text. Holder ids from another destination do not apply. */
  #destinationText(): string {
    const { bucket, prefix } = this.#options.destination;
    return `${bucket}/${prefix}`;
  }
}

/** Operations on a job's ownership marker for the control protocol. */
export interface OwnershipControl {
  /**
   * Takes over the destination, and starts the job's next attempt at once. Returns the former owner if it was another
   * job.
   */
  takeOver(signal: AbortSignal): Promise<FoundMarker | undefined>;
  /** Returns the owner that this job writes to its marker. May also be called after `close`. */
  owner(): Owner;
}
