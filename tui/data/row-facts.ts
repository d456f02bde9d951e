/**
 * Loads object details that a listing does not contain. For the local store, it loads all details for the visible rows.
 * For a remote service, it loads only the locks, and all details for the row under the cursor.
 */

import type { Result } from '../../src/control/messages.ts';
import type { Clock } from '../../src/base/clock.ts';
import type { Changes } from './changes.ts';
import type { DaemonLink } from './daemon-link.ts';
import { Lookups } from './lookups.ts';
import { asked, isLocal } from './place.ts';
import type { BucketPlace } from './place.ts';

export type ObjectFacts = Result<'objects.describe'>;
export type LockFacts = Result<'objects.locks'>;

interface Sources {
  readonly link: DaemonLink;
  readonly clock: Clock;
  readonly changes: Changes;
}

interface RowFactsOptions<Row> {
  readonly place: BucketPlace;
  readonly id: (row: Row) => string;
  readonly ref: (row: Row) => { readonly key: string; readonly versionId?: string };
}

export class RowFacts<Row> {
  readonly #isNear: boolean;
  readonly #facts: Lookups<Row, ObjectFacts>;
  readonly #locks: Lookups<Row, LockFacts>;

  constructor(
    { link, clock, changes }: Sources,
    { place: { target, bucket }, id, ref }: RowFactsOptions<Row>,
  ) {
    const place = { target, bucket };
    const common = { clock, id, changed: () => changes.soon() };
    this.#isNear = isLocal(place);
    this.#facts = new Lookups<Row, ObjectFacts>({
      ...common,
      ask: (row, signal) =>
        link.call('objects.describe', { ...asked(place), ...ref(row) }, { signal }),
    });
    this.#locks = new Lookups<Row, LockFacts>({
      ...common,
      ask: (row, signal) =>
        link.call('objects.locks', { ...asked(place), ...ref(row) }, { signal }),
    });
  }

  of(row: Row): ObjectFacts | undefined {
    return this.#facts.of(row);
  }

  locksOf(row: Row): LockFacts | undefined {
    return this.#isNear ? this.#facts.of(row) : this.#locks.of(row);
  }

  /** Sets the visible rows that may have locks. `current` is the row under the cursor. */
  want(inView: readonly Row[], current: Row | undefined): void {
    const one = current === undefined ? [] : [current];
    this.#facts.want(this.#isNear && inView.length > 0 ? inView : one);
    if (!this.#isNear) this.#locks.want(inView);
  }

  /** Marks all loaded details as stale. They remain visible until the next request replaces them. */
  expire(): void {
    this.#facts.expire();
    this.#locks.expire();
  }

  /** Cancels all requests, because the list is no longer visible. */
  stop(): void {
    this.#facts.stop();
    this.#locks.stop();
  }
}
