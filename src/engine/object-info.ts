/** What a reader is told about a version. */

import { defined } from '../base/defined.ts';
import type {
  ObjectAttributes,
  ObjectInfo,
  ObjectLockConfiguration,
  Retention,
} from '../object-store/object-store.ts';
import { StorageError } from '../object-store/storage-error.ts';
import type { BucketRow, VersionRow } from './rows.ts';

/** A bucket that never had versioning speaks of no version id, unless it was asked for by id. */
export function objectInfo(
  bucket: BucketRow,
  row: VersionRow,
  askedVersionId: string | undefined,
): ObjectInfo {
  const tellsVersionId = bucket.versioning !== null || askedVersionId !== undefined;
  return defined({
    ...decodeAttributes(row.attributes),
    sizeBytes: row.sizeBytes,
    etag: row.etag,
    lastModifiedAt: row.lastModifiedAt,
    versionId: tellsVersionId ? row.versionId : undefined,
    retention: shownRetention(row),
    legalHold: row.legalHold === 0 ? undefined : true,
  });
}

/** NULL where nothing was stated, as is most often so. */
export function encodeAttributes(attributes: ObjectAttributes | undefined): string | undefined {
  return attributes === undefined ? undefined : JSON.stringify(attributes);
}

function decodeAttributes(attributes: string | null): ObjectAttributes {
  if (attributes === null) return {};
  try {
    return JSON.parse(attributes) as ObjectAttributes;
  } catch (cause) {
    throw new StorageError('InternalError', 'read attributes: the store is damaged', { cause });
  }
}

/** Shown as stored, also after it has ended. Whether it holds is decided by `storedLocks`, not by this. */
function shownRetention({ retentionMode, retainUntil }: VersionRow): Retention | undefined {
  if (retainUntil === null) return undefined;
  if (retentionMode !== 'GOVERNANCE' && retentionMode !== 'COMPLIANCE') return undefined;
  return { mode: retentionMode, retainUntil };
}

export function lockConfiguration(bucket: BucketRow): ObjectLockConfiguration {
  if (bucket.defaultMode === null) return {};
  return {
    defaultRetention: defined({
      mode: bucket.defaultMode,
      days: bucket.defaultDays ?? undefined,
      years: bucket.defaultYears ?? undefined,
    }),
  };
}
