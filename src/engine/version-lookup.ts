/** Which version a reader means (semantics B.3): the same answer for get, head and the source of a copy. */

import { NULL_VERSION_ID } from '../object-store/rules/versioning.ts';
import { malformedVersionId, noSuchKey, noSuchVersion, underDeleteMarker } from './refusals.ts';
import { sequenceOf } from './sequence-id.ts';

/** Throws `InvalidArgument`: the empty id too, which is not the same as none. */
export function checkVersionId(versionId: string | undefined): void {
  if (versionId === undefined || versionId === NULL_VERSION_ID) return;
  if (sequenceOf(versionId) === undefined) throw malformedVersionId(versionId);
}

interface Found {
  readonly versionId: string;
  readonly isDeleteMarker: number;
}

/**
 * Throws `NoSuchKey` or `NoSuchVersion` where there is nothing to read. What is returned can still be a
 * delete marker, if it was asked for by its id.
 */
export function readableVersion<Row extends Found>(
  { key, versionId }: { readonly key: string; readonly versionId?: string | undefined },
  row: Row | undefined,
): Row {
  if (versionId !== undefined) {
    if (!row) throw noSuchVersion(key, versionId);
    return row;
  }
  if (!row) throw noSuchKey(key);
  if (row.isDeleteMarker !== 0) throw underDeleteMarker(key, row.versionId);
  return row;
}
