/**
 * Defines the database rows that both threads read. SQL statements name the columns after the fields of these types.
 */

import type { ChecksumAlgorithm, ChecksumType } from '../../object-store/checksum.ts';
import type { Versioning } from '../../object-store/buckets.ts';
import type { Retention } from '../../object-store/object-store.ts';
import type { StoredLocks } from '../../object-store/rules/locks.ts';

export interface BucketRow {
  readonly bucketId: number;
  readonly name: string;
  readonly project: string;
  readonly user: string;
  readonly customer: string;
  readonly createdAt: number;
  readonly objectLock: number;
  readonly versioning: Versioning | null;
  readonly defaultMode: Retention['mode'] | null;
  readonly defaultDays: number | null;
  readonly defaultYears: number | null;
  readonly acl: string | null;
  readonly policy: string | null;
  readonly publicAccessBlock: string | null;
}

export const BUCKET_COLUMNS = `
  bucket_id AS bucketId, name, owner_project AS project, owner_user AS user,
  owner_customer AS customer, created_at AS createdAt, object_lock AS objectLock, versioning,
  default_retention_mode AS defaultMode, default_retention_days AS defaultDays,
  default_retention_years AS defaultYears, acl, policy, public_access_block AS publicAccessBlock`;

/**
 * The lock columns of a version. Only `storedLocks` may be used to decide whether the version is locked, because the
 * columns may be damaged.
 */
export interface LockColumns {
  readonly retentionMode: string | null;
  readonly retainUntil: number | null;
  readonly legalHold: number;
  /** 0 if no legal hold was ever set or removed explicitly; otherwise 1. */
  readonly legalHoldStated: number;
}

export const LOCK_COLUMNS = `
  retention_mode AS retentionMode, retain_until AS retainUntil, legal_hold AS legalHold,
  legal_hold_stated AS legalHoldStated`;

/**
 * The values that the client stated for a version, or for the version that an upload will create. Each is JSON; null if
 * the client stated none.
 */
export interface StatedColumns {
  readonly attributes: string | null;
  readonly acl: string | null;
  readonly tags: string | null;
  readonly encryption: string | null;
}

const STATED_COLUMNS = 'attributes, acl, tags, encryption';

/** A version or a delete marker. A version has either a `blobId` or a `manifestId`; a delete marker has neither. */
export interface VersionRow extends LockColumns, StatedColumns {
  readonly sequence: number;
  readonly versionId: string;
  readonly isLatest: number;
  readonly isDeleteMarker: number;
  readonly lastModifiedAt: number;
  readonly sizeBytes: number;
  readonly etag: string;
  readonly owner: string;
  readonly blobId: number | null;
  readonly manifestId: number | null;
  readonly checksum: string | null;
}

export const VERSION_COLUMNS = `
  sequence, version_id AS versionId, is_latest AS isLatest, is_delete_marker AS isDeleteMarker,
  last_modified_at AS lastModifiedAt, size_bytes AS sizeBytes, etag, owner, blob_id AS blobId,
  manifest_id AS manifestId, checksum, ${STATED_COLUMNS}, ${LOCK_COLUMNS}`;

/** An open multipart upload, that is, one that is neither completed nor aborted. */
export interface UploadRow extends LockColumns, StatedColumns {
  readonly sequence: number;
  readonly uploadId: string;
  readonly initiatedAt: number;
  readonly owner: string;
  readonly checksumAlgorithm: ChecksumAlgorithm | null;
  readonly checksumType: ChecksumType | null;
}

export const UPLOAD_CHECKSUM_COLUMNS =
  'checksum_algorithm AS checksumAlgorithm, checksum_type AS checksumType';

export const UPLOAD_COLUMNS = `
  sequence, upload_id AS uploadId, initiated_at AS initiatedAt, owner, ${STATED_COLUMNS},
  ${UPLOAD_CHECKSUM_COLUMNS}, ${LOCK_COLUMNS}`;

export interface PartRow {
  readonly partNumber: number;
  readonly blobId: number;
  readonly sizeBytes: number;
  readonly etag: string;
  readonly lastModifiedAt: number;
  readonly checksum: string | null;
}

export const PART_COLUMNS = `
  part_number AS partNumber, blob_id AS blobId, size_bytes AS sizeBytes, etag,
  last_modified_at AS lastModifiedAt, checksum`;

/**
 * Returns a row's locks for `refuseRemoval`, which treats unreadable values as a lock. If only one of the two retention
 * columns is set, the other value of the resulting retention is null, so that damage does not unlock a version.
 */
export function storedLocks(row: LockColumns): StoredLocks {
  const { retentionMode: mode, retainUntil, legalHold } = row;
  return {
    retention: mode === null && retainUntil === null ? undefined : { mode, retainUntil },
    legalHold: legalHold !== 0,
  };
}

/** The state of a scrub, which reads all stored bytes once. */
export interface ScrubState {
  readonly scrubId: number;
  readonly startedAt: number;
  /** The end of the scrub; null while the scrub is unfinished. */
  readonly finishedAt: number | null;
  /** The ID of the last blob that the scrub has read. */
  readonly cursor: number;
  readonly blobs: number;
  readonly bytes: number;
  readonly damaged: number;
  /** The number of problems in the database tables, which are checked at the end of the scrub. */
  readonly inconsistencies: number;
}

/** The kinds of bucket configurations that are stored as JSON documents. */
export type BucketConfigKind = 'cors' | 'lifecycle' | 'tagging' | 'website';
