/** Rows of one prefix of a bucket, loaded page by page: the parent folder, folders, objects and deleted objects. */

import { defined } from '../../../src/base/defined.ts';
import type { Result } from '../../../src/control/messages.ts';
import type { Ui } from '../../ui/ui.ts';
import type { Page } from '../../data/row-source.ts';
import { asked } from '../../data/place.ts';
import type { BucketPlace } from '../../data/place.ts';

export type ObjectRow =
  | { readonly kind: 'up' }
  | { readonly kind: 'folder'; readonly prefix: string }
  | StoredRow;

export interface StoredRow {
  /** `deleted` means that the latest version is a delete marker. */
  readonly kind: 'object' | 'deleted';
  readonly key: string;
  readonly sizeBytes: number;
  readonly lastModifiedAt: number;
  readonly etag: string;
  /** Known only if versions are listed. `more` is true for a partial count. */
  readonly versions?: { readonly count: number; readonly more: boolean };
  /** Version id of the delete marker. */
  readonly versionId?: string;
}

/** Start of a page in one of the two listings. */
export type ObjectCursor =
  | { readonly token: string }
  | { readonly keyMarker: string; readonly versionIdMarker?: string | undefined };

export interface Listing {
  readonly place: BucketPlace;
  readonly prefix: string;
  readonly showDeleted: boolean;
  /** True to count the versions of each row. */
  readonly byVersions: boolean;
}

export const DELIMITER = '/';
/** The maximum page size of S3. */
const PAGE_ROWS = 1_000;

export async function fetchObjects(
  ui: Ui,
  listing: Listing,
  cursor: ObjectCursor | undefined,
  signal: AbortSignal,
): Promise<Page<ObjectRow, ObjectCursor>> {
  const page =
    listing.showDeleted || listing.byVersions
      ? await versionsPage(ui, listing, cursor, signal)
      : await objectsPage(ui, listing, cursor, signal);
  return cursor === undefined ? { ...page, rows: [{ kind: 'up' }, ...page.rows] } : page;
}

async function objectsPage(
  ui: Ui,
  { place, prefix }: Listing,
  cursor: ObjectCursor | undefined,
  signal: AbortSignal,
): Promise<Page<ObjectRow, ObjectCursor>> {
  const from = cursor && 'token' in cursor ? { continuationToken: cursor.token } : {};
  const common = { ...asked(place), prefix, delimiter: DELIMITER, maxKeys: PAGE_ROWS };
  const answer = await ui.call('objects.list', { ...common, ...from }, { signal });
  const objects = answer.objects.filter(({ key }) => key !== prefix).map(objectRow);
  const rows = merged(folders(answer.commonPrefixes), objects);
  return answer.nextToken === undefined ? { rows } : { rows, next: { token: answer.nextToken } };
}

function objectRow(object: Result<'objects.list'>['objects'][number]): StoredRow {
  return { kind: 'object', ...object };
}

async function versionsPage(
  ui: Ui,
  { place, prefix, showDeleted }: Listing,
  cursor: ObjectCursor | undefined,
  signal: AbortSignal,
): Promise<Page<ObjectRow, ObjectCursor>> {
  const from = cursor && 'keyMarker' in cursor ? cursor : undefined;
  const common = { ...asked(place), prefix, delimiter: DELIMITER, maxKeys: PAGE_ROWS };
  const answer = await ui.call('versions.list', defined({ ...common, ...from }), { signal });
  // A key that started on the previous page already has its row there.
  const versions = answer.versions.filter(({ key }) => key !== from?.keyMarker && key !== prefix);
  const latest = latestOf(versions, answer.next?.keyMarker);
  const stored = showDeleted ? latest : latest.filter(({ kind }) => kind === 'object');
  const rows = merged(folders(answer.commonPrefixes), stored);
  const next = answer.next;
  return next ? { rows, next: { ...next } } : { rows };
}

type Version = Result<'versions.list'>['versions'][number];

/**
 * Returns one row for each key, from its latest version, which is first. `unfinished` is the key that
 * continues on the next page.
 */
function latestOf(versions: readonly Version[], unfinished: string | undefined): StoredRow[] {
  const rows = new Map<string, StoredRow>();
  for (const { kind, isLatest: _isLatest, versionId, ...version } of versions) {
    const known = rows.get(version.key);
    const count = (known?.versions?.count ?? 0) + (kind === 'version' ? 1 : 0);
    const counted = { versions: { count, more: version.key === unfinished } };
    const isDeleted = kind === 'delete-marker';
    const first: StoredRow = isDeleted
      ? { kind: 'deleted', ...version, versionId }
      : { kind: 'object', ...version };
    rows.set(version.key, { ...(known ?? first), ...counted });
  }
  return [...rows.values()];
}

function folders(prefixes: readonly string[]): ObjectRow[] {
  return prefixes.map((prefix) => ({ kind: 'folder', prefix }));
}

/** Merges the rows in the byte order of their names, like all listings of S3. */
function merged(prefixes: readonly ObjectRow[], objects: readonly StoredRow[]): ObjectRow[] {
  if (prefixes.length === 0) return [...objects];
  const rows = [...prefixes, ...objects].map((row) => ({ row, bytes: Buffer.from(nameOf(row)) }));
  return rows.sort((a, b) => Buffer.compare(a.bytes, b.bytes)).map(({ row }) => row);
}

/** Returns the key or the prefix; empty for the row of the parent folder. */
export function nameOf(row: ObjectRow): string {
  return row.kind === 'up' ? '' : row.kind === 'folder' ? row.prefix : row.key;
}

/** Returns an id that distinguishes an object from a folder with the same name. */
export function idOf(row: ObjectRow): string {
  if (row.kind === 'up') return '..';
  return row.kind === 'folder' ? `p${row.prefix}` : objectId(row.key);
}

export function objectId(key: string): string {
  return `o${key}`;
}

/**
 * Returns the id of the row for the key in a listing of the prefix: the object itself, or the folder that
 * contains it.
 */
export function rowIdOf(key: string, prefix: string): string {
  const end = key.indexOf(DELIMITER, prefix.length);
  return end < 0 ? objectId(key) : idOf({ kind: 'folder', prefix: key.slice(0, end + 1) });
}

export function isStored(row: ObjectRow | undefined): row is StoredRow {
  return row?.kind === 'object' || row?.kind === 'deleted';
}
