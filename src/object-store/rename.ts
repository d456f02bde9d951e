/**
 * Renames an object by a copy on the service and a delete of the source, since the protocol has no rename. The object always
 * exists under at least one name, and a repeated call resumes an interrupted one (specification, "Limits": of any size by tools).
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
  /** What is at the target is replaced; else it is `PreconditionFailed`, unless it is this very copy. */
  readonly overwrite?: boolean;
}

export interface Renamed {
  readonly sizeBytes: number;
  /** Of the copy, where the bucket has versions. */
  readonly versionId?: string;
  /** A delete marker is on the source: its versions stay below, and so do their locks. */
  readonly versionsStay: boolean;
  /** False if the service did not allow the ACL to be copied: then only the owner has permissions on the renamed object. */
  readonly rightsKept: boolean;
}

/**
 * Keeps attributes, tags, and the rights of others where the service lets us. The source goes only when the copy is
 * seen to be there whole, and the source is still what was copied; else both stay. Rejects as the store does.
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

/** What an attempt of before has copied is not copied again. */
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

/** Undefined also for an object that the caller may not read (another key, another owner): it cannot be a copy by this rename. */
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

/** Equal in bytes, attributes, tags and rights: nothing is lost when one of the two goes. */
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

/** A multipart copy has another ETag; then compare full-object checksums, if there are any. */
function hasSameBytes(one: ObjectInfo, other: ObjectInfo): boolean {
  if (one.sizeBytes !== other.sizeBytes) return false;
  if (one.etag === other.etag) return true;
  const [a, b] = [one.checksum, other.checksum];
  if (a?.type !== 'FULL_OBJECT' || b?.type !== 'FULL_OBJECT') return false;
  return a.algorithm === b.algorithm && a.value === b.value;
}

/** As text, so that two are compared whatever the order of their members. */
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

/** Not what the copy was answered, but what a reader finds. */
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
    `rename object: the copy has ${info.sizeBytes} bytes instead of ${sizeBytes}; the source stays`,
  );
}

/** Without a version id, so that where there are versions they stay. Throws `PreconditionFailed` for another object. */
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
  throw new StorageError('InvalidRequest', 'rename object: old and new name are the same');
}

function targetExists({ key }: ObjectLocation): StorageError {
  return new StorageError(
    'PreconditionFailed',
    `rename object: ${JSON.stringify(key)} is there already, and is another object`,
    { details: { Condition: 'If-None-Match' } },
  );
}

function replaced(key: string): StorageError {
  return new StorageError(
    'PreconditionFailed',
    `rename object: ${JSON.stringify(key)} was replaced meanwhile; it stays, and so does the copy`,
    { details: { Condition: 'If-Match' } },
  );
}
