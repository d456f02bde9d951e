/** Keeps some of a job's listings for a limited time, for other jobs with the same folder. */

import type { Clock } from '../../../base/clock.ts';
import type { FolderScan } from '../scan.ts';

/**
 * Maximum number of entries in the kept listings, in case one job lags behind another. They use about 10 MB of memory.
 */
const MAX_ENTRIES = 50_000;

/** Cost of a listing in addition to its entries, as the equivalent number of entries. */
const LISTING_COST = 5;

/** Maximum age of a kept listing, in milliseconds. If a change was not announced by an event, a later scan finds it. */
const MAX_AGE_MS = 60_000;

interface Listing<Receiver> {
  readonly scan: FolderScan;
  readonly begunAt: number;
  /** When the listing was kept, as a monotonic clock reading in milliseconds. */
  readonly at: number;
  /** Jobs that have already received the listing. */
  readonly receivers: Set<Receiver>;
}

interface ListingRequest<Receiver> {
  readonly receiver: Receiver;
  readonly receiverCount: number;
  readonly after: number;
}

export class KeptListings<Receiver> {
  readonly #clock: Clock;
  /** Kept listings by directory, oldest first. */
  readonly #kept = new Map<string, Listing<Receiver>>();
  #entries = 0;
  #cancel: (() => void) | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /**
   * Returns a listing that began after the logical time `after`. Each of the `receiverCount` jobs receives it once;
   * then it is dropped.
   */
  take(
    directory: string,
    { receiver, receiverCount, after }: ListingRequest<Receiver>,
  ): FolderScan | undefined {
    const kept = this.#kept.get(directory);
    if (!kept || kept.begunAt <= after || kept.receivers.has(receiver)) return undefined;
    if (this.#clock.monotonic() - kept.at > MAX_AGE_MS) return undefined;
    kept.receivers.add(receiver);
    if (kept.receivers.size >= receiverCount) this.drop(directory);
    return kept.scan;
  }

  /** Keeps a listing. `begunAt` is a logical time before the listing began. */
  keep(scan: FolderScan, begunAt: number, receiver: Receiver): void {
    const { directory, entries } = scan;
    this.drop(directory);
    const at = this.#clock.monotonic();
    this.#kept.set(directory, { scan, begunAt, at, receivers: new Set([receiver]) });
    this.#entries += entries.length + LISTING_COST;
    this.#tidy();
    this.#cancel ??= this.#clock.after(MAX_AGE_MS, () => this.#tidyAgain());
  }

  drop(directory: string): void {
    const kept = this.#kept.get(directory);
    if (!kept) return;
    this.#kept.delete(directory);
    this.#entries -= kept.scan.entries.length + LISTING_COST;
  }

  clear(): void {
    this.#kept.clear();
    this.#entries = 0;
    this.#cancel?.();
    this.#cancel = undefined;
  }

  #tidy(): void {
    const now = this.#clock.monotonic();
    for (const [oldest, { at }] of this.#kept) {
      if (this.#entries <= MAX_ENTRIES && now - at < MAX_AGE_MS) return;
      this.drop(oldest);
    }
  }

  /** Drops expired listings. If any listings are left, schedules the next check. */
  #tidyAgain(): void {
    this.#tidy();
    const isLeft = this.#kept.size > 0;
    this.#cancel = isLeft ? this.#clock.after(MAX_AGE_MS, () => this.#tidyAgain()) : undefined;
  }
}
