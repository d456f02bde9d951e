/** All buckets that can be looked at: those that each store lists, those of jobs, and those opened by their names. */

import { errorMessage } from '../../../src/base/errors.ts';
import type { Result } from '../../../src/control/messages.ts';
import { LOCAL_TARGET } from '../../../src/control/methods/target.ts';
import type { Ui } from '../../app/ui.ts';
import { notedBuckets } from '../../store/notes.ts';
import { asked, bucketText, isLocal } from '../../store/place.ts';
import type { BucketPlace } from '../../store/place.ts';

export interface BucketRow extends BucketPlace {
  /** Absent for a bucket that no list tells of: a service lists its caller's own only. */
  readonly createdAt?: number | undefined;
  /** Jobs that mirror into it. */
  readonly jobs: readonly string[];
  /** It was opened by its name, and is remembered for that. */
  readonly isNoted: boolean;
}

export interface BucketFacts extends Described {
  /** Of the embedded store; services do not tell. */
  readonly heads?: Result<'metrics.get'>['heads'] | undefined;
}

type Described = Result<'buckets.describe'>;

interface Gathered {
  /** The names of all stores, that of the embedded one first. */
  readonly targets: readonly string[];
  readonly rows: readonly BucketRow[];
  /** Stores that did not tell their buckets, and why. */
  readonly problems: readonly string[];
}

export const bucketId = (row: BucketPlace): string => bucketText(row);

export async function gatherBuckets(ui: Ui, signal: AbortSignal): Promise<Gathered> {
  const rows = new Map<string, BucketRow>();
  const problems: string[] = [];
  const { targets } = await ui.call('targets.list', {}, { signal });
  const stores = [LOCAL_TARGET, ...targets.map(({ name }) => name)];
  const lists = stores.map(async (target) => {
    try {
      return await listed(ui, target, signal);
    } catch (error) {
      signal.throwIfAborted();
      problems.push(`${target}: ${errorMessage(error)}`);
      return [];
    }
  });
  const noted = notedBuckets(ui.outside.notesFile).catch((error: unknown) => {
    problems.push(`opened by name: ${errorMessage(error)}`);
    return [];
  });
  for (const row of (await Promise.all(lists)).flat()) rows.set(bucketId(row), row);
  for (const place of jobPlaces(ui)) add(rows, place, {});
  for (const place of await noted) add(rows, place, { isNoted: true });
  return { targets: stores, rows: [...rows.values()], problems };
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

/** Jobs come and go while the list is shown. */
export function jobsOf(ui: Ui, { target, bucket }: BucketPlace): string[] {
  return ui.status.jobs
    .filter((job) => job.target === target && job.bucket === bucket)
    .map(({ name }) => name);
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
