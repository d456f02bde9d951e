/** Keeps a bounded number of listings of one job for a limited time, for other jobs with the same folder. */

import type { Clock } from '../../../base/clock.ts';
import type { FolderScan } from '../scan.ts';

/** Maximum number of entries in kept listings, if one job lags behind another. They use about 10 MB. */
const MAX_ENTRIES = 50_000;

/** Cost of a listing in addition to its entries, as an equivalent number of entries. */
const LISTING_COST = 5;

/** Maximum age of a kept listing, in milliseconds. A change that no event announced is found by a later scan. */
const MAX_AGE_MS = 60_000;

interface Listing<Receiver> {
  readonly scan: FolderScan;
  readonly begunAt: number;
  /** When the listing was kept, in milliseconds of the monotonic clock. */
  readonly at: number;
  /** Jobs that already have the listing. */
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
   * Returns a listing that began after the moment `after`. Each of the `receiverCount` jobs gets it once; then
   * it is dropped.
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

  /** Keeps a listing. `begunAt` is a moment before it began. */
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

  /** Drops expired listings, and schedules the next check if any listings are left. */
  #tidyAgain(): void {
    this.#tidy();
    const isLeft = this.#kept.size > 0;
    this.#cancel = isLeft ? this.#clock.after(MAX_AGE_MS, () => this.#tidyAgain()) : undefined;
  }
}
