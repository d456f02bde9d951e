/** What a reader is told about a version. */

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
    versionId: toldVersionId(bucket, row, askedVersionId),
  });
}

/** A bucket that never had versioning speaks of no version id, unless it was asked for by id. */
export function toldVersionId(
  { versioning }: Pick<BucketRow, 'versioning'>,
  { versionId }: Pick<VersionRow, 'versionId'>,
  askedVersionId: string | undefined,
): string | undefined {
  return versioning !== null || askedVersionId !== undefined ? versionId : undefined;
}

/** NULL where nothing was stated, as is most often so. */
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

/** Shown as stored, also after it has ended. Whether it holds is decided by `storedLocks`, not by this. */
export function shownRetention({ retentionMode, retainUntil }: LockColumns): Retention | undefined {
  if (retainUntil === null) return undefined;
  if (retentionMode !== 'GOVERNANCE' && retentionMode !== 'COMPLIANCE') return undefined;
  return { mode: retentionMode, retainUntil };
}

/** Undefined where nobody ever said whether there is one. */
export function shownLegalHold({ legalHold, legalHoldStated }: LockColumns): boolean | undefined {
  if (legalHold !== 0) return true;
  return legalHoldStated === 0 ? undefined : false;
}

/** Throws `InternalError` for a default that cannot be read: nothing is to be written without it. */
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

/** Nobody bypasses a lock here. */
export function isLocked(row: LockColumns, now: number): boolean {
  if (row.retentionMode === null && row.retainUntil === null && row.legalHold === 0) return false;
  const context = { now, bypassGovernance: false, fullAccess: false };
  return lockReason(storedLocks(row), context) !== undefined;
}
