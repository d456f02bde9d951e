/** Which version a reader means (semantics B.3): the same answer for get, head and the source of a copy. */

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

/** Throws `InvalidArgument`: the empty id too, which is not the same as none. */
export function checkVersionId(versionId: string | undefined): void {
  if (versionId === undefined || versionId === NULL_VERSION_ID) return;
  if (sequenceOf(versionId) === undefined) throw malformedVersionId(versionId);
}

type VersionRef = Pick<ObjectRef, 'key' | 'versionId'>;

/** The current version, or the one that is named; a delete marker too. Throws as `checkVersionId`. */
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

/** For what is about one version. Throws `NoSuchKey`, `NoSuchVersion`, and `MethodNotAllowed` for a delete marker, current or not. */
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
