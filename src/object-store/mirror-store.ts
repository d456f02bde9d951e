/** Defines the part of `ObjectStore` that a job uses, and the base class for wrappers of a job's store. */

import type { AccessKeeper } from './access.ts';
import type { BucketAdmin, BucketConfig } from './buckets.ts';
import type { PartCopier } from './copy-part.ts';
import type { BulkDeleter } from './bulk-delete.ts';
import type { BulkWriter, BulkWriting, PutObjectsRequest, PutOutcome } from './bulk-write.ts';
import type { LifecycleKeeper } from './lifecycle.ts';
import type { LockKeeper } from './locks.ts';
import type { MultipartWriter } from './multipart.ts';
import type {
  CallOptions,
  ObjectReader,
  ObjectWriter,
  ReadOptions,
  VersionReader,
} from './object-store.ts';
import type { ServiceClock } from './service-clock.ts';
import type { TagKeeper } from './tags.ts';

export interface MirrorStore
  extends
    ObjectReader,
    ObjectWriter,
    VersionReader,
    BulkDeleter,
    BulkWriting,
    MultipartWriter,
    PartCopier,
    LockKeeper,
    ServiceClock,
    Pick<BucketAdmin, 'createBucket' | 'headBucket'>,
    Pick<BucketConfig, 'getVersioning' | 'putVersioning'>,
    Pick<LifecycleKeeper, 'getLifecycle'>,
    Pick<AccessKeeper, 'getObjectAcl'>,
    Pick<TagKeeper, 'getObjectTags' | 'putObjectTags'> {}

type Call = Exclude<keyof MirrorStore, keyof BulkWriting>;
type Request<K extends Call> = Parameters<MirrorStore[K]>[0];
type Answer<K extends Call> = ReturnType<MirrorStore[K]>;

/** Forwards each call to a wrapped store. A wrapper extends this class and overrides the calls that it changes. */
export class ForwardingStore implements MirrorStore {
  protected readonly store: MirrorStore;

  constructor(store: MirrorStore) {
    this.store = store;
  }

  /**
   * Returns the result of a call that is forwarded unchanged. A subclass can override this method to wrap all such
   * calls.
   */
  protected forward<T>(call: Promise<T>): Promise<T> {
    return call;
  }

  headObject(request: Request<'headObject'>, options?: CallOptions): Answer<'headObject'> {
    return this.forward(this.store.headObject(request, options));
  }

  getObject(request: Request<'getObject'>, options?: ReadOptions): Answer<'getObject'> {
    return this.forward(this.store.getObject(request, options));
  }

  listObjects(request: Request<'listObjects'>, options?: CallOptions): Answer<'listObjects'> {
    return this.forward(this.store.listObjects(request, options));
  }

  putObject(request: Request<'putObject'>, options?: CallOptions): Answer<'putObject'> {
    return this.forward(this.store.putObject(request, options));
  }

  copyObject(request: Request<'copyObject'>, options?: CallOptions): Answer<'copyObject'> {
    return this.forward(this.store.copyObject(request, options));
  }

  deleteObject(request: Request<'deleteObject'>, options?: CallOptions): Answer<'deleteObject'> {
    return this.forward(this.store.deleteObject(request, options));
  }

  listVersions(request: Request<'listVersions'>, options?: CallOptions): Answer<'listVersions'> {
    return this.forward(this.store.listVersions(request, options));
  }

  get bulkWriter(): BulkWriter | undefined {
    const inner = this.store.bulkWriter;
    return (
      inner && { limits: inner.limits, putObjects: (...call) => this.putInBulk(inner, ...call) }
    );
  }

  /** Forwards a bulk write. A subclass that overrides `putObject` must override this method too. */
  protected putInBulk(
    inner: BulkWriter,
    request: PutObjectsRequest,
    options?: CallOptions,
  ): Promise<readonly PutOutcome[]> {
    return this.forward(inner.putObjects(request, options));
  }

  deleteObjects(request: Request<'deleteObjects'>, options?: CallOptions): Answer<'deleteObjects'> {
    return this.forward(this.store.deleteObjects(request, options));
  }

  createUpload(request: Request<'createUpload'>, options?: CallOptions): Answer<'createUpload'> {
    return this.forward(this.store.createUpload(request, options));
  }

  uploadPart(request: Request<'uploadPart'>, options?: CallOptions): Answer<'uploadPart'> {
    return this.forward(this.store.uploadPart(request, options));
  }

  completeUpload(
    request: Request<'completeUpload'>,
    options?: CallOptions,
  ): Answer<'completeUpload'> {
    return this.forward(this.store.completeUpload(request, options));
  }

  abortUpload(request: Request<'abortUpload'>, options?: CallOptions): Answer<'abortUpload'> {
    return this.forward(this.store.abortUpload(request, options));
  }

  copyPart(request: Request<'copyPart'>, options?: CallOptions): Answer<'copyPart'> {
    return this.forward(this.store.copyPart(request, options));
  }

  listParts(request: Request<'listParts'>, options?: CallOptions): Answer<'listParts'> {
    return this.forward(this.store.listParts(request, options));
  }

  listUploads(request: Request<'listUploads'>, options?: CallOptions): Answer<'listUploads'> {
    return this.forward(this.store.listUploads(request, options));
  }

  getObjectLockConfiguration(
    request: Request<'getObjectLockConfiguration'>,
    options?: CallOptions,
  ): Answer<'getObjectLockConfiguration'> {
    return this.forward(this.store.getObjectLockConfiguration(request, options));
  }

  putObjectLockConfiguration(
    request: Request<'putObjectLockConfiguration'>,
    options?: CallOptions,
  ): Answer<'putObjectLockConfiguration'> {
    return this.forward(this.store.putObjectLockConfiguration(request, options));
  }

  getRetention(request: Request<'getRetention'>, options?: CallOptions): Answer<'getRetention'> {
    return this.forward(this.store.getRetention(request, options));
  }

  putRetention(request: Request<'putRetention'>, options?: CallOptions): Answer<'putRetention'> {
    return this.forward(this.store.putRetention(request, options));
  }

  getLegalHold(request: Request<'getLegalHold'>, options?: CallOptions): Answer<'getLegalHold'> {
    return this.forward(this.store.getLegalHold(request, options));
  }

  putLegalHold(request: Request<'putLegalHold'>, options?: CallOptions): Answer<'putLegalHold'> {
    return this.forward(this.store.putLegalHold(request, options));
  }

  serviceTime(request: Request<'serviceTime'>, options?: CallOptions): Answer<'serviceTime'> {
    return this.forward(this.store.serviceTime(request, options));
  }

  createBucket(request: Request<'createBucket'>, options?: CallOptions): Answer<'createBucket'> {
    return this.forward(this.store.createBucket(request, options));
  }

  headBucket(request: Request<'headBucket'>, options?: CallOptions): Answer<'headBucket'> {
    return this.forward(this.store.headBucket(request, options));
  }

  getVersioning(request: Request<'getVersioning'>, options?: CallOptions): Answer<'getVersioning'> {
    return this.forward(this.store.getVersioning(request, options));
  }

  putVersioning(request: Request<'putVersioning'>, options?: CallOptions): Answer<'putVersioning'> {
    return this.forward(this.store.putVersioning(request, options));
  }

  getLifecycle(request: Request<'getLifecycle'>, options?: CallOptions): Answer<'getLifecycle'> {
    return this.forward(this.store.getLifecycle(request, options));
  }

  getObjectAcl(request: Request<'getObjectAcl'>, options?: CallOptions): Answer<'getObjectAcl'> {
    return this.forward(this.store.getObjectAcl(request, options));
  }

  getObjectTags(request: Request<'getObjectTags'>, options?: CallOptions): Answer<'getObjectTags'> {
    return this.forward(this.store.getObjectTags(request, options));
  }

  putObjectTags(request: Request<'putObjectTags'>, options?: CallOptions): Answer<'putObjectTags'> {
    return this.forward(this.store.putObjectTags(request, options));
  }
}
