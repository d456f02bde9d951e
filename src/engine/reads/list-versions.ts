/**
 * Lists a page of versions and delete markers, ordered by key. Versions of the same key are ordered from newest to
 * oldest.
 */

import type { Statement } from 'better-sqlite3';

import type {
  ListedVersion,
  ListingGap,
  ListVersionsRequest,
  VersionPage,
} from '../../object-store/listing.ts';
import {
  afterPrefix,
  commonPrefix,
  pageSize,
  resumeAfter,
} from '../../object-store/rules/listing.ts';
import type { Retention } from '../../object-store/object-store.ts';
import { StorageError } from '../../object-store/storage-error.ts';
import { rowsAround } from './around-damage.ts';
import { laterStart, NO_UPPER_BOUND, startOf, type UpperBound } from '../schema/key-bounds.ts';
import type { MetadataReader } from './metadata-reader.ts';
import { INTEGER, TEXT } from '../schema/parameters.ts';
import { sequenceOf } from '../schema/sequence-id.ts';
import { checkVersionId } from '../schema/version-lookup.ts';

type Row = [
  ...[key: string, sequence: number, versionId: string, isLatest: number, isDeleteMarker: number],
  ...[lastModifiedAt: number, sizeBytes: number, etag: string, owner: string],
  ...[mode?: Retention['mode'] | null, retainUntil?: number | null, legalHold?: number],
];

const COLUMNS =
  'key, sequence, version_id, is_latest, is_delete_marker, last_modified_at, size_bytes, etag, owner';
const LOCK_COLUMNS = `${COLUMNS}, retention_mode, retain_until, legal_hold`;

type VersionLocks = Pick<ListedVersion, 'legalHold' | 'retention'>;

interface Search {
  readonly bucketId: number;
  readonly limit: number;
  readonly prefix: string;
  readonly delimiter: string | undefined;
  readonly skipsDamage: boolean;
  readonly statements: Statements;
}

/**
 * The position at which a page begins. The page first lists the versions of `older.key` with a sequence number below
 * `older.before`, and then the keys from `start` on.
 */
interface Resume {
  readonly older?: { readonly key: string; readonly before: number };
  readonly start: string | undefined;
}

interface Statements {
  readonly from: Statement<[number, string, UpperBound, number], Row>;
  readonly older: Statement<[number, string, number, number], Row>;
}

export class VersionLister {
  readonly #reader: MetadataReader;
  readonly #plain: Statements;
  /** Statements that also read the locks of versions. They are prepared on first use. */
  #withLocks: Statements | undefined;

  constructor(reader: MetadataReader) {
    this.#reader = reader;
    this.#plain = statementsOf(reader, COLUMNS);
  }

  page(bucketId: number, request: ListVersionsRequest): VersionPage {
    const limit = pageSize(request.maxKeys, 'max-keys');
    const { prefix = '', delimiter } = request;
    const { skipsDamage = false } = request;
    const statements = request.withLocks
      ? (this.#withLocks ??= statementsOf(this.#reader, LOCK_COLUMNS))
      : this.#plain;
    const search = { bucketId, limit, prefix, delimiter, skipsDamage, statements };
    return this.#reader.snapshot(() => {
      const resume = this.#resume(request, search);
      return limit === 0 ? { versions: [], commonPrefixes: [] } : this.#read(search, resume);
    });
  }

  #read(search: Search, { older, start }: Resume): VersionPage {
    const { bucketId, prefix, skipsDamage, statements } = search;
    const page = new PageInMaking(search);
    const end = afterPrefix(prefix) ?? NO_UPPER_BOUND;
    if (older)
      page.take(statements.older.iterate(bucketId, older.key, older.before, page.room + 1));
    const gaps: ListingGap[] = [];
    const source = (name: string, count: number) =>
      statements.from.iterate(bucketId, name, end, count);
    for (let from = start; from !== undefined && !page.isFull;) {
      const about = { sources: [source], nameOf: ([key]: Row) => key, hasMoreOfName: true };
      const rows = skipsDamage
        ? rowsAround({ ...about, start: from, limit: page.room + 1 }, gaps)
        : source(from, page.room + 1);
      from = page.take(rows);
    }
    return gaps.length === 0 ? page.finish() : { ...page.finish(), gaps };
  }

  #resume(request: ListVersionsRequest, { bucketId, prefix, delimiter }: Search): Resume {
    const { keyMarker, versionIdMarker } = request;
    if (versionIdMarker !== undefined && !keyMarker) throw markerWithoutKey();
    checkVersionId(versionIdMarker);
    if (!keyMarker) return { start: prefix };
    const bound = resumeAfter({ kind: 'key', name: keyMarker }, { prefix, delimiter });
    const start = bound && laterStart(startOf(bound), prefix);
    const isListed =
      keyMarker.startsWith(prefix) && commonPrefix(keyMarker, prefix, delimiter) === undefined;
    if (versionIdMarker === undefined || !isListed) return { start };
    const before = this.#sequence(bucketId, keyMarker, versionIdMarker);
    return { start, older: { key: keyMarker, before } };
  }

  /**
   * Returns the sequence number of the version at which the listing resumes. A version ID contains the sequence number,
   * so the version need not exist any more. The ID `null` contains none: if the null version was deleted since the last
   * page, the listing resumes at the newest version of its key. Listing a version twice is better than omitting a
   * version.
   */
  #sequence(bucketId: number, key: string, versionId: string): number {
    const sequence = sequenceOf(versionId);
    if (sequence !== undefined) return sequence;
    return this.#reader.versions.nullVersion(bucketId, key)?.sequence ?? Number.MAX_SAFE_INTEGER;
  }
}

class PageInMaking {
  readonly #search: Search;
  readonly #versions: ListedVersion[] = [];
  readonly #prefixes: string[] = [];
  #next: VersionPage['next'];
  #isTruncated = false;

  constructor(search: Search) {
    this.#search = search;
  }

  get room(): number {
    return this.#search.limit - this.#versions.length - this.#prefixes.length;
  }

  /** Whether the page is full although more rows exist. */
  get isFull(): boolean {
    return this.#isTruncated;
  }

  /** Adds rows until the page is full or a common prefix begins. Returns the name from which to continue. */
  take(rows: Iterable<Row>): string | undefined {
    const { prefix, delimiter } = this.#search;
    for (const row of rows) {
      if (this.room === 0) {
        this.#isTruncated = true;
        return undefined;
      }
      const folder = commonPrefix(row[0], prefix, delimiter);
      if (folder !== undefined) {
        this.#prefixes.push(folder);
        this.#next = { keyMarker: folder };
        return afterPrefix(folder);
      }
      this.#versions.push(listed(row));
      this.#next = { keyMarker: row[0], versionIdMarker: row[2] };
    }
    return undefined;
  }

  finish(): VersionPage {
    const page = { versions: this.#versions, commonPrefixes: this.#prefixes };
    return this.#isTruncated && this.#next ? { ...page, next: this.#next } : page;
  }
}

function listed(row: Row): ListedVersion {
  const [key, , versionId, isLatest, isDeleteMarker, lastModifiedAt, sizeBytes, etag, owner] = row;
  const kind = isDeleteMarker === 0 ? 'version' : 'delete-marker';
  const locks = locksOf(row);
  const version: ListedVersion = {
    kind,
    key,
    versionId,
    isLatest: isLatest !== 0,
    lastModifiedAt,
    sizeBytes,
    etag,
    owner,
  };
  return locks ? Object.assign(version, locks) : version;
}

function locksOf({ 9: mode, 10: retainUntil, 11: legalHold }: Row): VersionLocks | undefined {
  if (!mode && !legalHold) return undefined;
  return {
    ...(mode && retainUntil && { retention: { mode, retainUntil } }),
    ...(legalHold && { legalHold: true }),
  };
}

function statementsOf({ database }: MetadataReader, columns: string): Statements {
  return {
    from: database
      .prepare<[number, string, UpperBound, number], Row>(
        `SELECT ${columns} FROM version WHERE bucket_id = ${INTEGER} AND key >= ? AND key < ?
         ORDER BY key, sequence DESC LIMIT ${INTEGER}`,
      )
      .raw(),
    older: database
      .prepare<[number, string, number, number], Row>(
        `SELECT ${columns} FROM version WHERE bucket_id = ${INTEGER} AND key = ${TEXT} AND sequence < ?
         ORDER BY sequence DESC LIMIT ${INTEGER}`,
      )
      .raw(),
  };
}

function markerWithoutKey(): StorageError {
  return new StorageError(
    'InvalidArgument',
    'list versions: A version-id marker cannot be specified without a key marker.',
    { details: { ArgumentName: 'version-id-marker' } },
  );
}
