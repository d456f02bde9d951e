/** All that is known of an object, or of a bucket, in one answer. */

import { defined } from '../../src/base/defined.ts';
import type { Result } from '../../src/control/messages.ts';
import { collect } from '../../src/object-store/body.ts';
import type { CustomerKey } from '../../src/object-store/customer-key.ts';
import { statedAttributes } from '../../src/object-store/copy-whole.ts';
import {
  IMAGE_HEAD_BYTES,
  IMAGE_TAIL_BYTES,
  recogniseImage,
} from '../../src/object-store/image-format.ts';
import type {
  ByteRange,
  CallOptions,
  HeadObjectRequest,
  ObjectInfo,
  ObjectRef,
  ObjectStore,
} from '../../src/object-store/object-store.ts';
import { isStorageError, type StorageErrorCode } from '../../src/object-store/storage-error.ts';

export async function describeObject(
  store: ObjectStore,
  { customerKey, ...ref }: ObjectRef & { readonly customerKey?: CustomerKey },
  call: CallOptions,
): Promise<Result<'objects.describe'>> {
  const read = defined({ ...ref, customerKey });
  const { info } = await store.headObject({ ...read, withChecksum: true }, call);
  // From here on of this very version, whatever is put on top of it meanwhile.
  const version = defined({ ...ref, versionId: info.versionId });
  const { tags } = await store.getObjectTags(version, call);
  const wanted = ['ObjectParts'] as const;
  const asked = defined({ ...version, customerKey, wanted, maxParts: 0 });
  const { parts } = await store.getObjectAttributes(asked, call);
  const { sizeBytes, etag, lastModifiedAt, versionId, checksum, retention, legalHold } = info;
  const told = { sizeBytes, etag, lastModifiedAt, versionId, checksum, retention, legalHold };
  return defined({
    ...told,
    attributes: statedAttributes(info),
    tags: [...tags],
    parts: parts?.totalCount,
    versions: await countVersions(store, ref, call),
    encrypted: info.encryption !== undefined,
    image: await imageOf(store, defined({ ...version, customerKey }), info, call),
  });
}

async function countVersions(store: ObjectStore, { bucket, key }: ObjectRef, call: CallOptions) {
  const { versions, next } = await store.listVersions({ bucket, prefix: key, maxKeys: 1000 }, call);
  // The key itself comes before all that is longer.
  const count = versions.filter((each) => each.key === key).length;
  return { count, more: count === versions.length && next?.keyMarker === key };
}

async function imageOf(
  store: ObjectStore,
  ref: HeadObjectRequest,
  { sizeBytes, etag }: ObjectInfo,
  call: CallOptions,
) {
  if (sizeBytes === 0) return undefined;
  const conditions = { ifMatch: [etag] };
  const read = async (range: ByteRange) => {
    const { body } = await store.getObject({ ...ref, range, conditions }, call);
    return collect(body, IMAGE_HEAD_BYTES);
  };
  const head = await read({ first: 0, last: IMAGE_HEAD_BYTES - 1 });
  const tail = await read({ suffix: IMAGE_TAIL_BYTES });
  const image = recogniseImage({ head, tail, sizeBytes });
  return image && { ...image, servesAs: [...image.servesAs] };
}

export async function describeBucket(
  store: ObjectStore,
  bucket: string,
  call: CallOptions,
): Promise<Result<'buckets.describe'>> {
  const { owner, usage, limits } = await store.headBucket({ bucket }, call);
  const tags = await unlessUnset('NoSuchTagSet', () => store.getBucketTags({ bucket }, call));
  const objectLock = await unlessUnset('ObjectLockConfigurationNotFoundError', () =>
    store.getObjectLockConfiguration({ bucket }, call),
  );
  const acl = await store.getBucketAcl({ bucket }, call);
  return defined({
    owner,
    usage,
    limits: limits && { objects: limits.objects, sizeBytes: limits.sizeBytes },
    location: await store.getBucketLocation({ bucket }, call),
    versioning: await store.getVersioning({ bucket }, call),
    objectLock,
    tags: [...(tags ?? [])],
    grants: acl.grants.filter(({ grantee }) => grantee !== acl.owner),
    configured: await configured(store, bucket, call),
  });
}

async function configured(
  store: ObjectStore,
  bucket: string,
  call: CallOptions,
): Promise<Result<'buckets.describe'>['configured']> {
  const request = { bucket };
  const isPublic = await unlessUnset('NoSuchBucketPolicy', () =>
    store.isBucketPolicyPublic(request, call),
  );
  const has = async (code: StorageErrorCode, read: () => Promise<unknown>) =>
    (await unlessUnset(code, async () => (await read(), true))) === true;
  const found = {
    cors: await has('NoSuchCORSConfiguration', () => store.getCors(request, call)),
    lifecycle: await has('NoSuchLifecycleConfiguration', () => store.getLifecycle(request, call)),
    policy: isPublic === false,
    'public policy': isPublic === true,
    'public access block': await has('NoSuchPublicAccessBlockConfiguration', () =>
      store.getPublicAccessBlock(request, call),
    ),
    website: await has('NoSuchWebsiteConfiguration', () => store.getWebsite(request, call)),
  };
  return (Object.keys(found) as (keyof typeof found)[]).filter((name) => found[name]);
}

async function unlessUnset<T>(
  code: StorageErrorCode,
  read: () => Promise<T>,
): Promise<T | undefined> {
  try {
    return await read();
  } catch (error) {
    if (isStorageError(error, code)) return undefined;
    throw error;
  }
}
