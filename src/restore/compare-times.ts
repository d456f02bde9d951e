/** A job's tree as it was, and what changed between two times: from the versions alone, no file is looked at. */

import { defined } from '../base/defined.ts';
import type { ListedVersion } from '../object-store/listing.ts';
import type { ListingOptions } from '../mirror/objects/version-listing.ts';
import { keysAtTwoTimes, type TwoTimes } from '../mirror/objects/key-history.ts';

/** Of one version. */
export interface VersionFacts {
  readonly sizeBytes: number;
  /** When it was written, milliseconds since 1970 by the service's clock. */
  readonly lastModifiedAt: number;
  readonly versionId: string;
}

export interface TreeRow extends Partial<VersionFacts> {
  /** Below the job's folder; that of a folder ends in `/`. */
  readonly path: string;
  /** The service may have changed the date of a newer version, which may have existed then. It has no facts if no older one did. */
  readonly isUncertain?: true;
}

export interface DifferenceRow {
  readonly path: string;
  /** `attributes`: another version with the same bytes. `uncertain`: what it was at one of the times is not known. */
  readonly is: 'added' | 'removed' | 'changed' | 'attributes' | 'uncertain';
  readonly before?: VersionFacts;
  readonly after?: VersionFacts;
}

/** The objects that existed, or may have existed, in the order of their keys. */
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

/** Only paths that differ, in the order of their keys. */
export async function* compareTimes(
  options: Omit<ListingOptions, 'at'>,
  times: TwoTimes,
): AsyncGenerator<DifferenceRow, void> {
  for await (const { key, before, after, isUndated } of keysAtTwoTimes(options, times)) {
    const is = isUndated ? 'uncertain' : difference(before, after);
    if (is === undefined) continue;
    const path = key.slice(options.prefix.length);
    const facts = { before: before && factsOf(before), after: after && factsOf(after) };
    yield { path, is, ...defined(facts) };
  }
}

function difference(
  before: ListedVersion | undefined,
  after: ListedVersion | undefined,
): DifferenceRow['is'] | undefined {
  if (!before) return 'added';
  if (!after) return 'removed';
  if (before.versionId === after.versionId && before.etag === after.etag) return undefined;
  const isSame = before.etag === after.etag && before.sizeBytes === after.sizeBytes;
  return isSame ? 'attributes' : 'changed';
}

function factsOf({ sizeBytes, lastModifiedAt, versionId }: ListedVersion): VersionFacts {
  return { sizeBytes, lastModifiedAt, versionId };
}
