/** Loads the rows of one prefix page by page: the parent folder, folders, objects and deleted objects. */

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
  /** The row's kind. `deleted` means that the latest version is a delete marker. */
  readonly kind: 'object' | 'deleted';
  readonly key: string;
  readonly sizeBytes: number;
  readonly lastModifiedAt: number;
  readonly etag: string;
  /** The number of versions, known only if versions are listed. If `more` is true, some versions were not counted. */
  readonly versions?: { readonly count: number; readonly more: boolean };
  /** The version id of the delete marker. */
  readonly versionId?: string;
}

/** The start of a page, in the listing of objects or in the listing of versions. */
export type ObjectCursor =
  | { readonly token: string }
  | { readonly keyMarker: string; readonly versionIdMarker?: string | undefined };

export interface Listing {
  readonly place: BucketPlace;
  readonly prefix: string;
  readonly showDeleted: boolean;
  /** Whether to count the versions for each row. */
  readonly byVersions: boolean;
}

export const DELIMITER = '/';
/** The maximum page size in S3. */
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
  // A key that started on the previous page already has a row there.
  const versions = answer.versions.filter(({ key }) => key !== from?.keyMarker && key !== prefix);
  const latest = latestOf(versions, answer.next?.keyMarker);
  const stored = showDeleted ? latest : latest.filter(({ kind }) => kind === 'object');
  const rows = merged(folders(answer.commonPrefixes), stored);
  const next = answer.next;
  return next ? { rows, next: { ...next } } : { rows };
}

type Version = Result<'versions.list'>['versions'][number];

/**
 * Returns one row for each key, created from the key's latest version, which S3 lists first. `unfinished` is the key
 * that continues on the next page.
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

/** Merges the rows in the byte order of their names, because S3 listings use this order. */
function merged(prefixes: readonly ObjectRow[], objects: readonly StoredRow[]): ObjectRow[] {
  if (prefixes.length === 0) return [...objects];
  const rows = [...prefixes, ...objects].map((row) => ({ row, bytes: Buffer.from(nameOf(row)) }));
  return rows.sort((a, b) => Buffer.compare(a.bytes, b.bytes)).map(({ row }) => row);
}

/** Returns a row's key or prefix. Returns an empty string for the row of the parent folder. */
export function nameOf(row: ObjectRow): string {
  return row.kind === 'up' ? '' : row.kind === 'folder' ? row.prefix : row.key;
}

/** Returns a row id that distinguishes an object from a folder with the same name. */
export function idOf(row: ObjectRow): string {
  if (row.kind === 'up') return '..';
  return row.kind === 'folder' ? `p${row.prefix}` : objectId(row.key);
}

export function objectId(key: string): string {
  return `o${key}`;
}

/**
 * Returns the id of the row that represents the key in a listing of the prefix: the object itself, or the folder that
 * contains it.
 */
export function rowIdOf(key: string, prefix: string): string {
  const end = key.indexOf(DELIMITER, prefix.length);
  return end < 0 ? objectId(key) : idOf({ kind: 'folder', prefix: key.slice(0, end + 1) });
}

export function isStored(row: ObjectRow | undefined): row is StoredRow {
  return row?.kind === 'object' || row?.kind === 'deleted';
}
