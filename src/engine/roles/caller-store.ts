/** Implements `ObjectStore` for one caller. Each method calls the object that implements its role. */

import type { BulkWriter, BulkWriting } from '../../object-store/bulk-write.ts';
import type { ObjectStore } from '../../object-store/object-store.ts';
import { EngineBulkWriter } from './bulk-writer.ts';
import { EngineReader } from './object-reader.ts';
import { EngineWriter } from './object-writer.ts';
import { EngineMultipart } from './multipart-uploads.ts';
import { EngineBuckets } from './bucket-admin.ts';
import { EngineDocuments } from './bucket-documents.ts';
import { EngineLocks } from './object-locks.ts';
import { EngineTags } from './object-tags.ts';
import { EngineAccess } from './access-control.ts';
import type { CallerContext } from './caller-context.ts';

type Call = Exclude<keyof ObjectStore, keyof BulkWriting>;
type Request<Name extends Call> = Parameters<ObjectStore[Name]>[0];
type Options<Name extends Call> = Parameters<ObjectStore[Name]>[1];

export class CallerStore implements ObjectStore {
  readonly bulkWriter: BulkWriter;
  readonly #objects: EngineReader;
  readonly #writer: EngineWriter;
  readonly #multipart: EngineMultipart;
  readonly #buckets: EngineBuckets;
  readonly #documents: EngineDocuments;
  readonly #locks: EngineLocks;
  readonly #tags: EngineTags;
  readonly #access: EngineAccess;

  constructor(context: CallerContext) {
    this.#objects = new EngineReader(context);
    this.#writer = new EngineWriter(context);
    this.bulkWriter = new EngineBulkWriter(context);
    this.#multipart = new EngineMultipart(context, this.#objects);
    this.#buckets = new EngineBuckets(context);
    this.#documents = new EngineDocuments(context);
    this.#locks = new EngineLocks(context);
    this.#tags = new EngineTags(context);
    this.#access = new EngineAccess(context);
  }

  headObject(request: Request<'headObject'>) {
    return this.#objects.headObject(request);
  }

  getObjectAttributes(request: Request<'getObjectAttributes'>) {
    return this.#objects.getObjectAttributes(request);
  }

  getObject(request: Request<'getObject'>, options: Options<'getObject'>) {
    return this.#objects.getObject(request, options);
  }

  listObjects(request: Request<'listObjects'>) {
    return this.#objects.listObjects(request);
  }

  listVersions(request: Request<'listVersions'>) {
    return this.#objects.listVersions(request);
  }

  putObject(request: Request<'putObject'>, options: Options<'putObject'>) {
    return this.#writer.putObject(request, options);
  }

  copyObject(request: Request<'copyObject'>, options: Options<'copyObject'>) {
    return this.#writer.copyObject(request, options);
  }

  deleteObject(request: Request<'deleteObject'>) {
    return this.#writer.deleteObject(request);
  }

  deleteObjects(request: Request<'deleteObjects'>) {
    return this.#writer.deleteObjects(request);
  }

  createUpload(request: Request<'createUpload'>) {
    return this.#multipart.createUpload(request);
  }

  completeUpload(request: Request<'completeUpload'>) {
    return this.#multipart.completeUpload(request);
  }

  abortUpload(request: Request<'abortUpload'>) {
    return this.#multipart.abortUpload(request);
  }

  listParts(request: Request<'listParts'>) {
    return this.#multipart.listParts(request);
  }

  listUploads(request: Request<'listUploads'>) {
    return this.#multipart.listUploads(request);
  }

  uploadPart(request: Request<'uploadPart'>, options: Options<'uploadPart'>) {
    return this.#multipart.uploadPart(request, options);
  }

  copyPart(request: Request<'copyPart'>, options: Options<'copyPart'>) {
    return this.#multipart.copyPart(request, options);
  }

  createBucket(request: Request<'createBucket'>) {
    return this.#buckets.createBucket(request);
  }

  deleteBucket(request: Request<'deleteBucket'>) {
    return this.#buckets.deleteBucket(request);
  }

  headBucket(request: Request<'headBucket'>) {
    return this.#buckets.headBucket(request);
  }

  listBuckets() {
    return this.#buckets.listBuckets();
  }

  getBucketLocation(request: Request<'getBucketLocation'>) {
    return this.#buckets.getBucketLocation(request);
  }

  getVersioning(request: Request<'getVersioning'>) {
    return this.#buckets.getVersioning(request);
  }

  putVersioning(request: Request<'putVersioning'>) {
    return this.#buckets.putVersioning(request);
  }

  getLifecycle(request: Request<'getLifecycle'>) {
    return this.#documents.getLifecycle(request);
  }

  putLifecycle(request: Request<'putLifecycle'>) {
    return this.#documents.putLifecycle(request);
  }

  deleteLifecycle(request: Request<'deleteLifecycle'>) {
    return this.#documents.deleteLifecycle(request);
  }

  getCors(request: Request<'getCors'>) {
    return this.#documents.getCors(request);
  }

  putCors(request: Request<'putCors'>) {
    return this.#documents.putCors(request);
  }

  deleteCors(request: Request<'deleteCors'>) {
    return this.#documents.deleteCors(request);
  }

  getWebsite(request: Request<'getWebsite'>) {
    return this.#documents.getWebsite(request);
  }

  putWebsite(request: Request<'putWebsite'>) {
    return this.#documents.putWebsite(request);
  }

  deleteWebsite(request: Request<'deleteWebsite'>) {
    return this.#documents.deleteWebsite(request);
  }

  getObjectLockConfiguration(request: Request<'getObjectLockConfiguration'>) {
    return this.#locks.getObjectLockConfiguration(request);
  }

  putObjectLockConfiguration(request: Request<'putObjectLockConfiguration'>) {
    return this.#locks.putObjectLockConfiguration(request);
  }

  serviceTime() {
    return this.#locks.serviceTime();
  }

  getRetention(request: Request<'getRetention'>) {
    return this.#locks.getRetention(request);
  }

  putRetention(request: Request<'putRetention'>) {
    return this.#locks.putRetention(request);
  }

  getLegalHold(request: Request<'getLegalHold'>) {
    return this.#locks.getLegalHold(request);
  }

  putLegalHold(request: Request<'putLegalHold'>) {
    return this.#locks.putLegalHold(request);
  }

  getObjectTags(request: Request<'getObjectTags'>) {
    return this.#tags.getObjectTags(request);
  }

  putObjectTags(request: Request<'putObjectTags'>) {
    return this.#tags.putObjectTags(request);
  }

  deleteObjectTags(request: Request<'deleteObjectTags'>) {
    return this.#tags.deleteObjectTags(request);
  }

  getBucketTags(request: Request<'getBucketTags'>) {
    return this.#tags.getBucketTags(request);
  }

  putBucketTags(request: Request<'putBucketTags'>) {
    return this.#tags.putBucketTags(request);
  }

  deleteBucketTags(request: Request<'deleteBucketTags'>) {
    return this.#tags.deleteBucketTags(request);
  }

  getBucketAcl(request: Request<'getBucketAcl'>) {
    return this.#access.getBucketAcl(request);
  }

  putBucketAcl(request: Request<'putBucketAcl'>) {
    return this.#access.putBucketAcl(request);
  }

  getObjectAcl(request: Request<'getObjectAcl'>) {
    return this.#access.getObjectAcl(request);
  }

  putObjectAcl(request: Request<'putObjectAcl'>) {
    return this.#access.putObjectAcl(request);
  }

  getBucketPolicy(request: Request<'getBucketPolicy'>) {
    return this.#access.getBucketPolicy(request);
  }

  putBucketPolicy(request: Request<'putBucketPolicy'>) {
    return this.#access.putBucketPolicy(request);
  }

  deleteBucketPolicy(request: Request<'deleteBucketPolicy'>) {
    return this.#access.deleteBucketPolicy(request);
  }

  isBucketPublic(request: Request<'isBucketPublic'>) {
    return this.#access.isBucketPublic(request);
  }

  getPublicAccessBlock(request: Request<'getPublicAccessBlock'>) {
    return this.#access.getPublicAccessBlock(request);
  }

  putPublicAccessBlock(request: Request<'putPublicAccessBlock'>) {
    return this.#access.putPublicAccessBlock(request);
  }

  deletePublicAccessBlock(request: Request<'deletePublicAccessBlock'>) {
    return this.#access.deletePublicAccessBlock(request);
  }
}
