/**
 * Counts the contents of buckets in the background, and stores the results. A count lists all versions of a bucket.
 * Per 1,000 versions, it costs the embedded store about 10 ms of CPU time, and a remote service one request.
 */

import type { Clock } from '../../src/base/clock.ts';
import { SECOND_MS } from '../../src/base/durations.ts';
import { errorMessage } from '../../src/base/errors.ts';
import type { ChangeMonitor } from '../../src/object-store/change-monitor.ts';
import type { ListedVersion, ListVersionsRequest } from '../../src/object-store/listing.ts';
import type { VersionReader } from '../../src/object-store/object-store.ts';

export interface CountedStore {
  readonly store: VersionReader;
  /** Reports changes of the store. Absent for a remote service, because it does not report changes. */
  readonly changes?: ChangeMonitor | undefined;
}

/**
 * When to start a count. `missing` counts a bucket that has not been counted yet or has changed. `again` always
 * counts it.
 */
export type WhenToCount = 'again' | 'missing' | 'never';

/** The state of counting a bucket: the running count and the last result. */
export interface BucketCount<T> {
  readonly isCounting: boolean;
  /** The number of versions and delete markers that the running count has listed. */
  readonly listed: number;
  /** The result of the last complete count. */
  readonly last?: CountResult<T>;
  /** Why the last count of the bucket failed. */
  readonly error?: string;
}

export interface CountResult<T> {
  readonly tally: T;
  /** The number of versions and delete markers. */
  readonly listed: number;
  /** When the count started, in milliseconds since 1970. */
  readonly countedAt: number;
  /** Whether the bucket has changed since the count started. Undefined if the store does not report changes. */
  readonly hasChanged?: boolean;
}

/** The totals that a count calculates. */
export interface Tally {
  add(version: ListedVersion): void;
}

interface Counting<T> {
  readonly clock: Clock;
  /** Creates empty totals. `now` is the start of the count in milliseconds since 1970. */
  readonly begin: (now: number) => T;
  /** The maximum number of buckets per store whose counts are kept. */
  readonly maxBuckets: number;
  readonly withLocks?: boolean;
}

interface Entry<T> {
  readonly changes: { count: number; unsubscribe?: () => void };
  isCounting: boolean;
  listed: number;
  last?: Omit<CountResult<T>, 'hasChanged'> & { readonly tookMs: number; readonly changes: number };
  error?: string;
}

/** Between two pages, a count of the embedded store pauses for this multiple of the time that the page took. */
const REST_PER_WORK = 3;
/** A changed bucket is counted again after this time, or after a multiple of the time that the last count took. */
const MIN_AGE_MS = 30 * SECOND_MS;
const MIN_AGE_PER_WORK = 20;

export class BucketCounts<T extends Tally> {
  readonly #clock: Clock;
  readonly #options: Counting<T>;
  /**
   * The counts of each store. When the configuration of a target changes, it gets a new store object without counts.
   */
  readonly #stores = new WeakMap<CountedStore['store'], Map<string, Entry<T>>>();
  /** Settles when the last count has ended. Only one bucket is counted at a time. */
  #counting = Promise.resolve();
  readonly #closing = new AbortController();

  constructor(options: Counting<T>) {
    this.#clock = options.clock;
    this.#options = options;
  }

  /** Returns what is known about a bucket. If `when` requires it, starts a count in the background. */
  read(place: CountedStore, bucket: string, when: WhenToCount): BucketCount<T> {
    const entry = this.#entryOf(place, bucket);
    if (!entry.isCounting && this.#isDue(entry, when)) this.#begin(place, bucket, entry);
    const { isCounting, listed, last, error } = entry;
    const hasChanged = entry.changes.unsubscribe && last && entry.changes.count !== last.changes;
    return {
      isCounting,
      listed,
      ...(last && { last: { ...last, ...(hasChanged !== undefined && { hasChanged }) } }),
      ...(error !== undefined && { error }),
    };
  }

  /** Stops the running counts. */
  async close(): Promise<void> {
    this.#closing.abort();
    await this.#counting;
  }

  #isDue({ last, error, changes }: Entry<T>, when: WhenToCount): boolean {
    if (when !== 'missing') return when === 'again';
    if (last === undefined) return error === undefined;
    const ageMs = this.#clock.now() - last.countedAt - last.tookMs;
    const isOldEnough = ageMs >= Math.max(MIN_AGE_MS, MIN_AGE_PER_WORK * last.tookMs);
    return changes.count !== last.changes && isOldEnough;
  }

  #begin(place: CountedStore, bucket: string, entry: Entry<T>): void {
    entry.isCounting = true;
    entry.listed = 0;
    delete entry.error;
    this.#counting = this.#counting.then(async () => {
      try {
        await this.#count(place, bucket, entry);
      } catch (error) {
        entry.error = errorMessage(error);
      }
      entry.isCounting = false;
    });
  }

  async #count(place: CountedStore, bucket: string, entry: Entry<T>): Promise<void> {
    const { signal } = this.#closing;
    const { begin, withLocks = false } = this.#options;
    const [countedAt, begunAt] = [this.#clock.now(), this.#clock.monotonic()];
    const changes = entry.changes.count;
    const tally = begin(countedAt);
    let next: Pick<ListVersionsRequest, 'keyMarker' | 'versionIdMarker'> | undefined = {};
    while (next) {
      const pageAt = this.#clock.monotonic();
      const page = await place.store.listVersions({ bucket, withLocks, ...next }, { signal });
      for (const version of page.versions) tally.add(version);
      entry.listed += page.versions.length;
      ({ next } = page);
      const restMs = REST_PER_WORK * (this.#clock.monotonic() - pageAt);
      // The embedded store creates listings on the thread that serves all other requests.
      if (next && place.changes) await this.#clock.sleep(restMs, signal);
    }
    const tookMs = this.#clock.monotonic() - begunAt;
    entry.last = { tally, listed: entry.listed, countedAt, tookMs, changes };
  }

  #entryOf({ store, changes: monitor }: CountedStore, bucket: string): Entry<T> {
    const entries = this.#stores.get(store) ?? new Map<string, Entry<T>>();
    this.#stores.set(store, entries);
    const known = entries.get(bucket);
    entries.delete(bucket);
    const entry = known ?? newEntry<T>(bucket, monitor);
    // Move the entry to the end, so that the bucket that was read least recently is dropped first.
    entries.set(bucket, entry);
    for (const [name, { isCounting, changes }] of entries) {
      if (entries.size <= this.#options.maxBuckets) break;
      if (isCounting) continue;
      changes.unsubscribe?.();
      entries.delete(name);
    }
    return entry;
  }
}

function newEntry<T>(bucket: string, monitor: ChangeMonitor | undefined): Entry<T> {
  const changes: Entry<T>['changes'] = { count: 0 };
  if (monitor)
    changes.unsubscribe = monitor.onChange({ bucket, prefix: '' }, () => (changes.count += 1));
  return { changes, isCounting: false, listed: 0 };
}
