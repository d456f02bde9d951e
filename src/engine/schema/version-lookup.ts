/**
 * Selects the version that a request reads or copies (semantics B.3). GET, HEAD and the source of a copy follow the
 * same rules.
 */

import type { ObjectRef } from '../../object-store/object-store.ts';
import { NULL_VERSION_ID } from '../../object-store/rules/versioning.ts';
import {
  malformedVersionId,
  noSuchKey,
  noSuchVersion,
  ofDeleteMarker,
  underDeleteMarker,
} from '../disk/refusals.ts';
import type { VersionRow } from './rows.ts';
import { sequenceOf } from './sequence-id.ts';
import type { VersionFinder } from './version-finder.ts';

/** Throws `InvalidArgument` if the version ID is malformed. An empty ID is malformed; it does not count as absent. */
export function checkVersionId(versionId: string | undefined): void {
  if (versionId === undefined || versionId === NULL_VERSION_ID) return;
  if (sequenceOf(versionId) === undefined) throw malformedVersionId(versionId);
}

type VersionRef = Pick<ObjectRef, 'key' | 'versionId'>;

/**
 * Returns the requested version or, if the request has no version ID, the current one. The result can be a delete
 * marker. Throws the errors of `checkVersionId`.
 */
export function findVersion(
  versions: VersionFinder,
  bucketId: number,
  { key, versionId }: VersionRef,
): VersionRow | undefined {
  checkVersionId(versionId);
  return versionId === undefined
    ? versions.latest(bucketId, key)
    : versions.byId(bucketId, key, versionId);
}

/**
 * Returns the row that `findVersion` found. `verb` is used in error messages. Throws `NoSuchKey` or `NoSuchVersion` if
 * no row was found, and `MethodNotAllowed` for a delete marker.
 */
export function existingVersion(
  verb: string,
  { key, versionId }: VersionRef,
  row: VersionRow | undefined,
): VersionRow {
  if (!row) throw versionId === undefined ? noSuchKey(key) : noSuchVersion(key, versionId);
  if (row.isDeleteMarker !== 0) throw ofDeleteMarker(verb, key, row);
  return row;
}

interface Found {
  readonly versionId: string;
  readonly isDeleteMarker: number;
}

/**
 * Returns the row to read. Throws `NoSuchKey` or `NoSuchVersion` if no row was found, and `NoSuchKey` if the current
 * version is a delete marker. If the request names a version ID, the result can be a delete marker.
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
