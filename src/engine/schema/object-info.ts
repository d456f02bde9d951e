/**
 * Converts between database rows and object metadata: attributes, version IDs, and the locks of versions and buckets.
 */

import { defined } from '../../base/defined.ts';
import type { ObjectLockConfiguration } from '../../object-store/locks.ts';
import type { ObjectAttributes, ObjectInfo, Retention } from '../../object-store/object-store.ts';
import { lockReason } from '../../object-store/rules/locks.ts';
import { StorageError } from '../../object-store/storage-error.ts';
import { type BucketRow, type LockColumns, storedLocks, type VersionRow } from './rows.ts';

export function objectInfo(
  bucket: BucketRow,
  row: VersionRow,
  askedVersionId: string | undefined,
): ObjectInfo {
  return defined({
    ...decodeAttributes(row.attributes),
    sizeBytes: row.sizeBytes,
    etag: row.etag,
    lastModifiedAt: row.lastModifiedAt,
    versionId: visibleVersionId(bucket, row, askedVersionId),
  });
}

/**
 * Returns the version ID for a response. If the bucket never had versioning, the response contains a version ID only if
 * the request did.
 */
export function visibleVersionId(
  { versioning }: Pick<BucketRow, 'versioning'>,
  { versionId }: Pick<VersionRow, 'versionId'>,
  askedVersionId: string | undefined,
): string | undefined {
  return versioning !== null || askedVersionId !== undefined ? versionId : undefined;
}

/** Returns the JSON to store. Returns undefined in the common case that the client stated no attributes. */
export function encodeAttributes(attributes: ObjectAttributes | undefined): string | undefined {
  return attributes === undefined ? undefined : JSON.stringify(attributes);
}

export function decodeAttributes(attributes: string | null): ObjectAttributes {
  if (attributes === null) return {};
  try {
    return JSON.parse(attributes) as ObjectAttributes;
  } catch (cause) {
    throw new StorageError('InternalError', 'read attributes: the store is damaged', { cause });
  }
}

/** Returns the stored retention, even if it has ended. Use `storedLocks` to decide whether the version is locked. */
export function shownRetention({ retentionMode, retainUntil }: LockColumns): Retention | undefined {
  if (retainUntil === null) return undefined;
  if (retentionMode !== 'GOVERNANCE' && retentionMode !== 'COMPLIANCE') return undefined;
  return { mode: retentionMode, retainUntil };
}

/** Returns whether the legal hold is on. Returns undefined if the legal hold was never set to on or off. */
export function shownLegalHold({ legalHold, legalHoldStated }: LockColumns): boolean | undefined {
  if (legalHold !== 0) return true;
  return legalHoldStated === 0 ? undefined : false;
}

/**
 * Returns the bucket's default retention. Throws `InternalError` if it cannot be read, because no object may be written
 * without its default retention.
 */
export function lockConfiguration(
  bucket: Pick<BucketRow, 'defaultMode' | 'defaultDays' | 'defaultYears'>,
): ObjectLockConfiguration {
  const { defaultMode: mode, defaultDays: days, defaultYears: years } = bucket;
  if (mode === null && days === null && years === null) return {};
  if (mode === null || (days === null) === (years === null)) {
    throw new StorageError('InternalError', 'read default retention: the store is damaged');
  }
  return {
    defaultRetention: defined({ mode, days: days ?? undefined, years: years ?? undefined }),
  };
}

/** Returns whether the version is locked at `now` for a caller that does not bypass governance retention. */
export function isLocked(row: LockColumns, now: number): boolean {
  if (row.retentionMode === null && row.retainUntil === null && row.legalHold === 0) return false;
  const context = { now, bypassGovernance: false, fullAccess: false };
  return lockReason(storedLocks(row), context) !== undefined;
}
