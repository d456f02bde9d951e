/** Derives the changes of a file from its versions. */

import { defined } from '../base/defined.ts';
import type { ListingOptions } from '../mirror/objects/version-listing.ts';
import type { DatedVersion } from '../mirror/objects/version-times.ts';

/** One change of a file. The size and the ETag of `removed` are those of the version before. */
export interface Change {
  /** Path below the job's folder. */
  readonly path: string;
  readonly at: number;
  /** `attributes`: another version with the same bytes. */
  readonly is: 'added' | 'changed' | 'removed' | 'attributes';
  readonly sizeBytes: number;
  readonly etag: string;
  readonly isUndated?: true;
}

interface Changed {
  readonly change: Change;
  /** The index of the version or delete marker that made the change. */
  readonly index: number;
}

/** Yields the changes of a file, whose versions are `newestFirst`. Yields nothing for a folder. */
export function* changesOf(
  newestFirst: readonly DatedVersion[],
  { prefix }: Pick<ListingOptions, 'prefix'>,
): Generator<Changed, void> {
  for (const [index, version] of newestFirst.entries()) {
    const { key, lastModifiedAt: at } = version;
    const change = key.endsWith('/') ? undefined : changeOf(version, newestFirst[index + 1]);
    if (change) yield { change: { path: key.slice(prefix.length), at, ...change }, index };
  }
}

/** Returns undefined for a delete marker without an object before it. */
function changeOf(
  { kind, sizeBytes, etag, isUndated }: DatedVersion,
  older: DatedVersion | undefined,
): Omit<Change, 'path' | 'at'> | undefined {
  const before = older?.kind === 'version' ? older : undefined;
  const undated = defined({ isUndated });
  if (kind === 'delete-marker')
    return before && { is: 'removed', sizeBytes: before.sizeBytes, etag: before.etag, ...undated };
  const isSame = before?.etag === etag && before.sizeBytes === sizeBytes;
  const is = !before ? 'added' : isSame ? 'attributes' : 'changed';
  return { is, sizeBytes, etag, ...undated };
}
