/**
 * Collects all buckets for the bucket list: buckets that a store lists, buckets of jobs, and buckets that the user
 * opened by name.
 */

import { errorMessage } from '../../../src/base/errors.ts';
import type { Result } from '../../../src/control/messages.ts';
import { LOCAL_TARGET } from '../../../src/control/local-target.ts';
import type { Ui } from '../../ui/ui.ts';
import { notedBuckets } from '../../data/notes.ts';
import { asked, bucketText, isLocal } from '../../data/place.ts';
import type { BucketPlace } from '../../data/place.ts';
import { Sources } from '../../data/sources.ts';

export interface BucketRow extends BucketPlace {
  /**
   * The bucket's creation time. Absent if no store lists the bucket, because a service lists only the caller's own
   * buckets.
   */
  readonly createdAt?: number | undefined;
  /** The names of the jobs that back up to the bucket. */
  readonly jobs: readonly string[];
  /** Whether the user opened the bucket by name. If so, it is saved in the notes file. */
  readonly isNoted: boolean;
}

export interface BucketFacts extends Described {
  /** The number of current objects. Known only for buckets in the embedded store. */
  readonly heads?: Result<'metrics.get'>['heads'] | undefined;
}

type Described = Result<'buckets.describe'>;

export const bucketId = (row: BucketPlace): string => bucketText(row);

/** Loads the buckets of all stores and jobs, and the buckets that the user opened by name. */
export class BucketLists {
  readonly #ui: Ui;
  readonly #stores: Sources<BucketRow>;
  #noted: readonly BucketPlace[] = [];
  #notedProblem: string | undefined;

  constructor(ui: Ui) {
    this.#ui = ui;
    this.#stores = new Sources<BucketRow>([LOCAL_TARGET], {
      clock: ui.clock,
      ask: (target, signal) => listed(ui, target, signal),
    });
  }

  /** The names of all stores, starting with the embedded store. */
  get targets(): readonly string[] {
    return this.#stores.names;
  }

  /** The stores that have not responded yet. */
  get unheard(): readonly string[] {
    return this.#stores.unheard;
  }

  /** The targets without buckets. */
  get empty(): readonly string[] {
    const used = new Set(this.rows().map(({ target }) => target));
    return this.#stores.empty.filter((name) => !used.has(name) && name !== LOCAL_TARGET);
  }

  /** The reasons why some buckets are missing or stale. */
  get problems(): readonly string[] {
    const { problems } = this.#stores;
    return this.#notedProblem === undefined ? problems : [...problems, this.#notedProblem];
  }

  rows(): BucketRow[] {
    const rows = new Map<string, BucketRow>();
    for (const row of this.#stores.rows()) rows.set(bucketId(row), row);
    for (const place of jobPlaces(this.#ui)) add(rows, place, {});
    for (const place of this.#noted) add(rows, place, { isNoted: true });
    return [...rows.values()];
  }

  /** Adds a bucket that was just created. */
  add(place: BucketPlace): void {
    this.#stores.add(place.target, { ...place, jobs: [], isNoted: false });
  }

  /** Lists the buckets of all stores. Calls `heard` after each response. */
  async read(signal: AbortSignal, heard: () => void): Promise<void> {
    const { targets } = await this.#ui.call('targets.list', {}, { signal });
    await this.#readNoted();
    await this.#stores.read([LOCAL_TARGET, ...targets.map(({ name }) => name)], signal, heard);
  }

  async #readNoted(): Promise<void> {
    try {
      this.#noted = await notedBuckets(this.#ui.outside.notesFile);
      this.#notedProblem = undefined;
    } catch (error) {
      this.#notedProblem = `opened by name: ${errorMessage(error)}`;
    }
  }
}

export async function askFacts(
  ui: Ui,
  { target, bucket }: BucketPlace,
  signal: AbortSignal,
): Promise<BucketFacts> {
  const place = { target, bucket };
  const described = await ui.call('buckets.describe', asked(place), { signal });
  if (!isLocal(place)) return described;
  const { heads } = await ui.call('metrics.get', { bucket }, { signal });
  return { ...described, heads };
}

async function listed(ui: Ui, target: string, signal: AbortSignal): Promise<BucketRow[]> {
  const { bucket: _none, ...params } = asked({ target, bucket: '' });
  const { buckets } = await ui.call('buckets.list', params, { signal });
  return buckets.map(({ name, createdAt }) => {
    return { target, bucket: name, createdAt, jobs: [], isNoted: false };
  });
}

function jobPlaces(ui: Ui): BucketPlace[] {
  return ui.status.jobs.map(({ target, bucket }) => ({ target, bucket }));
}

function add(
  rows: Map<string, BucketRow>,
  { target, bucket }: BucketPlace,
  changes: Partial<BucketRow>,
): void {
  const id = bucketId({ target, bucket });
  const known = rows.get(id) ?? { target, bucket, jobs: [], isNoted: false };
  rows.set(id, { ...known, ...changes });
}
