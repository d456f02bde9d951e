/**
 * Lists a page of current objects from one index. After a common prefix, it seeks to the next name instead of reading
 * the keys below the prefix.
 */

import type { Statement } from 'better-sqlite3';

import type {
  ListedObject,
  ListingGap,
  ListObjectsRequest,
  ObjectPage,
} from '../../object-store/listing.ts';
import {
  afterPrefix,
  commonPrefix,
  decodeListToken,
  encodeListToken,
  type ListPosition,
  pageSize,
  resumeAfter,
} from '../../object-store/rules/listing.ts';
import { rowsAround } from './around-damage.ts';
import { isUnreadable } from '../disk/metadata-damage.ts';
import type { MetadataReader } from './metadata-reader.ts';
import { INTEGER } from '../schema/parameters.ts';
import { laterStart, NO_UPPER_BOUND, startOf, type UpperBound } from '../schema/key-bounds.ts';

type Row = [
  ...[key: string, sizeBytes: number, etag: string, lastModifiedAt: number],
  owner?: string | undefined,
];
type Rows = Statement<[number, string, UpperBound, number], Row>;
type Key = Statement<[number, string, UpperBound], string>;

const COLUMNS = 'key, size_bytes, etag, last_modified_at';
const FROM_INDEX = 'FROM version INDEXED BY current_object';
const CURRENT = `WHERE bucket_id = ${INTEGER} AND is_latest = 1 AND is_delete_marker = 0
                   AND key >= ? AND key < ?
                 ORDER BY key`;

export class ObjectLister {
  readonly #reader: MetadataReader;
  readonly #from: Rows;
  /** Also reads the owners. The index does not contain owners, so the row of each object must be read. */
  readonly #withOwners: Rows;
  /** Reads the columns of the index from the table. Used when pages of the index are damaged. */
  readonly #fromTable: Rows;
  /** Reads one key, which shows whether the next entry of the page is a common prefix. */
  readonly #firstKey: Key;

  constructor(reader: MetadataReader) {
    this.#reader = reader;
    const rows = (columns: string, from = FROM_INDEX): Rows =>
      reader.database
        .prepare<[number, string, UpperBound, number], Row>(
          `SELECT ${columns} ${from} ${CURRENT} LIMIT ${INTEGER}`,
        )
        .raw();
    this.#fromTable = rows(`${COLUMNS}, owner`, 'FROM version NOT INDEXED');
    this.#from = rows(COLUMNS);
    this.#withOwners = rows(`${COLUMNS}, owner`);
    this.#firstKey = reader.database
      .prepare<[number, string, UpperBound], string>(`SELECT key ${FROM_INDEX} ${CURRENT} LIMIT 1`)
      .pluck();
  }

  page(bucketId: number, request: ListObjectsRequest): ObjectPage {
    const limit = pageSize(request.maxKeys, 'max-keys');
    const start = firstName(request);
    if (limit === 0 || start === undefined) return { objects: [], commonPrefixes: [] };
    const { prefix = '', delimiter, fetchOwner } = request;
    const from = fetchOwner === true ? this.#withOwners : this.#from;
    const { skipsDamage = false } = request;
    const search = { bucketId, limit, start, prefix, from, skipsDamage };
    if (delimiter === undefined || delimiter === '') return this.#plainPage(search);
    return this.#reader.snapshot(() => this.#folderPage({ ...search, delimiter }));
  }

  #plainPage(search: Search): ObjectPage {
    const { limit } = search;
    const gaps: ListingGap[] = [];
    const rows = this.#rows(search, search.skipsDamage ? gaps : undefined);
    const shown = rows.slice(0, limit);
    const more = rows.length > limit;
    const page = pageOf(
      shown.map(listed),
      [],
      more ? keyPosition(shown.at(-1)?.[0] ?? '') : undefined,
    );
    return gaps.length === 0 ? page : { ...page, gaps };
  }

  /** Returns the rows of the page, and one additional row if more exist. */
  #rows(
    { bucketId, limit, start, prefix, from }: Search,
    gaps: ListingGap[] | undefined,
  ): readonly Row[] {
    const end = afterPrefix(prefix) ?? NO_UPPER_BOUND;
    try {
      return from.all(bucketId, start, end, limit + 1);
    } catch (error) {
      if (!isUnreadable(error)) throw error;
    }
    const sources = [from, this.#fromTable].map(
      (each) => (name: string, count: number) => each.iterate(bucketId, name, end, count),
    );
    return rowsAround({ sources, nameOf: ([key]) => key, start, limit: limit + 1 }, gaps);
  }

  #folderPage(search: Search & { readonly delimiter: string }): ObjectPage {
    const { bucketId, limit, prefix, delimiter } = search;
    const end = afterPrefix(prefix) ?? NO_UPPER_BOUND;
    const objects: ListedObject[] = [];
    const prefixes: string[] = [];
    let last: ListPosition | undefined;
    let start: string | undefined = search.start;
    const add = (folder: string) => {
      prefixes.push(folder);
      last = { kind: 'prefix', name: folder };
      return afterPrefix(folder);
    };
    while (start !== undefined) {
      const wanted = limit - objects.length - prefixes.length;
      const rows = search.from.iterate(bucketId, start, end, wanted + 1);
      start = undefined;
      for (const row of rows) {
        if (objects.length + prefixes.length === limit) return pageOf(objects, prefixes, last);
        const folder = commonPrefix(row[0], prefix, delimiter);
        if (folder === undefined) {
          objects.push(listed(row));
          last = keyPosition(row[0]);
          continue;
        }
        start = add(folder);
        break;
      }
      // A second common prefix often follows. Reading a single key costs less than starting a new iteration.
      while (start !== undefined) {
        const key = this.#firstKey.get(bucketId, start, end);
        if (key === undefined) return pageOf(objects, prefixes, undefined);
        if (objects.length + prefixes.length === limit) return pageOf(objects, prefixes, last);
        const folder = commonPrefix(key, prefix, delimiter);
        if (folder === undefined) break;
        start = add(folder);
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
  readonly skipsDamage: boolean;
}

/** Returns the first name that the page can contain; undefined if the listing is at its end. */
function firstName(request: ListObjectsRequest): string | undefined {
  const { prefix = '', delimiter } = request;
  const position = askedPosition(request);
  if (!position) return prefix;
  const bound = resumeAfter(position, { prefix, delimiter });
  return bound && laterStart(startOf(bound), prefix);
}

/**
 * Returns the position before the page. `continuationToken` has precedence over `startAfter`, and empty strings count
 * as absent.
 */
function askedPosition({ continuationToken, startAfter }: ListObjectsRequest) {
  if (continuationToken !== undefined && continuationToken !== '') {
    return decodeListToken(continuationToken);
  }
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

/**
 * Returns a page with these entries. The next page continues after `last`. If `last` is undefined, this is the last
 * page.
 */
function pageOf(
  objects: readonly ListedObject[],
  commonPrefixes: readonly string[],
  last: ListPosition | undefined,
): ObjectPage {
  return last
    ? { objects, commonPrefixes, nextToken: encodeListToken(last) }
    : { objects, commonPrefixes };
}
