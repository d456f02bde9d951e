/** A job's keys at two moments, from one listing of their versions: what the tree was, and what became of it. */

import type { ListedVersion } from '../../object-store/listing.ts';
import { isReserved } from '../restore/restore-targets.ts';
import { allVersions, type ListingOptions, listingsOf } from '../restore/restore-listing.ts';

export interface KeyAtTwoTimes {
  readonly key: string;
  /** Absent where there was no object then. */
  readonly before?: ListedVersion;
  readonly after?: ListedVersion;
  /** The delete marker that is on top, where there is one. */
  readonly isMarked: boolean;
}

export interface TwoTimes {
  /** Milliseconds since 1970 by the service's clock. */
  readonly from: number;
  /** Absent for now. */
  readonly to?: number;
}

/** Keys that have or had an object at either time, in their order; those of Holdfast itself are left out. */
export async function* keysAtTwoTimes(
  options: Omit<ListingOptions, 'at'>,
  { from, to = Number.POSITIVE_INFINITY }: TwoTimes,
): AsyncGenerator<KeyAtTwoTimes, void> {
  for await (const versions of versionsByKey(options)) {
    const [newest] = versions;
    if (!newest) continue;
    const before = objectAt(versions, from);
    const after = objectAt(versions, to);
    const isMarked = newest.kind === 'delete-marker';
    if (before ?? after)
      yield { key: newest.key, isMarked, ...(before && { before }), ...(after && { after }) };
  }
}

/** In the service's own order, which also tells versions of one moment apart: the first one by then is it. */
function objectAt(newestFirst: readonly ListedVersion[], at: number): ListedVersion | undefined {
  const last = newestFirst.find(({ lastModifiedAt }) => lastModifiedAt <= at);
  return last?.kind === 'version' ? last : undefined;
}

/** Of each key all versions and markers, the newest first. */
export async function* versionsByKey(
  options: Omit<ListingOptions, 'at'>,
): AsyncGenerator<readonly ListedVersion[], void> {
  for await (const versions of allByKey(options)) {
    const key = versions[0]?.key.slice(options.prefix.length);
    if (key !== undefined && !isReserved(key)) yield versions;
  }
}

/** As `versionsByKey`, also of what Holdfast keeps for itself below the prefix. */
export async function* allByKey(
  options: Omit<ListingOptions, 'at'>,
): AsyncGenerator<readonly ListedVersion[], void> {
  for (const { prefix, only } of listingsOf(options)) {
    let versions: ListedVersion[] = [];
    for await (const version of allVersions({ ...options, prefix })) {
      if (only && version.key !== prefix) break;
      if (versions[0] && versions[0].key !== version.key) {
        yield versions;
        versions = [];
      }
      versions.push(version);
    }
    if (versions.length > 0) yield versions;
  }
}
