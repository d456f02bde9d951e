/** Lists pages of open multipart uploads, and pages of the parts of one upload. */

import type { Statement } from 'better-sqlite3';

import { defined } from '../../base/defined.ts';
import type {
  ListedPart,
  ListedUpload,
  ListPartsRequest,
  ListUploadsRequest,
  PartPage,
  UploadPage,
  UploadRef,
} from '../../object-store/multipart.ts';
import {
  afterPrefix,
  commonPrefix,
  pageSize,
  resumeAfter,
} from '../../object-store/rules/listing.ts';
import { parsePartChecksum } from '../schema/checksum-text.ts';
import { laterStart, NO_UPPER_BOUND, startOf, type UpperBound } from '../schema/key-bounds.ts';
import type { MetadataReader } from './metadata-reader.ts';
import { noSuchUpload } from '../disk/refusals.ts';
import { PART_COLUMNS, type PartRow, UPLOAD_COLUMNS, type UploadRow } from '../schema/rows.ts';
import { sequenceOf } from '../schema/sequence-id.ts';

interface KeyedUploadRow extends UploadRow {
  readonly key: string;
}

/** An open upload, or the common prefix of several uploads. */
type Entry = ListedUpload | string;

export class UploadLister {
  readonly #find: Statement<[number, number, string, string], UploadRow>;
  readonly #younger: Statement<[number, string, number, number], KeyedUploadRow>;
  readonly #from: Statement<[number, string, UpperBound, number], KeyedUploadRow>;
  readonly #parts: Statement<[number, number, number], PartRow>;
  readonly #reader: MetadataReader;

  constructor(reader: MetadataReader) {
    this.#reader = reader;
    const { database } = reader;
    const columns = `key, ${UPLOAD_COLUMNS}`;
    this.#find = database.prepare(
      `SELECT ${UPLOAD_COLUMNS} FROM upload
       WHERE sequence = ? AND bucket_id = ? AND key = ? AND upload_id = ?`,
    );
    this.#younger = database.prepare(
      `SELECT ${columns} FROM upload WHERE bucket_id = ? AND key = ? AND sequence > ?
       ORDER BY sequence LIMIT ?`,
    );
    this.#from = database.prepare(
      `SELECT ${columns} FROM upload WHERE bucket_id = ? AND key >= ? AND key < ?
       ORDER BY key, sequence LIMIT ?`,
    );
    this.#parts = database.prepare(
      `SELECT ${PART_COLUMNS} FROM upload_part WHERE upload_sequence = ? AND part_number > ?
       ORDER BY part_number LIMIT ?`,
    );
  }

  /** Returns an open multipart upload. Throws `NoSuchUpload` if the upload does not exist or is not open. */
  find(bucketId: number, ref: UploadRef): UploadRow {
    const found = this.ifAny(bucketId, ref);
    if (found === undefined) throw noSuchUpload(ref.uploadId);
    return found;
  }

  ifAny(bucketId: number, { key, uploadId }: UploadRef): UploadRow | undefined {
    const sequence = sequenceOf(uploadId);
    return sequence === undefined ? undefined : this.#find.get(sequence, bucketId, key, uploadId);
  }

  parts(bucketId: number, request: ListPartsRequest): PartPage {
    const limit = pageSize(request.maxParts, 'max-parts');
    return this.#reader.snapshot(() => {
      const upload = this.find(bucketId, request);
      const found = this.#parts.all(upload.sequence, request.partNumberMarker ?? 0, limit + 1);
      const parts = found.slice(0, limit).map(listedPart);
      const last = found.length > limit ? parts.at(-1) : undefined;
      return defined({
        ...sharedOf(upload),
        parts,
        nextPartNumberMarker: last?.partNumber,
      });
    });
  }

  /** Returns a page of open uploads, ordered by key. Uploads of the same key are ordered by creation. */
  uploads(bucketId: number, request: ListUploadsRequest): UploadPage {
    const limit = pageSize(request.maxUploads, 'max-uploads');
    const found = this.#reader.snapshot(() => this.#entries(bucketId, request, limit + 1));
    const shown = found.slice(0, limit);
    const last = found.length > limit ? shown.at(-1) : undefined;
    return defined({
      uploads: shown.filter((entry) => typeof entry !== 'string'),
      commonPrefixes: shown.filter((entry) => typeof entry === 'string'),
      next: last === undefined ? undefined : positionOf(last),
    });
  }

  /**
   * Returns up to `limit` entries. After a common prefix, it seeks to the next name instead of reading the keys below
   * the prefix.
   */
  #entries(bucketId: number, request: ListUploadsRequest, limit: number): readonly Entry[] {
    const { prefix = '', delimiter } = request;
    const end = afterPrefix(prefix) ?? NO_UPPER_BOUND;
    const entries: Entry[] = this.#ofMarker(bucketId, request, limit).map(listed);
    let from = firstName(request);
    while (from !== undefined && entries.length < limit) {
      const rows = this.#from.iterate(bucketId, from, end, limit - entries.length);
      from = undefined;
      for (const row of rows) {
        const folder = commonPrefix(row.key, prefix, delimiter);
        entries.push(folder ?? listed(row));
        if (folder === undefined) continue;
        from = afterPrefix(folder);
        break;
      }
    }
    return entries;
  }

  /**
   * Returns the uploads of the marker's key that are newer than the marker. The marker is an upload ID, which contains
   * a sequence number. So the upload itself need not exist any more.
   */
  #ofMarker(
    bucketId: number,
    { prefix = '', delimiter, keyMarker = '', uploadIdMarker }: ListUploadsRequest,
    limit: number,
  ): readonly KeyedUploadRow[] {
    const begun = uploadIdMarker === undefined ? undefined : sequenceOf(uploadIdMarker);
    if (begun === undefined || keyMarker === '' || !keyMarker.startsWith(prefix)) return [];
    if (commonPrefix(keyMarker, prefix, delimiter) !== undefined) return [];
    return this.#younger.all(bucketId, keyMarker, begun, limit);
  }
}

/** Returns the first name after the marker; undefined if the listing is at its end. */
function firstName({ prefix = '', delimiter, keyMarker = '' }: ListUploadsRequest) {
  if (keyMarker === '') return prefix;
  const bound = resumeAfter({ kind: 'key', name: keyMarker }, { prefix, delimiter });
  return bound && laterStart(startOf(bound), prefix);
}

function positionOf(entry: Entry): UploadPage['next'] {
  if (typeof entry === 'string') return { keyMarker: entry };
  return { keyMarker: entry.key, uploadIdMarker: entry.uploadId };
}

function listed(row: KeyedUploadRow): ListedUpload {
  const { key, uploadId, initiatedAt } = row;
  return { key, uploadId, initiatedAt, ...sharedOf(row) };
}

function sharedOf({ owner, checksumAlgorithm, checksumType }: UploadRow) {
  return defined({
    owner,
    checksumAlgorithm: checksumAlgorithm ?? undefined,
    checksumType: checksumType ?? undefined,
  });
}

function listedPart({ partNumber, sizeBytes, etag, lastModifiedAt, ...row }: PartRow): ListedPart {
  const checksum = parsePartChecksum(row.checksum);
  return defined({ partNumber, sizeBytes, etag, lastModifiedAt, checksum });
}
