/**
 * Adds versions for puts, copies and completed uploads. A new version becomes current, and may replace the null version.
 */

import { defined } from '../../../base/defined.ts';
import { principalId } from '../../../base/principal.ts';
import type { BucketUsage } from '../../../object-store/buckets.ts';
import type { PutObjectResult, WriteConditions } from '../../../object-store/object-store.ts';
import { checkWriteConditions } from '../../../object-store/rules/conditions.ts';
import { refuseRemoval } from '../../../object-store/rules/locks.ts';
import { checkBucketQuota, checkObjectSize } from '../../../object-store/rules/quota.ts';
import {
  NULL_VERSION_ID,
  putStep,
  type VersionStep,
} from '../../../object-store/rules/versioning.ts';
import { allow, type AuthorizationRequest } from '../../access/access.ts';
import { type AskedWrite, allowWrite } from '../../access/write-access.ts';
import { parseChecksum } from '../../schema/checksum-text.ts';
import type { CommandContext, Description } from './commands.ts';
import { noSuchBucket } from '../../disk/refusals.ts';
import {
  type BucketRow,
  type LockColumns,
  type StatedColumns,
  storedLocks,
  type VersionRow,
} from '../../schema/rows.ts';
import { newSequenceId } from '../../schema/sequence-id.ts';
import type { ContentRef } from '../tables/blob-table.ts';
import type { LatestSequence } from '../tables/version-table.ts';
import type { WriteTables } from '../tables/write-tables.ts';
import { formatTags } from '../../schema/tag-text.ts';
import { keptAcl } from './kept-acl.ts';
import { type Retained, unlockContext, withDefaultRetention, writtenAt } from './version-locks.ts';

/** Returns the bucket with this name. Throws `NoSuchBucket`. The caller must still check the permissions. */
export function existingBucket(tables: WriteTables, name: string): BucketRow {
  const bucket = tables.buckets.find(name);
  if (!bucket) throw noSuchBucket(name);
  return bucket;
}

/** Returns the bucket. Throws `NoSuchBucket`, or `AccessDenied` unless the caller may perform the action on it. */
export function usableBucket(
  tables: WriteTables,
  name: string,
  { caller }: CommandContext,
  request: AuthorizationRequest,
): BucketRow {
  const bucket = existingBucket(tables, name);
  allow(caller, bucket, request);
  return bucket;
}

/**
 * Checks the conditions against the current version. A delete marker counts as absent. Throws as `checkWriteConditions`.
 */
export function checkCurrent(
  conditions: WriteConditions | undefined,
  latest: VersionRow | undefined,
): void {
  checkWriteConditions(conditions, latest?.isDeleteMarker === 0 ? latest.etag : undefined);
}

/** Returns the owner of a new object: the user who writes it, or the bucket's owner for a share link or an anonymous caller. */
export function ownerOf({ caller: { principal } }: CommandContext, bucket: BucketRow): string {
  return principalId(principal.kind === 'user' ? principal : bucket);
}

/** The columns of a new version, without the reference to its bytes. */
export interface NewContent extends LockColumns, StatedColumns {
  readonly sizeBytes: number;
  readonly etag: string;
  readonly owner: string;
  readonly checksum: string | null;
}

/**
 * The columns of a new version and the reference to its bytes. The reference count of the blob or manifest already includes
 * it.
 */
export interface VersionContent extends ContentRef, NewContent {}

/** Returns the bucket in which the caller may write the object. Throws `NoSuchBucket`, or as `checkWrite`. */
export function writableBucket(
  tables: WriteTables,
  request: AskedWrite & { readonly bucket: string },
  context: CommandContext,
): BucketRow {
  const bucket = existingBucket(tables, request.bucket);
  checkWrite(tables, bucket, request, context);
  return bucket;
}

/** Throws `AccessDenied` unless the caller may write the object with its ACL, tags and lock. */
export function checkWrite(
  tables: WriteTables,
  bucket: BucketRow,
  request: AskedWrite,
  { caller }: CommandContext,
): void {
  const latest = () => tables.versions.find.latest(bucket.bucketId, request.key);
  allowWrite(caller, bucket, request, latest);
}

/**
 * Returns the owner, ACL and other values of a new version. Throws as `keptAcl`, and `NoSuchBucket` if a bucket of the same name
 * replaced the one for which the bytes were encrypted: no key could decrypt them there.
 */
export function statedColumns(
  given: Omit<Description, 'lock'>,
  bucket: BucketRow,
  context: CommandContext,
): OwnedColumns {
  const { attributes = null, acl, tags = [], encryption = null, sealedFor } = given;
  if (sealedFor !== undefined && sealedFor !== bucket.bucketId) throw noSuchBucket(bucket.name);
  const owner = ownerOf(context, bucket);
  return {
    owner,
    attributes,
    acl: keptAcl(acl, bucket, owner),
    tags: formatTags(tags),
    encryption,
  };
}

export interface OwnedColumns extends StatedColumns {
  readonly owner: string;
}

/** The bucket and key of a new version, and the caller and time of the command. */
export interface Placement {
  readonly bucket: BucketRow;
  readonly key: string;
  readonly context: CommandContext;
  /** The sequence of the latest version of the key. Present if the checks have read it. */
  readonly latest?: LatestSequence | undefined;
}

/** Adds a version, which becomes current. Throws as `checkVersion`. */
export function putVersion(
  tables: WriteTables,
  placement: Placement,
  content: VersionContent,
): PutObjectResult {
  return writeVersion(tables, placement, checkVersion(tables, placement, content), content);
}

/** A new version whose checks have passed. */
export interface CheckedVersion {
  readonly content: Retained<NewContent>;
  readonly step: VersionStep;
  /** The null version that it replaces. */
  readonly replaced: VersionRow | undefined;
}

/**
 * Checks the size of a version and the quota of its bucket, without a write. Returns the version with the bucket's default
 * retention unless it has a retention. Throws as `checkBucketQuota`, `checkObjectSize` and `refuseRemoval`.
 */
export function checkVersion(
  tables: WriteTables,
  placement: Placement,
  content: NewContent,
): CheckedVersion {
  const { bucket, context } = placement;
  const { bucketId } = bucket;
  checkObjectSize(content.sizeBytes, tables.quotas.defaults.bytesPerObject);
  const step = putStep(bucket.versioning ?? undefined);
  const replaced = step.removesNull ? removableNull(tables, placement) : undefined;
  const usage = usageWith(tables.buckets.usage(bucketId), content.sizeBytes, replaced);
  checkBucketQuota(usage, tables.quotas.ofBucket(bucketId));
  return { content: withDefaultRetention(content, bucket, context), step, replaced };
}

/** Returns the usage of the bucket after the new version has been added and the replaced one removed. */
function usageWith(
  { objects, sizeBytes }: BucketUsage,
  addedBytes: number,
  replaced: VersionRow | undefined,
): BucketUsage {
  const objectsOut = replaced?.isDeleteMarker === 0 ? 1 : 0;
  const bytesOut = replaced?.sizeBytes ?? 0;
  return { objects: objects + 1 - objectsOut, sizeBytes: sizeBytes + addedBytes - bytesOut };
}

/**
 * Writes a checked version and returns the result of the put. The tables must not have changed since `checkVersion`. It
 * never refuses the version.
 */
export function writeVersion(
  tables: WriteTables,
  placement: Placement,
  checked: CheckedVersion,
  ref: ContentRef,
): PutObjectResult {
  const { content, step } = checked;
  const versionId = replaceVersion(tables, placement, checked, ref);
  return defined({
    etag: content.etag,
    versionId: step.returnsVersionId ? versionId : undefined,
    checksum: parseChecksum(content.checksum),
  });
}

/**
 * Performs a version step, and returns the id of the added version, which has no meaning if the step adds nothing. Throws
 * as `refuseRemoval`.
 */
export function addVersion(
  tables: WriteTables,
  placement: Placement,
  content: VersionContent,
  step: VersionStep,
): string {
  const replaced = step.removesNull ? removableNull(tables, placement) : undefined;
  return replaceVersion(tables, placement, { content, step, replaced }, content);
}

function replaceVersion(
  tables: WriteTables,
  { bucket: { bucketId }, key, context, latest }: Placement,
  { content, step, replaced }: CheckedVersion,
  { blobId, manifestId }: ContentRef,
): string {
  if (replaced !== undefined) {
    tables.versions.remove(bucketId, key, replaced);
    tables.blobs.release(replaced);
  }
  const sequence = tables.sequence.next();
  const versionId = step.adds === 'new' ? newSequenceId(sequence) : NULL_VERSION_ID;
  if (step.adds !== 'nothing') {
    tables.clockDoubts.beforeVersion(sequence, context);
    const written = { blobId, manifestId, lastModifiedAt: writtenAt(context), sequence, versionId };
    // The removal of the null version may have changed which version is the latest.
    const before = replaced === undefined ? latest : undefined;
    tables.versions.insert(bucketId, key, { ...content, ...written }, before);
  }
  const { retainUntilByClock } = content;
  if (retainUntilByClock !== undefined)
    tables.clockDoubts.doubtRetention(bucketId, key, sequence, retainUntilByClock);
  return versionId;
}

/**
 * Returns the null version that is replaced, if it exists. It is never locked, because buckets with Object Lock always have
 * versioning. If it is locked nevertheless, the store is damaged, and the lock takes precedence: throws as `refuseRemoval`.
 */
function removableNull(
  tables: WriteTables,
  { bucket, key, context }: Placement,
): VersionRow | undefined {
  const row = tables.versions.find.nullVersion(bucket.bucketId, key);
  if (row) refuseRemoval(storedLocks(row), unlockContext(context, bucket, false));
  return row;
}
