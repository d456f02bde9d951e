/** A page of current objects, from one index. Below a common prefix nothing is read: the next name is sought. */

import type { Statement } from 'better-sqlite3';

import type { ListedObject, ListObjectsRequest, ObjectPage } from '../object-store/listing.ts';
import {
  afterPrefix,
  commonPrefix,
  decodeListToken,
  encodeListToken,
  type ListPosition,
  pageSize,
  resumeAfter,
} from '../object-store/rules/listing.ts';
import type { MetadataReader } from './metadata-reader.ts';
import { INTEGER } from './parameters.ts';
import { laterStart, NO_UPPER_BOUND, startOf, type UpperBound } from './key-bounds.ts';

type Row = [
  ...[key: string, sizeBytes: number, etag: string, lastModifiedAt: number],
  owner?: string | undefined,
];
type Rows = Statement<[number, string, UpperBound, number], Row>;

const COLUMNS = 'key, size_bytes, etag, last_modified_at';

export class ObjectLister {
  readonly #reader: MetadataReader;
  readonly #from: Rows;
  /** Owners lie outside the index: whoever asks for them has each row read too. */
  readonly #withOwners: Rows;

  constructor(reader: MetadataReader) {
    this.#reader = reader;
    const rows = (columns: string): Rows =>
      reader.database
        .prepare<[number, string, UpperBound, number], Row>(
          `SELECT ${columns} FROM version INDEXED BY current_object
           WHERE bucket_id = ${INTEGER} AND is_latest = 1 AND is_delete_marker = 0
             AND key >= ? AND key < ?
           ORDER BY key LIMIT ${INTEGER}`,
        )
        .raw();
    this.#from = rows(COLUMNS);
    this.#withOwners = rows(`${COLUMNS}, owner`);
  }

  page(bucketId: number, request: ListObjectsRequest): ObjectPage {
    const limit = pageSize(request.maxKeys, 'max-keys');
    const start = firstName(request);
    if (limit === 0 || start === undefined) return { objects: [], commonPrefixes: [] };
    const { prefix = '', delimiter, fetchOwner } = request;
    const from = fetchOwner === true ? this.#withOwners : this.#from;
    const search = { bucketId, limit, start, prefix, from };
    if (delimiter === undefined || delimiter === '') return this.#plainPage(search);
    return this.#reader.snapshot(() => this.#folderPage({ ...search, delimiter }));
  }

  #plainPage({ bucketId, limit, start, prefix, from }: Search): ObjectPage {
    const end = afterPrefix(prefix) ?? NO_UPPER_BOUND;
    const rows = from.all(bucketId, start, end, limit + 1);
    const more = rows.length > limit;
    if (more) rows.pop();
    return pageOf(rows.map(listed), [], more ? keyPosition(rows.at(-1)?.[0] ?? '') : undefined);
  }

  #folderPage(search: Search & { readonly delimiter: string }): ObjectPage {
    const { bucketId, limit, prefix, delimiter } = search;
    const end = afterPrefix(prefix) ?? NO_UPPER_BOUND;
    const objects: ListedObject[] = [];
    const prefixes: string[] = [];
    let last: ListPosition | undefined;
    let start: string | undefined = search.start;
    while (start !== undefined) {
      // After a folder there is often another one: a single row costs less than beginning to iterate.
      const isFolderLikely = last?.kind === 'prefix';
      const wanted = limit - objects.length - prefixes.length;
      const rows: Iterable<Row> = isFolderLikely
        ? search.from.all(bucketId, start, end, 1)
        : search.from.iterate(bucketId, start, end, wanted + 1);
      start = undefined;
      for (const row of rows) {
        if (objects.length + prefixes.length === limit) return pageOf(objects, prefixes, last);
        const folder = commonPrefix(row[0], prefix, delimiter);
        if (folder === undefined) {
          objects.push(listed(row));
          last = keyPosition(row[0]);
          if (isFolderLikely) start = startOf({ name: row[0], inclusive: false });
          continue;
        }
        prefixes.push(folder);
        last = { kind: 'prefix', name: folder };
        start = afterPrefix(folder);
        break;
      }
    }
    return pageOf(objects, prefixes, undefined);
  }
}

interface Search {
  readonly bucketId: number;
  readonly limit: number;
  readonly start: string;
  readonly prefix: string;
  readonly from: Rows;
}

/** The first name that may be listed; undefined when nothing can follow. */
function firstName(request: ListObjectsRequest): string | undefined {
  const { prefix = '', delimiter } = request;
  const position = askedPosition(request);
  if (!position) return prefix;
  const bound = resumeAfter(position, { prefix, delimiter });
  return bound && laterStart(startOf(bound), prefix);
}

/** The entry that the page must come after. The token wins over the name. */
function askedPosition({ continuationToken, startAfter }: ListObjectsRequest) {
  if (continuationToken !== undefined) return decodeListToken(continuationToken);
  return startAfter === undefined || startAfter === '' ? undefined : keyPosition(startAfter);
}

function keyPosition(name: string): ListPosition {
  return { kind: 'key', name };
}

function listed([key, sizeBytes, etag, lastModifiedAt, owner]: Row): ListedObject {
  return owner === undefined
    ? { key, sizeBytes, etag, lastModifiedAt }
    : { key, sizeBytes, etag, lastModifiedAt, owner };
}

/** `last` is where the next page goes on; undefined when there is none. */
function pageOf(
  objects: readonly ListedObject[],
  commonPrefixes: readonly string[],
  last: ListPosition | undefined,
): ObjectPage {
  return last
    ? { objects, commonPrefixes, nextToken: encodeListToken(last) }
    : { objects, commonPrefixes };
}
