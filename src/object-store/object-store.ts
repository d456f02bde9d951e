/**
 * Declares the operations that Holdfast needs of object storage (the port). They are divided into roles, so that a function
 * depends only on the roles that it uses.
 *
 * Guarantees, each tested on every implementation by test/contract/object-store.ts:
 *  1. Read after write: every read and listing that starts after a write resolved sees the write.
 *  2. A put is atomic: readers see the whole object or none of it. A put that fails or is aborted leaves no trace.
 *  3. When a write resolves, it is durable.
 *  4. Conditions are evaluated atomically with the write.
 *  5. Listings are in the byte order of the keys' UTF-8.
 *  6. The versions of a key have a total order, even within one millisecond.
 *  7. A lock never prevents a new version or a delete marker, and always prevents the deletion of the locked version.
 *
 * Every method rejects with `StorageError`, or with the signal's reason when aborted. The client of a remote service may also
 * reject with `TransportError`. Keys are well-formed Unicode of 1 to 1024 UTF-8 bytes. They are taken literally, never as
 * paths.
 */

import type { AccessKeeper, AclRequest } from './access.ts';
import type { Body, ChunkOptions } from './body.ts';
import type { BucketAdmin, BucketConfig } from './buckets.ts';
import type { BulkDeleter } from './bulk-delete.ts';
import type { BulkWriting } from './bulk-write.ts';
import type { ChecksumAlgorithm, ObjectChecksum } from './checksum.ts';
import type { PartCopier } from './copy-part.ts';
import type { CustomerEncryption, CustomerKey } from './customer-key.ts';
import type { CorsKeeper } from './cors.ts';
import type { LifecycleKeeper, ObjectExpiration } from './lifecycle.ts';
import type { LockKeeper } from './locks.ts';
import type {
  ListObjectsRequest,
  ListVersionsRequest,
  ObjectPage,
  VersionPage,
} from './listing.ts';
import type { MultipartWriter } from './multipart.ts';
import type { ObjectAttributeReader } from './object-attributes.ts';
import type { ServiceClock } from './service-clock.ts';
import type { Tag, TagKeeper } from './tags.ts';
import type { WebsiteKeeper } from './website.ts';

export interface CallOptions {
  readonly signal?: AbortSignal;
}

export interface ReadOptions extends CallOptions, ChunkOptions {}

export type RetentionMode = 'GOVERNANCE' | 'COMPLIANCE';

/** The retention of a version. It protects the version while now < `retainUntil` (milliseconds since 1970). */
export interface Retention {
  readonly mode: RetentionMode;
  readonly retainUntil: number;
}

/** Attributes that a writer sets on an object, and that reads return (specification, "Metadata"). */
export interface ObjectAttributes {
  readonly contentType?: string;
  readonly contentEncoding?: string;
  readonly contentDisposition?: string;
  readonly contentLanguage?: string;
  readonly cacheControl?: string;
  /** Stored verbatim, even if it is not a valid date. */
  readonly expires?: string;
  /** The target to which a website redirects requests for the object: `/…`, `http://…` or `https://…`. */
  readonly websiteRedirect?: string;
  /** User attributes by name. The names are in lower case, without the dialect's header prefix. */
  readonly metadata?: Readonly<Record<string, string>>;
}

/** Locks that a write sets on the version that it creates. */
export interface LockRequest {
  readonly retention?: Retention;
  readonly legalHold?: boolean;
}

/**
 * Conditions of a read. ETags are lower-case hex without quotes, with `-N` after a multipart upload; `*` matches any ETag.
 * Times are in milliseconds since 1970.
 */
export interface ReadConditions {
  readonly ifMatch?: readonly string[];
  readonly ifNoneMatch?: readonly string[];
  readonly ifModifiedSince?: number;
  readonly ifUnmodifiedSince?: number;
}

/** Conditions of a write on the current version of its key. They treat a delete marker as no version. */
export interface WriteConditions {
  /**
   * An ETag, or `*` for any. The write rejects with `NoSuchKey` if the key has no current version, and with
   * `PreconditionFailed` if the version has another ETag.
   */
  readonly ifMatch?: string;
  /** An ETag, or `*` for any. The write rejects with `PreconditionFailed` if the current version has that ETag. */
  readonly ifNoneMatch?: string;
  /** Sends the ETag without quotes. Some services evaluate only such an ETag; others may ignore it, so it is not the default. */
  readonly isUnquoted?: true;
}

/**
 * A range of bytes: from `first` to `last`, both inclusive, or the last `suffix` bytes. Without `last`, the range extends
 * to the end of the object.
 */
export type ByteRange =
  | { readonly first: number; readonly last?: number }
  | { readonly suffix: number };

/**
 * An object or one of its versions. Without `versionId`, it is the current version. The id `null` is that of the null
 * version.
 */
export interface ObjectRef {
  readonly bucket: string;
  readonly key: string;
  readonly versionId?: string;
}

export interface ObjectInfo extends ObjectAttributes {
  readonly sizeBytes: number;
  readonly etag: string;
  /** Milliseconds since 1970. A remote service reports only whole seconds in response headers. */
  readonly lastModifiedAt: number;
  /** Absent in a bucket that never had versioning. */
  readonly versionId?: string;
  /** Absent if the object has no tags. */
  readonly tagCount?: number;
  readonly retention?: Retention;
  readonly legalHold?: boolean;
  /** Set if the request asked for it and reads the whole object or one part; for a part, it is the part's checksum. */
  readonly checksum?: ObjectChecksum;
  /** Set if the object is encrypted with a customer-provided key. */
  readonly encryption?: CustomerEncryption;
  /** Set for the current version if a lifecycle rule expires it. */
  readonly expiration?: ObjectExpiration;
}

export interface HeadObjectRequest extends ObjectRef {
  readonly range?: ByteRange;
  /** Reads one part of a multipart object, instead of a range. Any other object has one part, number 1. */
  readonly partNumber?: number;
  readonly conditions?: ReadConditions;
  readonly withChecksum?: boolean;
  /** Required if the object was encrypted with a customer-provided key; rejected if it was not. */
  readonly customerKey?: CustomerKey;
}

export interface ObjectContent {
  readonly info: ObjectInfo;
  /**
   * The first and the last byte of `body`, both inclusive. Set if the request has a range or a part number and the store
   * returned only those bytes.
   */
  readonly range?: { readonly first: number; readonly last: number };
  /** Number of parts of a multipart object; set if the request asked for a part. */
  readonly partsCount?: number;
  /** The caller must iterate it once, to the end or to a `return()`: the source stays open until then. */
  readonly body: AsyncIterable<Uint8Array>;
  /**
   * All bytes of `body`, if they are in memory. In that case, no file or connection is open, and the caller need not
   * iterate `body`.
   */
  readonly bytes?: Uint8Array;
}

export type ObjectHead = Omit<ObjectContent, 'body' | 'bytes'>;

export interface PutObjectRequest {
  readonly bucket: string;
  readonly key: string;
  readonly body: Body;
  readonly attributes?: ObjectAttributes;
  readonly tags?: readonly Tag[];
  /** If absent, only the owner's project has permissions, even if the put replaces an object with another ACL. */
  readonly acl?: AclRequest;
  readonly lock?: LockRequest;
  readonly conditions?: WriteConditions;
  /** The store encrypts the object with this key and does not keep it: every read must pass it again. */
  readonly customerKey?: CustomerKey;
}

export interface PutObjectResult {
  readonly etag: string;
  readonly versionId?: string;
  /** The checksum that the caller passed, or the one that the store calculated. */
  readonly checksum?: ObjectChecksum;
  readonly encryption?: CustomerEncryption;
  readonly expiration?: ObjectExpiration;
}

export interface CopyObjectRequest {
  readonly source: ObjectRef;
  readonly bucket: string;
  readonly key: string;
  /** If present, they replace the source's attributes; if absent, the copy has the source's. */
  readonly attributes?: ObjectAttributes;
  /** Set if the request has the `COPY` directive. Only policies distinguish this from a request without a directive. */
  readonly statesCopy?: true;
  /** Replaces the source's redirect when the other attributes are copied. */
  readonly websiteRedirect?: string;
  /** If present, they replace the source's tags, whether or not the attributes are replaced. */
  readonly tags?: readonly Tag[];
  /** A copy never takes the source's ACL. */
  readonly acl?: AclRequest;
  readonly lock?: LockRequest;
  readonly conditions?: WriteConditions;
  readonly sourceConditions?: ReadConditions;
  /** The store calculates this checksum of the copy. If absent, the copy has the source's checksum. */
  readonly checksumAlgorithm?: ChecksumAlgorithm;
  /** Decrypts the source. */
  readonly sourceCustomerKey?: CustomerKey;
  /** Encrypts the copy. A copy of an object onto itself with another key changes the object's encryption key. */
  readonly customerKey?: CustomerKey;
}

export interface CopyObjectResult extends PutObjectResult {
  readonly lastModifiedAt: number;
  readonly sourceVersionId?: string;
}

/** Conditions of a delete on the version that it deletes. They treat a delete marker as no version. */
export interface DeleteConditions extends Pick<WriteConditions, 'ifMatch'> {
  /** Milliseconds since 1970, compared in whole seconds. */
  readonly lastModifiedAt?: number;
  readonly sizeBytes?: number;
}

export interface DeleteObjectRequest extends ObjectRef {
  readonly bypassGovernance?: boolean;
  readonly conditions?: DeleteConditions;
}

export interface DeleteObjectResult {
  /** The version that was deleted, or the delete marker that was created. */
  readonly versionId?: string;
  /** Whether `versionId` is that of a delete marker, created or deleted. */
  readonly deleteMarker: boolean;
}

export interface ObjectReader {
  /**
   * Returns the result of `getObject` without the body. Rejects with `NoSuchKey` if the key does not exist or its current
   * version is a delete marker. For a delete marker, the error's details have `DeleteMarker`.
   */
  headObject(request: HeadObjectRequest, options?: CallOptions): Promise<ObjectHead>;
  getObject(request: HeadObjectRequest, options?: ReadOptions): Promise<ObjectContent>;
  listObjects(request: ListObjectsRequest, options?: CallOptions): Promise<ObjectPage>;
}

export interface ObjectWriter {
  putObject(request: PutObjectRequest, options?: CallOptions): Promise<PutObjectResult>;
  copyObject(request: CopyObjectRequest, options?: CallOptions): Promise<CopyObjectResult>;
  /**
   * Without `versionId`, creates a delete marker, or deletes the object if versioning was never set. With `versionId`,
   * deletes that version permanently.
   */
  deleteObject(request: DeleteObjectRequest, options?: CallOptions): Promise<DeleteObjectResult>;
}

export interface VersionReader {
  listVersions(request: ListVersionsRequest, options?: CallOptions): Promise<VersionPage>;
}

export interface ObjectStore
  extends
    AccessKeeper,
    ObjectReader,
    ObjectAttributeReader,
    ObjectWriter,
    BulkDeleter,
    BulkWriting,
    VersionReader,
    MultipartWriter,
    PartCopier,
    BucketAdmin,
    BucketConfig,
    LockKeeper,
    LifecycleKeeper,
    CorsKeeper,
    ServiceClock,
    WebsiteKeeper,
    TagKeeper {}
