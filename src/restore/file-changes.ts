/** Derives a file's changes from its versions. */

import { defined } from '../base/defined.ts';
import type { ListingOptions } from '../mirror/objects/version-listing.ts';
import type { DatedVersion } from '../mirror/objects/version-times.ts';

/**
 * One change to a file. If the file was `removed`, size and ETag are those of the version before.
 */
export interface Change {
  /** Path of the file, relative to the job's folder. */
  readonly path: string;
  readonly at: number;
  /** `attributes` means a new version with the same content. */
  readonly is: 'added' | 'changed' | 'removed' | 'attributes';
  readonly sizeBytes: number;
  readonly etag: string;
  readonly isUndated?: true;
}

interface Changed {
  readonly change: Change;
  /** Index of the version or delete marker that made the change. */
  readonly index: number;
}

/**
 * Yields a file's changes. `newestFirst` contains the file's versions. Yields nothing for a folder.
 */
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

/**
 * Returns the change that a version made; undefined for a delete marker without an earlier object.
 */
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
