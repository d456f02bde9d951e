/** Collects the properties of an object or of a bucket in one result. */

import { defined } from '../../../src/base/defined.ts';
import type { Result } from '../../../src/control/messages.ts';
import { collect } from '../../../src/object-store/body.ts';
import type { CustomerKey } from '../../../src/object-store/customer-key.ts';
import { statedAttributes } from '../../../src/object-store/copy-whole.ts';
import {
  IMAGE_HEAD_BYTES,
  IMAGE_TAIL_BYTES,
  recogniseImage,
} from '../../../src/object-store/image-format.ts';
import type {
  ByteRange,
  CallOptions,
  HeadObjectRequest,
  ObjectInfo,
  ObjectRef,
  ObjectStore,
} from '../../../src/object-store/object-store.ts';
import { isStorageError, type StorageErrorCode } from '../../../src/object-store/storage-error.ts';

export async function describeObject(
  store: ObjectStore,
  { customerKey, ...ref }: ObjectRef & { readonly customerKey?: CustomerKey },
  call: CallOptions,
): Promise<Result<'objects.describe'>> {
  const read = defined({ ...ref, customerKey });
  const { info } = await store.headObject({ ...read, withChecksum: true }, call);
  // The following requests read this version, even if a newer version is created in the meantime.
  const version = defined({ ...ref, versionId: info.versionId });
  const properties = new PropertyReader();
  const tags = await properties.read('tags', () => store.getObjectTags(version, call));
  const wanted = ['ObjectParts'] as const;
  const asked = defined({ ...version, customerKey, wanted, maxParts: 0 });
  const held = await properties.read('parts', () => store.getObjectAttributes(asked, call));
  const versions = await properties.read('versions', () => countVersions(store, ref, call));
  const { sizeBytes, etag, lastModifiedAt, versionId, checksum, retention, legalHold } = info;
  const facts = { sizeBytes, etag, lastModifiedAt, versionId, checksum, retention, legalHold };
  return defined({
    ...facts,
    attributes: statedAttributes(info),
    tags: [...(tags?.tags ?? [])],
    parts: held?.parts?.totalCount,
    versions: versions ?? { count: 0, more: false },
    encrypted: info.encryption !== undefined,
    image: await imageOf(store, defined({ ...version, customerKey }), info, call),
    unreported: properties.unreported,
  });
}

async function countVersions(store: ObjectStore, { bucket, key }: ObjectRef, call: CallOptions) {
  const { versions, next } = await store.listVersions({ bucket, prefix: key, maxKeys: 1000 }, call);
  // The listing also contains longer keys that start with this key. They come after the key itself.
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
  const properties = new PropertyReader();
  const tags = await properties.read(
    'tags',
    () => store.getBucketTags({ bucket }, call),
    'NoSuchTagSet',
  );
  const objectLock = await properties.read(
    'object lock',
    () => store.getObjectLockConfiguration({ bucket }, call),
    'ObjectLockConfigurationNotFoundError',
  );
  const acl = await properties.read('grants', () => store.getBucketAcl({ bucket }, call));
  return defined({
    owner,
    usage,
    limits: limits && { objects: limits.objects, sizeBytes: limits.sizeBytes },
    location: await store.getBucketLocation({ bucket }, call),
    versioning: await store.getVersioning({ bucket }, call),
    objectLock,
    tags: [...(tags ?? [])],
    grants: acl?.grants.filter(({ grantee }) => grantee !== acl.owner) ?? [],
    configured: await configured(store, bucket, properties, call),
    unreported: properties.unreported,
  });
}

async function configured(
  store: ObjectStore,
  bucket: string,
  properties: PropertyReader,
  call: CallOptions,
): Promise<Result<'buckets.describe'>['configured']> {
  const request = { bucket };
  const has = async (name: Configured, code: StorageErrorCode, read: () => Promise<unknown>) =>
    (await properties.read(name, async () => (await read(), true), code)) === true;
  const isPublic = await properties.read(
    'public access',
    () => store.isBucketPublic(request, call),
    'NoSuchBucketPolicy',
  );
  const found: Record<Configured, boolean> = {
    cors: await has('cors', 'NoSuchCORSConfiguration', () => store.getCors(request, call)),
    lifecycle: await has('lifecycle', 'NoSuchLifecycleConfiguration', () =>
      store.getLifecycle(request, call),
    ),
    policy: await has('policy', 'NoSuchBucketPolicy', () => store.getBucketPolicy(request, call)),
    'public access': isPublic === true,
    'public access block': await has(
      'public access block',
      'NoSuchPublicAccessBlockConfiguration',
      () => store.getPublicAccessBlock(request, call),
    ),
    website: await has('website', 'NoSuchWebsiteConfiguration', () =>
      store.getWebsite(request, call),
    ),
  };
  return (Object.keys(found) as Configured[]).filter((name) => found[name]);
}

type Configured = Result<'buckets.describe'>['configured'][number];

/**
 * Reads properties that a service may not support, or may deny to the access key. A missing property does not make the
 * whole result fail.
 */
class PropertyReader {
  readonly #unreported: string[] = [];

  /** The names of the properties that could not be read. Undefined if all were read. */
  get unreported(): string[] | undefined {
    return this.#unreported.length > 0 ? this.#unreported : undefined;
  }

  /**
   * Returns the property. Returns undefined if it was never set or the service does not return it. `unset` is the error
   * code for a property that was never set.
   */
  async read<T>(
    name: string,
    read: () => Promise<T>,
    unset?: StorageErrorCode,
  ): Promise<T | undefined> {
    try {
      return await read();
    } catch (error) {
      if (unset !== undefined && isStorageError(error, unset)) return undefined;
      if (!isStorageError(error, 'AccessDenied', 'MethodNotAllowed', 'NotImplemented')) throw error;
      this.#unreported.push(name);
      return undefined;
    }
  }
}
