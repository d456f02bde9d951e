/** Lists a job's tree at a past time, and the differences between two times. Reads only the versions in the bucket. */

import { defined } from '../base/defined.ts';
import type { ListedVersion } from '../object-store/listing.ts';
import type { ListingOptions } from '../mirror/objects/version-listing.ts';
import {
  type KeyAtTwoTimes,
  keysAtTwoTimes,
  type TwoTimes,
} from '../mirror/objects/key-history.ts';

/** Size, date and identity of one version. */
export interface VersionFacts {
  readonly sizeBytes: number;
  /** When the version was written, in milliseconds since 1970 by the service's clock. */
  readonly lastModifiedAt: number;
  readonly versionId: string;
}

export interface TreeRow extends Partial<VersionFacts> {
  /** Path below the job's folder. A folder's path ends in `/`. */
  readonly path: string;
  /**
   * Set if a newer version may have existed at that time, because the service may have changed its date. If no older
   * version existed, size, date and version id are absent.
   */
  readonly isUncertain?: true;
}

export interface DifferenceRow {
  readonly path: string;
  /**
   * Kind of difference. `attributes`: a different version with the same content. `uncertain`: the version at one of the
   * two times is unknown.
   */
  readonly is: 'added' | 'removed' | 'changed' | 'attributes' | 'uncertain';
  readonly before?: ComparedFacts;
  readonly after?: ComparedFacts;
}

interface ComparedFacts extends VersionFacts {
  readonly etag: string;
}

/** Yields the objects that existed, or may have existed, at a given time, in key order. */
export async function* treeAt(
  options: Omit<ListingOptions, 'at'>,
  at: number,
): AsyncGenerator<TreeRow, void> {
  for await (const { key, before, isUndated } of keysAtTwoTimes(options, { from: at, to: at }))
    yield {
      path: key.slice(options.prefix.length),
      ...(before && factsOf(before)),
      ...(isUndated && { isUncertain: true }),
    };
}

/** Yields the paths that differ between two times, in key order. */
export async function* compareTimes(
  options: Omit<ListingOptions, 'at'>,
  times: TwoTimes,
): AsyncGenerator<DifferenceRow, void> {
  for await (const found of keysAtTwoTimes(options, times)) {
    const is = differenceOf(found);
    if (is === undefined) continue;
    const { key, before, after } = found;
    const path = key.slice(options.prefix.length);
    const facts = { before: before && comparedFacts(before), after: after && comparedFacts(after) };
    yield { path, is, ...defined(facts) };
  }
}

export function differenceOf({
  before,
  after,
  isUndated,
}: KeyAtTwoTimes): DifferenceRow['is'] | undefined {
  if (isUndated) return 'uncertain';
  if (!before) return 'added';
  if (!after) return 'removed';
  if (before.versionId === after.versionId && before.etag === after.etag) return undefined;
  const isSame = before.etag === after.etag && before.sizeBytes === after.sizeBytes;
  return isSame ? 'attributes' : 'changed';
}

function factsOf({ sizeBytes, lastModifiedAt, versionId }: ListedVersion): VersionFacts {
  return { sizeBytes, lastModifiedAt, versionId };
}

function comparedFacts(version: ListedVersion): ComparedFacts {
  return { ...factsOf(version), etag: version.etag };
}
