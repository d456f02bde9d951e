/**
 * Defines `ObjectStore`, the interface through which Holdfast uses object storage. It is divided into roles, so that a
 * function depends only on the roles that it uses.
 *
 * Guarantees, which test/contract/object-store.ts tests for every implementation: 1. Read after write: every read and
 * every listing that starts after a write has resolved includes the write. 2. A put is atomic: a reader gets the whole
 * object or none of it. A put that fails or is aborted has no effect. 3. When a write resolves, it is durable. 4. The
 * conditions of a write are evaluated atomically with the write. 5. Listings are ordered by the UTF-8 bytes of the
 * keys. 6. The versions of a key have a total order, even if they were written in the same millisecond. 7. A lock does
 * not prevent a new version or a delete marker of the key. It always prevents the deletion of the locked version.
 *
 * Every method rejects with `StorageError`, or with the signal's reason if the signal is aborted. The client of a
 * remote service can also reject with `TransportError`. Keys are well-formed Unicode of 1 to 1024 UTF-8 bytes, and are
 * not interpreted as paths.
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

/**
 * The retention of a version. The version is locked while the current time is before `retainUntil` (milliseconds since
 * 1970).
 */
export interface Retention {
  readonly mode: RetentionMode;
  readonly retainUntil: number;
}

/** Attributes that a client sets on an object, and that reads return (specification, "Metadata"). */
export interface ObjectAttributes {
  readonly contentType?: string;
  readonly contentEncoding?: string;
  readonly contentDisposition?: string;
  readonly contentLanguage?: string;
  readonly cacheControl?: string;
  /** The value of the `Expires` header. It is stored unchanged, even if it is not a valid date. */
  readonly expires?: string;
  /** The target to which a website redirects requests for this object: `/…`, `http://…` or `https://…`. */
  readonly websiteRedirect?: string;
  /** User attributes by name. Names are in lowercase, without a header prefix such as `x-amz-meta-`. */
  readonly metadata?: Readonly<Record<string, string>>;
}

/** The locks that a write sets on the version that it creates. */
export interface LockRequest {
  readonly retention?: Retention;
  readonly legalHold?: boolean;
}

/**
 * Conditions of a read. ETags are in lowercase hex without quotes, and end with `-N` after a multipart upload. `*`
 * matches any ETag. Times are in milliseconds since 1970.
 */
export interface ReadConditions {
  readonly ifMatch?: readonly string[];
  readonly ifNoneMatch?: readonly string[];
  readonly ifModifiedSince?: number;
  readonly ifUnmodifiedSince?: number;
}

/** Conditions of a write, which are compared with the key's current version. A delete marker counts as no version. */
export interface WriteConditions {
  /**
   * An ETag, or `*` for any ETag. The write rejects with `NoSuchKey` if the key has no current version, and with
   * `PreconditionFailed` if the current version has another ETag.
   */
  readonly ifMatch?: string;
  /** An ETag, or `*` for any ETag. The write rejects with `PreconditionFailed` if the current version has this ETag. */
  readonly ifNoneMatch?: string;
  /**
   * Sends the ETag without quotes. Some services evaluate only an ETag without quotes. Other services may ignore it, so
   * quotes are the default.
   */
  readonly isUnquoted?: true;
}

/**
 * A range of bytes: from `first` to `last` (both inclusive), or the last `suffix` bytes. Without `last`, the range
 * extends to the end of the object.
 */
export type ByteRange =
  | { readonly first: number; readonly last?: number }
  | { readonly suffix: number };

/**
 * An object or one of its versions. Without `versionId`, the current version is meant. The version ID `null` denotes
 * the null version.
 */
export interface ObjectRef {
  readonly bucket: string;
  readonly key: string;
  readonly versionId?: string;
}

export interface ObjectInfo extends ObjectAttributes {
  readonly sizeBytes: number;
  readonly etag: string;
  /**
   * The modification time in milliseconds since 1970. A remote service reports only whole seconds in response headers.
   */
  readonly lastModifiedAt: number;
  /** The version ID; absent in a bucket that never had versioning. */
  readonly versionId?: string;
  /** The number of tags; absent if the object has no tags. */
  readonly tagCount?: number;
  readonly retention?: Retention;
  readonly legalHold?: boolean;
  /**
   * The object's checksum or, if the request reads one part, the part's checksum. Present only if the request asked for
   * it and does not read a byte range.
   */
  readonly checksum?: ObjectChecksum;
  /** The encryption of the object; present if the object is encrypted with a customer key. */
  readonly encryption?: CustomerEncryption;
  /** The object's expiration. Present for the current version if a lifecycle rule expires it. */
  readonly expiration?: ObjectExpiration;
}

export interface HeadObjectRequest extends ObjectRef {
  readonly range?: ByteRange;
  /** The part to read instead of a byte range. An object that is not a multipart object consists of part 1. */
  readonly partNumber?: number;
  readonly conditions?: ReadConditions;
  readonly withChecksum?: boolean;
  /** The customer key. Required if the object is encrypted with one; rejected if it is not. */
  readonly customerKey?: CustomerKey;
}

export interface ObjectContent {
  readonly info: ObjectInfo;
  /**
   * The positions of the first and the last byte of `body`, both inclusive. Present if the request has a range or a
   * part number and the store returned only these bytes.
   */
  readonly range?: { readonly first: number; readonly last: number };
  /** The number of parts of a multipart object. Present if the request asked for a part. */
  readonly partsCount?: number;
  /**
   * The bytes of the object. The caller must iterate over them to the end or call `return()`, because the file or
   * connection stays open until then.
   */
  readonly body: AsyncIterable<Uint8Array>;
  /**
   * All bytes of `body`, if they are in memory. No file or connection is then open, so the caller need not iterate over
   * `body`.
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
  /**
   * The ACL of the new object. If absent, only the owner's project has permissions, even if the replaced object had
   * another ACL.
   */
  readonly acl?: AclRequest;
  readonly lock?: LockRequest;
  readonly conditions?: WriteConditions;
  /** The key that encrypts the object. The store does not keep it, so every read must pass it again. */
  readonly customerKey?: CustomerKey;
}

export interface PutObjectResult {
  readonly etag: string;
  readonly versionId?: string;
  /** The checksum that the client stated, or the one that the store calculated. */
  readonly checksum?: ObjectChecksum;
  readonly encryption?: CustomerEncryption;
  readonly expiration?: ObjectExpiration;
}

export interface CopyObjectRequest {
  readonly source: ObjectRef;
  readonly bucket: string;
  readonly key: string;
  /** The attributes of the copy. If absent, the copy has the attributes of its source. */
  readonly attributes?: ObjectAttributes;
  /**
   * Set if the copy request has the `COPY` directive. Only policies distinguish this from a request without a
   * directive.
   */
  readonly statesCopy?: true;
  /**
   * The website redirect of the copy. If all other attributes are copied from the source, this redirect replaces that
   * of the source.
   */
  readonly websiteRedirect?: string;
  /** The tags of the copy. If absent, the copy has the tags of its source, even if the attributes are replaced. */
  readonly tags?: readonly Tag[];
  /** The ACL of the copy. The ACL of the source is never copied. */
  readonly acl?: AclRequest;
  readonly lock?: LockRequest;
  readonly conditions?: WriteConditions;
  readonly sourceConditions?: ReadConditions;
  /** The algorithm of a checksum to calculate for the copy. If absent, the copy has the checksum of its source. */
  readonly checksumAlgorithm?: ChecksumAlgorithm;
  /** The customer key that decrypts the source. */
  readonly sourceCustomerKey?: CustomerKey;
  /**
   * The customer key that encrypts the copy. Copying an object onto itself with another key changes the key of the
   * object.
   */
  readonly customerKey?: CustomerKey;
}

export interface CopyObjectResult extends PutObjectResult {
  readonly lastModifiedAt: number;
  readonly sourceVersionId?: string;
}

/** Conditions of a delete, which are compared with the version to be deleted. A delete marker counts as no version. */
export interface DeleteConditions extends Pick<WriteConditions, 'ifMatch'> {
  /** The expected modification time in milliseconds since 1970. It is compared in whole seconds. */
  readonly lastModifiedAt?: number;
  readonly sizeBytes?: number;
}

export interface DeleteObjectRequest extends ObjectRef {
  readonly bypassGovernance?: boolean;
  readonly conditions?: DeleteConditions;
}

export interface DeleteObjectResult {
  /** The ID of the version that was deleted, or of the delete marker that was created. */
  readonly versionId?: string;
  /** Whether `versionId` is the ID of a delete marker that was created or deleted. */
  readonly deleteMarker: boolean;
}

export interface ObjectReader {
  /**
   * Returns the result of `getObject` without the body. Rejects with `NoSuchKey` if the key does not exist or its
   * current version is a delete marker. For a delete marker, the error's details contain `DeleteMarker`.
   */
  headObject(request: HeadObjectRequest, options?: CallOptions): Promise<ObjectHead>;
  getObject(request: HeadObjectRequest, options?: ReadOptions): Promise<ObjectContent>;
  listObjects(request: ListObjectsRequest, options?: CallOptions): Promise<ObjectPage>;
}

export interface ObjectWriter {
  putObject(request: PutObjectRequest, options?: CallOptions): Promise<PutObjectResult>;
  copyObject(request: CopyObjectRequest, options?: CallOptions): Promise<CopyObjectResult>;
  /**
   * Deletes an object or a version. Without `versionId`, creates a delete marker or, if versioning was never set,
   * deletes the object. With `versionId`, deletes that version permanently.
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
