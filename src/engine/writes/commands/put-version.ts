/**
 * Adds versions for puts, copies and completed uploads. A new version becomes the current one, and may replace the null
 * version.
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

/** Returns the bucket with this name without checking permissions. Throws `NoSuchBucket`. */
export function existingBucket(tables: WriteTables, name: string): BucketRow {
  const bucket = tables.buckets.find(name);
  if (!bucket) throw noSuchBucket(name);
  return bucket;
}

/** Returns the bucket if the caller may perform the action on it. Throws `NoSuchBucket` or `AccessDenied`. */
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
 * Compares the conditions of a write with the current version. A delete marker counts as absent. Throws the errors of
 * `checkWriteConditions`.
 */
export function checkCurrent(
  conditions: WriteConditions | undefined,
  latest: VersionRow | undefined,
): void {
  checkWriteConditions(conditions, latest?.isDeleteMarker === 0 ? latest.etag : undefined);
}

/**
 * Returns the owner of a new object. This is the user who writes it; for a presigned URL of the service or an anonymous
 * caller, it is the bucket's owner.
 */
export function ownerOf({ caller: { principal } }: CommandContext, bucket: BucketRow): string {
  return principalId(principal.kind === 'user' ? principal : bucket);
}

/** The columns of a new version, except the reference to its bytes. */
export interface NewContent extends LockColumns, StatedColumns {
  readonly sizeBytes: number;
  readonly etag: string;
  readonly owner: string;
  readonly checksum: string | null;
}

/**
 * The columns of a new version and the reference to its bytes. The reference count of the blob or manifest must already
 * include this reference.
 */
export interface VersionContent extends ContentRef, NewContent {}

/**
 * Returns the bucket if the caller may write the object to it. Throws `NoSuchBucket` and the errors of `checkWrite`.
 */
export function writableBucket(
  tables: WriteTables,
  request: AskedWrite & { readonly bucket: string },
  context: CommandContext,
): BucketRow {
  const bucket = existingBucket(tables, request.bucket);
  checkWrite(tables, bucket, request, context);
  return bucket;
}

/** Throws `AccessDenied` unless the caller may write the object with its ACL, its tags and its lock. */
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
 * Returns the owner, the ACL and other stated values of a new version. Throws the errors of `keptAcl`. Throws
 * `NoSuchBucket` if the bucket for which the bytes were encrypted was replaced by another bucket of the same name,
 * because no key could decrypt the bytes there.
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

/** The bucket and the key of a new version, and the caller and the time of the command. */
export interface Placement {
  readonly bucket: BucketRow;
  readonly key: string;
  readonly context: CommandContext;
  /** The sequence number of the key's latest version. Present if the checks have already read it. */
  readonly latest?: LatestSequence | undefined;
}

/** Adds a version, which becomes the current one. Throws the errors of `checkVersion`. */
export function putVersion(
  tables: WriteTables,
  placement: Placement,
  content: VersionContent,
): PutObjectResult {
  return writeVersion(tables, placement, checkVersion(tables, placement, content), content);
}

/** A new version that has passed all checks. */
export interface CheckedVersion {
  readonly content: Retained<NewContent>;
  readonly step: VersionStep;
  /** The null version that the new version replaces. */
  readonly replaced: VersionRow | undefined;
}

/**
 * Checks the version's size and the bucket's quota without writing anything. Returns the version, with the bucket's
 * default retention if it has no retention. Throws the errors of `checkBucketQuota`, `checkObjectSize` and
 * `refuseRemoval`.
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

/** Returns the bucket's usage after the new version is added and the replaced version is removed. */
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
 * Writes a version that has passed all checks, and returns the result of the put. The tables must not have changed
 * since `checkVersion`, because this function does not refuse anything.
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
 * Adds a version or a delete marker as `step` requires, and returns its version ID. If `step` adds nothing, the
 * returned ID has no meaning. Throws the errors of `refuseRemoval`.
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
    // If the null version was removed, a different version may be the latest now.
    const before = replaced === undefined ? latest : undefined;
    tables.versions.insert(bucketId, key, { ...content, ...written }, before);
  }
  const { retainUntilByClock } = content;
  if (retainUntilByClock !== undefined)
    tables.clockDoubts.doubtRetention(bucketId, key, sequence, retainUntilByClock);
  return versionId;
}

/**
 * Returns the null version that is replaced, if it exists. It should never be locked, because buckets with Object Lock
 * always have versioning. If it is locked nevertheless, the store is damaged and the lock takes precedence: throws the
 * errors of `refuseRemoval`.
 */
function removableNull(
  tables: WriteTables,
  { bucket, key, context }: Placement,
): VersionRow | undefined {
  const row = tables.versions.find.nullVersion(bucket.bucketId, key);
  if (row) refuseRemoval(storedLocks(row), unlockContext(context, bucket, false));
  return row;
}
