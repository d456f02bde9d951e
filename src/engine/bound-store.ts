/** The engine as one caller sees it. Reads are answered here; writes go to the writer thread. */

import type { Clock } from '../base/clock.ts';
import type { Body } from '../object-store/body.ts';
import type { Caller } from '../object-store/caller.ts';
import type * as Port from '../object-store/object-store.ts';
import { checkAccess } from '../object-store/rules/access.ts';
import { checkReadConditions } from '../object-store/rules/conditions.ts';
import { checkMetadata } from '../object-store/rules/metadata.ts';
import { checkPartNumber } from '../object-store/rules/multipart.ts';
import { checkBucketName, checkKey } from '../object-store/rules/naming.ts';
import { resolveRange } from '../object-store/rules/ranges.ts';
import { isStorageError, StorageError } from '../object-store/storage-error.ts';
import type { BlobStore } from './blob-store.ts';
import type { CommandContext, CommandName, Commands, Content } from './commands.ts';
import { receive } from './incoming-body.ts';
import type { ObjectLister } from './list-objects.ts';
import type { UploadLister } from './list-uploads.ts';
import type { VersionLister } from './list-versions.ts';
import type { MetadataReader } from './metadata-reader.ts';
import { ObjectBody } from './object-body.ts';
import { encodeAttributes, lockConfiguration, objectInfo } from './object-info.ts';
import { noSuchBucket } from './refusals.ts';
import type { BucketRow, VersionRow } from './rows.ts';
import { checkVersionId, readableVersion } from './version-lookup.ts';
import type { Writer } from './writer.ts';

/** What all callers share. */
export interface EngineParts {
  readonly reader: MetadataReader;
  readonly objects: ObjectLister;
  readonly versions: VersionLister;
  readonly uploads: UploadLister;
  readonly writer: Writer;
  readonly blobs: BlobStore;
  readonly clock: Clock;
  readonly region: string;
  readonly maxBuckets: number;
}

/** A version that was found, and the bytes of it that are asked for. */
interface Selected extends Port.ObjectHead {
  readonly row: VersionRow;
}

export class BoundStore implements Port.ObjectStore {
  readonly #parts: EngineParts;
  readonly #caller: Caller;

  constructor(parts: EngineParts, caller: Caller) {
    this.#parts = parts;
    this.#caller = caller;
  }

  async headObject(request: Port.HeadObjectRequest): Promise<Port.ObjectHead> {
    const { row: _, ...head } = this.#select(request);
    return head;
  }

  async getObject(
    request: Port.HeadObjectRequest,
    { signal }: Port.CallOptions = {},
  ): Promise<Port.ObjectContent> {
    const { reader, blobs } = this.#parts;
    // No command can remove the blobs between the two reads of the snapshot, nor the files once held.
    return reader.snapshot(() => {
      const { row, ...head } = this.#select(request);
      const span = head.range ?? { first: 0, last: row.sizeBytes - 1 };
      const parts = reader.blobs(row, span.first, span.last);
      const name = `${request.bucket}/${request.key}`;
      const body = new ObjectBody({ blobs, parts, span, signal, name });
      return { ...head, body };
    });
  }

  async listObjects(request: Port.ListObjectsRequest): Promise<Port.ObjectPage> {
    return this.#parts.objects.page(this.#bucket(request.bucket).bucketId, request);
  }

  async listVersions(request: Port.ListVersionsRequest): Promise<Port.VersionPage> {
    return this.#parts.versions.page(this.#bucket(request.bucket).bucketId, request);
  }

  async putObject(
    request: Port.PutObjectRequest,
    options: Port.CallOptions = {},
  ): Promise<Port.PutObjectResult> {
    const { bucket, key, body, attributes, lock, conditions } = request;
    checkKey(key);
    checkMetadata(attributes);
    return this.#store(body, options, {
      before: () => this.#bucket(bucket),
      command: (content) =>
        this.#run('putObject', {
          bucket,
          key,
          content,
          lock,
          conditions,
          attributes: encodeAttributes(attributes),
        }),
    });
  }

  async copyObject(request: Port.CopyObjectRequest): Promise<Port.CopyObjectResult> {
    checkKey(request.key);
    checkMetadata(request.attributes);
    const attributes = encodeAttributes(request.attributes);
    return this.#run('copyObject', { ...request, attributes });
  }

  async deleteObject(request: Port.DeleteObjectRequest): Promise<Port.DeleteObjectResult> {
    checkKey(request.key);
    const bypassGovernance = request.bypassGovernance === true;
    return this.#run('deleteObject', { ...request, bypassGovernance });
  }

  async createUpload(request: Port.CreateUploadRequest): Promise<{ uploadId: string }> {
    checkKey(request.key);
    checkMetadata(request.attributes);
    const attributes = encodeAttributes(request.attributes);
    return this.#run('createUpload', { ...request, attributes });
  }

  async uploadPart(
    request: Port.UploadPartRequest,
    options: Port.CallOptions = {},
  ): Promise<{ etag: string }> {
    const { bucket, key, uploadId, partNumber, body } = request;
    checkPartNumber(partNumber);
    return this.#store(body, options, {
      before: () => this.#parts.uploads.find(this.#bucket(bucket).bucketId, request),
      command: (content) => this.#run('putPart', { bucket, key, uploadId, partNumber, content }),
    });
  }

  async completeUpload(request: Port.CompleteUploadRequest): Promise<Port.PutObjectResult> {
    return this.#run('completeUpload', request);
  }

  async abortUpload(request: Port.UploadRef): Promise<void> {
    return this.#run('abortUpload', request);
  }

  async listParts(request: Port.ListPartsRequest): Promise<Port.PartPage> {
    return this.#parts.uploads.parts(this.#bucket(request.bucket).bucketId, request);
  }

  async listUploads(request: Port.ListUploadsRequest): Promise<Port.UploadPage> {
    return this.#parts.uploads.uploads(this.#bucket(request.bucket).bucketId, request);
  }

  async createBucket(request: {
    readonly bucket: string;
    readonly objectLockEnabled?: boolean;
  }): Promise<void> {
    const { bucket, objectLockEnabled = false } = request;
    checkBucketName(bucket);
    const { maxBuckets } = this.#parts;
    return this.#run('createBucket', { bucket, objectLockEnabled, maxBuckets });
  }

  async deleteBucket({ bucket }: { readonly bucket: string }): Promise<void> {
    return this.#run('deleteBucket', { bucket });
  }

  async headBucket({ bucket }: { readonly bucket: string }): Promise<void> {
    this.#bucket(bucket);
  }

  async listBuckets(): Promise<readonly Port.ListedBucket[]> {
    const { principal } = this.#caller;
    if (principal.kind === 'anonymous') {
      throw new StorageError('AccessDenied', 'list buckets: anonymous access is not granted');
    }
    const buckets = this.#parts.reader.bucketsOf(principal);
    return buckets.map(({ name, createdAt }) => ({ name, createdAt }));
  }

  async getBucketLocation({ bucket }: { readonly bucket: string }): Promise<string> {
    this.#bucket(bucket);
    return this.#parts.region;
  }

  async getVersioning({
    bucket,
  }: {
    readonly bucket: string;
  }): Promise<Port.Versioning | undefined> {
    return this.#bucket(bucket).versioning ?? undefined;
  }

  async putVersioning(request: {
    readonly bucket: string;
    readonly versioning: Port.Versioning;
  }): Promise<void> {
    return this.#run('putVersioning', request);
  }

  async getObjectLockConfiguration({
    bucket: name,
  }: {
    readonly bucket: string;
  }): Promise<Port.ObjectLockConfiguration> {
    const bucket = this.#bucket(name);
    if (bucket.objectLock !== 0) return lockConfiguration(bucket);
    throw new StorageError(
      'ObjectLockConfigurationNotFoundError',
      `read object lock of ${name}: the bucket was created without it`,
      { details: { BucketName: name } },
    );
  }

  /** Throws `NoSuchBucket` or `AccessDenied`. */
  #bucket(name: string): BucketRow {
    const bucket = this.#parts.reader.bucket(name);
    if (!bucket) throw noSuchBucket(name);
    checkAccess(this.#caller.principal, bucket);
    return bucket;
  }

  #select(request: Port.HeadObjectRequest): Selected {
    const { key, versionId, conditions, range } = request;
    const bucket = this.#bucket(request.bucket);
    checkVersionId(versionId);
    const { versions } = this.#parts.reader;
    const found =
      versionId === undefined
        ? versions.latest(bucket.bucketId, key)
        : versions.byId(bucket.bucketId, key, versionId);
    const row = readableVersion(request, found);
    if (row.isDeleteMarker !== 0) throw readOfDeleteMarker(key, row);
    checkReadConditions(conditions, row);
    const info = objectInfo(bucket, row, versionId);
    return range ? { row, info, range: resolveRange(range, row.sizeBytes) } : { row, info };
  }

  /** Stores the bytes, then lets a row refer to them; a file that no row took goes again. */
  async #store<Result>(
    body: Body,
    { signal }: Port.CallOptions,
    steps: {
      readonly before: () => unknown;
      readonly command: (content: Content) => Promise<Result>;
    },
  ): Promise<Result> {
    const { blobs, writer } = this.#parts;
    const beforeFile = () => {
      if (writer.refusal) throw writer.refusal;
      steps.before();
    };
    const content = await receive(body, blobs, signal ? { signal, beforeFile } : { beforeFile });
    if (content.kind === 'inline') return steps.command(content);
    try {
      const result = await steps.command(content);
      blobs.named(content);
      return result;
    } catch (error) {
      // Without an answer from the writer a row may name the file: then it is the next sweep that decides.
      if (!isStorageError(error, 'ServiceUnavailable')) await blobs.disown(content);
      throw error;
    }
  }

  #run<Name extends CommandName>(
    name: Name,
    request: Commands[Name]['request'],
  ): Promise<Commands[Name]['result']> {
    const context: CommandContext = {
      principal: this.#caller.principal,
      now: this.#parts.clock.now(),
    };
    return this.#parts.writer.run(name, request, context);
  }
}

/** It is a version, but there is nothing of it to read (decision 4). */
function readOfDeleteMarker(key: string, { versionId }: VersionRow): StorageError {
  return new StorageError(
    'MethodNotAllowed',
    `read version ${versionId} of ${JSON.stringify(key)}: it is a delete marker`,
    { details: { Key: key, DeleteMarker: true, VersionId: versionId } },
  );
}
