/** Pages of open multipart uploads, and of the parts of one. */

import type { Statement } from 'better-sqlite3';

import type {
  ListedPart,
  ListedUpload,
  ListPartsRequest,
  ListUploadsRequest,
  PartPage,
  UploadPage,
  UploadRef,
} from '../object-store/object-store.ts';
import { afterPrefix, pageSize } from '../object-store/rules/listing.ts';
import { laterStart, NO_UPPER_BOUND, startOf, type UpperBound } from './key-bounds.ts';
import type { MetadataReader } from './metadata-reader.ts';
import { noSuchUpload } from './refusals.ts';
import { sequenceOf } from './sequence-id.ts';

export class UploadLister {
  readonly #find: Statement<[number, number, string, string], number>;
  readonly #younger: Statement<[number, string, number, number], ListedUpload>;
  readonly #from: Statement<[number, string, UpperBound, number], ListedUpload>;
  readonly #parts: Statement<[number, number, number], ListedPart>;
  readonly #reader: MetadataReader;

  constructor(reader: MetadataReader) {
    this.#reader = reader;
    const { database } = reader;
    const columns = 'key, upload_id AS uploadId, initiated_at AS initiatedAt';
    this.#find = database
      .prepare<[number, number, string, string], number>(
        `SELECT sequence FROM upload
         WHERE sequence = ? AND bucket_id = ? AND key = ? AND upload_id = ?`,
      )
      .pluck();
    this.#younger = database.prepare(
      `SELECT ${columns} FROM upload WHERE bucket_id = ? AND key = ? AND sequence > ?
       ORDER BY sequence LIMIT ?`,
    );
    this.#from = database.prepare(
      `SELECT ${columns} FROM upload WHERE bucket_id = ? AND key >= ? AND key < ?
       ORDER BY key, sequence LIMIT ?`,
    );
    this.#parts = database.prepare(
      `SELECT part_number AS partNumber, etag, size_bytes AS sizeBytes,
         last_modified_at AS lastModifiedAt
       FROM upload_part WHERE upload_sequence = ? AND part_number > ?
       ORDER BY part_number LIMIT ?`,
    );
  }

  /** Throws `NoSuchUpload`; else the upload's sequence. */
  find(bucketId: number, { key, uploadId }: UploadRef): number {
    const sequence = sequenceOf(uploadId);
    const found =
      sequence === undefined ? undefined : this.#find.get(sequence, bucketId, key, uploadId);
    if (found === undefined) throw noSuchUpload(uploadId);
    return found;
  }

  parts(bucketId: number, request: ListPartsRequest): PartPage {
    const limit = pageSize(request.maxParts, 'max-parts');
    return this.#reader.snapshot(() => {
      const sequence = this.find(bucketId, request);
      const found = this.#parts.all(sequence, request.partNumberMarker ?? 0, limit + 1);
      const parts = found.slice(0, limit);
      const last = found.length > limit ? parts.at(-1) : undefined;
      return last ? { parts, nextPartNumberMarker: last.partNumber } : { parts };
    });
  }

  /** By key, and within a key in the order they were begun. */
  uploads(bucketId: number, request: ListUploadsRequest): UploadPage {
    const limit = pageSize(request.maxUploads, 'max-uploads');
    const found = this.#reader.snapshot(() => this.#entries(bucketId, request, limit + 1));
    const uploads = found.slice(0, limit);
    const last = found.length > limit ? uploads.at(-1) : undefined;
    if (!last) return { uploads };
    return { uploads, next: { keyMarker: last.key, uploadIdMarker: last.uploadId } };
  }

  /** Ids carry the sequence, so the place is known also when the upload of the marker is gone. */
  #entries(
    bucketId: number,
    { prefix = '', keyMarker, uploadIdMarker }: ListUploadsRequest,
    limit: number,
  ): readonly ListedUpload[] {
    const end = afterPrefix(prefix) ?? NO_UPPER_BOUND;
    if (!keyMarker) return this.#from.all(bucketId, prefix, end, limit);
    const begun = uploadIdMarker === undefined ? undefined : sequenceOf(uploadIdMarker);
    const sameKey =
      begun === undefined || !keyMarker.startsWith(prefix)
        ? []
        : this.#younger.all(bucketId, keyMarker, begun, limit);
    const start = laterStart(startOf({ name: keyMarker, inclusive: false }), prefix);
    return [...sameKey, ...this.#from.all(bucketId, start, end, limit - sameKey.length)];
  }
}
