/**
 * Renames an object by copying it within the service and deleting the source, because the protocol has no rename. The
 * object exists under at least one name at any time, and a retry resumes an interrupted rename. The object can have any
 * size (specification, "Limits").
 */

import { defined } from '../base/defined.ts';
import { statedAttributes, type WholeCopyOptions } from './copy-whole.ts';
import { copyWithAcl, grantsToOthers, type AclCopyingStore } from './copy-with-acl.ts';
import type { CallOptions, DeleteObjectResult, ObjectInfo, ObjectRef } from './object-store.ts';
import { compareUtf8 } from './rules/listing.ts';
import { isStorageError, StorageError } from './storage-error.ts';

export interface ObjectLocation {
  readonly bucket: string;
  readonly key: string;
}

export interface RenameRequest {
  readonly from: ObjectLocation;
  readonly to: ObjectLocation;
  /**
   * Whether to replace an existing object at the target. If false, the rename rejects with `PreconditionFailed`, unless
   * the target does not exist or is a copy of the source.
   */
  readonly overwrite?: boolean;
}

export interface Renamed {
  readonly sizeBytes: number;
  /** The version ID of the copy, if the bucket has versioning. */
  readonly versionId?: string;
  /**
   * Whether deleting the source only created a delete marker. The versions of the source and their locks then remain.
   */
  readonly versionsStay: boolean;
  /**
   * Whether the renamed object has the ACL of the source. False if the service did not permit copying the ACL; only the
   * owner then has permissions on the renamed object.
   */
  readonly rightsKept: boolean;
}

/**
 * Renames an object. Keeps its attributes and tags, and its ACL if the service permits that. Deletes the source only
 * after verifying that the copy exists with the same size and that the source is unchanged. Otherwise both objects
 * remain. Rejects with errors of the store.
 */
export async function renameObject(
  store: AclCopyingStore,
  request: RenameRequest,
  options: WholeCopyOptions,
): Promise<Renamed> {
  const { from, to } = request;
  refuseSamePlace(request);
  const source = { ...from, info: await infoOf(store, from, options) };
  const copied = await copyOnce(store, { source, request }, options);
  await confirm(store, defined({ ...to, versionId: copied.versionId }), source.info, options);
  const { deleteMarker } = await removeSource(store, source, options);
  const { versionId, rightsKept } = copied;
  const { sizeBytes } = source.info;
  return defined({ sizeBytes, versionId, versionsStay: deleteMarker, rightsKept });
}

interface Source extends ObjectLocation {
  readonly info: ObjectInfo;
}

/**
 * Copies the object, unless an earlier attempt has already copied it. Returns the version ID of the copy, and whether
 * the copy has the ACL of the source.
 */
async function copyOnce(
  store: AclCopyingStore,
  { source, request }: { readonly source: Source; readonly request: RenameRequest },
  options: WholeCopyOptions,
): Promise<{ readonly versionId?: string; readonly rightsKept: boolean }> {
  const { to, overwrite = false } = request;
  const { info, ...from } = source;
  const call = defined({ signal: options.signal });
  const there = await existing(store, to, options);
  if (there !== undefined && (await isCopy(store, source, { ...to, info: there }, call))) {
    return defined({ versionId: there.versionId, rightsKept: true });
  }
  if (there !== undefined && !overwrite) throw targetExists(to);
  const conditions = overwrite ? undefined : ({ ifNoneMatch: '*' } as const);
  return copyWithAcl(store, defined({ ...to, source: from, conditions }), info, options);
}

async function infoOf(
  store: AclCopyingStore,
  ref: ObjectRef,
  { customerKey, signal }: WholeCopyOptions,
): Promise<ObjectInfo> {
  const request = defined({ ...ref, customerKey, withChecksum: true });
  return (await store.headObject(request, defined({ signal }))).info;
}

/**
 * Returns the object at the target. Returns undefined if no object exists there. Also returns undefined if the caller
 * may not read the object, because this rename would not have created such an object.
 */
async function existing(
  store: AclCopyingStore,
  to: ObjectLocation,
  options: WholeCopyOptions,
): Promise<ObjectInfo | undefined> {
  try {
    return await infoOf(store, to, options);
  } catch (error) {
    if (isStorageError(error, 'NoSuchKey', 'InvalidRequest', 'AccessDenied')) return undefined;
    throw error;
  }
}

/**
 * Returns whether both objects have the same bytes, attributes, tags and ACL, so that one of them can be deleted
 * without loss.
 */
async function isCopy(
  store: AclCopyingStore,
  source: Source,
  there: Source,
  call: CallOptions,
): Promise<boolean> {
  if (!hasSameBytes(source.info, there.info)) return false;
  if (descriptionOf(source.info) !== descriptionOf(there.info)) return false;
  const [one, other] = await Promise.all(
    [source, there].map(async (each) => [
      await tagsOf(store, each, call),
      await grantsToOthers(store, { bucket: each.bucket, key: each.key }, call),
    ]),
  );
  return JSON.stringify(one) === JSON.stringify(other);
}

/**
 * Returns whether both objects have the same bytes. If the ETags differ, as after a multipart copy, compares the
 * full-object checksums if both objects have such a checksum.
 */
function hasSameBytes(one: ObjectInfo, other: ObjectInfo): boolean {
  if (one.sizeBytes !== other.sizeBytes) return false;
  if (one.etag === other.etag) return true;
  const [a, b] = [one.checksum, other.checksum];
  if (a?.type !== 'FULL_OBJECT' || b?.type !== 'FULL_OBJECT') return false;
  return a.algorithm === b.algorithm && a.value === b.value;
}

/** Returns the object's attributes as text that does not depend on the order of the properties. */
function descriptionOf(info: ObjectInfo): string {
  const { metadata = {}, ...standard } = statedAttributes(info);
  return JSON.stringify([inOrder(standard), inOrder(metadata)]);
}

async function tagsOf(
  store: AclCopyingStore,
  { bucket, key, info }: Source,
  call: CallOptions,
): Promise<string> {
  if (info.tagCount === undefined) return inOrder({});
  const { tags } = await store.getObjectTags({ bucket, key }, call);
  return inOrder(Object.fromEntries(tags.map(({ key: name, value }) => [name, value])));
}

function inOrder(members: Readonly<Record<string, unknown>>): string {
  const sorted = Object.entries(members).sort(([one], [other]) => compareUtf8(one, other));
  return JSON.stringify(sorted);
}

/**
 * Throws `InternalError` if the copy does not have the same size as the source. Reads the size from the copy itself
 * instead of the response to the copy request.
 */
async function confirm(
  store: AclCopyingStore,
  copied: ObjectRef,
  { sizeBytes }: ObjectInfo,
  options: WholeCopyOptions,
): Promise<void> {
  const info = await infoOf(store, copied, options);
  if (info.sizeBytes === sizeBytes) return;
  throw new StorageError(
    'InternalError',
    `rename object: the copy has ${info.sizeBytes} bytes instead of ${sizeBytes}; the source was not deleted`,
  );
}

/**
 * Deletes the source without a version ID, so that its older versions remain. Throws `PreconditionFailed` if the source
 * was replaced.
 */
async function removeSource(
  store: AclCopyingStore,
  { bucket, key, info }: Source,
  options: WholeCopyOptions,
): Promise<DeleteObjectResult> {
  const now = await infoOf(store, { bucket, key }, options);
  const same = now.versionId === info.versionId && now.lastModifiedAt === info.lastModifiedAt;
  if (!same || now.etag !== info.etag) throw replaced(key);
  try {
    const conditions = { ifMatch: info.etag };
    const call = defined({ signal: options.signal });
    return await store.deleteObject({ bucket, key, conditions }, call);
  } catch (error) {
    if (isStorageError(error, 'PreconditionFailed')) throw replaced(key);
    throw error;
  }
}

function refuseSamePlace({ from, to }: RenameRequest): void {
  if (from.bucket !== to.bucket || from.key !== to.key) return;
  throw new StorageError('InvalidRequest', 'rename object: the old and the new name are the same');
}

function targetExists({ key }: ObjectLocation): StorageError {
  return new StorageError(
    'PreconditionFailed',
    `rename object: another object with the name ${JSON.stringify(key)} already exists`,
    { details: { Condition: 'If-None-Match' } },
  );
}

function replaced(key: string): StorageError {
  return new StorageError(
    'PreconditionFailed',
    `rename object: ${JSON.stringify(key)} was replaced during the rename; it was not deleted, and the copy remains`,
    { details: { Condition: 'If-Match' } },
  );
}
