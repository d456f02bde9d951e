/**
 * The port: what Holdfast asks of object storage, in roles, so that a function asks for the least it needs.
 *
 * Guarantees, each tested on every implementation by test/contract/object-store.ts:
 *  1. Read after write: what resolved is seen by every later read and listing.
 *  2. A put is seen whole or not at all; one that failed or was aborted leaves no trace.
 *  3. When a write resolves, it is durable.
 *  4. Conditions are evaluated atomically with the write.
 *  5. Listings are in the byte order of the keys' UTF-8.
 *  6. The versions of a key have a total order, also within one millisecond.
 *  7. A lock never stops a new version or a delete marker, and always stops the removal of the locked version.
 *
 * Every method rejects with `StorageError`, or with the signal's reason when aborted. A client may also
 * reject with `TransportError`. Keys are well-formed Unicode of 1 to 1024 UTF-8 bytes, taken literally:
 * they are never paths.
 */

import type { AccessKeeper, AclRequest } from './access.ts';
import type { Body } from './body.ts';
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

export interface ReadOptions extends CallOptions {
  /** When the reader asks for the next chunk, the store may overwrite the memory of the chunk before, but not of the last one. */
  readonly reusesChunks?: boolean;
}

export type RetentionMode = 'GOVERNANCE' | 'COMPLIANCE';

/** A version is protected while now < `retainUntil` (milliseconds since 1970). */
export interface Retention {
  readonly mode: RetentionMode;
  readonly retainUntil: number;
}

/** What a writer states about an object, and a reader gets back (specification, "Metadata"). */
export interface ObjectAttributes {
  readonly contentType?: string;
  readonly contentEncoding?: string;
  readonly contentDisposition?: string;
  readonly contentLanguage?: string;
  readonly cacheControl?: string;
  /** Kept verbatim, even if it is no date. */
  readonly expires?: string;
  /** Where a website sends those who ask for the object: `/…`, `http://…` or `https://…`. */
  readonly websiteRedirect?: string;
  /** User attributes: lower-case names without the dialect's prefix. */
  readonly metadata?: Readonly<Record<string, string>>;
}

/** Locks given with a write; they belong to the version that the write makes. */
export interface LockRequest {
  readonly retention?: Retention;
  readonly legalHold?: boolean;
}

/** ETags are lower-case hex without quotes, with `-N` after a multipart upload. `*` matches any. */
export interface ReadConditions {
  readonly ifMatch?: readonly string[];
  readonly ifNoneMatch?: readonly string[];
  readonly ifModifiedSince?: number;
  readonly ifUnmodifiedSince?: number;
}

/** What a write expects of the current version. A delete marker counts as absent. */
export interface WriteConditions {
  /** An ETag, or `*` for any. `NoSuchKey` when there is no current version, `PreconditionFailed` when it differs. */
  readonly ifMatch?: string;
  /** An ETag, or `*` for any. `PreconditionFailed` when the current version has it. */
  readonly ifNoneMatch?: string;
  /** Some services hold only to an ETag without the quotes of HTTP. Others may pass over one, so it is not the default. */
  readonly isUnquoted?: true;
}

/** The first and last byte, both included, or the last `suffix` bytes. */
export type ByteRange =
  | { readonly first: number; readonly last?: number }
  | { readonly suffix: number };

/** `versionId` is absent for the current version; `null` names the null version. */
export interface ObjectRef {
  readonly bucket: string;
  readonly key: string;
  readonly versionId?: string;
}

export interface ObjectInfo extends ObjectAttributes {
  readonly sizeBytes: number;
  readonly etag: string;
  /** Milliseconds since 1970; only whole seconds cross the wire in headers. */
  readonly lastModifiedAt: number;
  /** Absent in a bucket that never had versioning. */
  readonly versionId?: string;
  /** Absent where there are none. */
  readonly tagCount?: number;
  readonly retention?: Retention;
  readonly legalHold?: boolean;
  /** Where it was asked for, and nothing else than the object or one part of it: then it is the part's. */
  readonly checksum?: ObjectChecksum;
  /** Where it is encrypted under a key of the customer's. */
  readonly encryption?: CustomerEncryption;
  /** Of the current version, where a lifecycle rule lets it expire. */
  readonly expiration?: ObjectExpiration;
}

export interface HeadObjectRequest extends ObjectRef {
  readonly range?: ByteRange;
  /** Instead of a range: one part of a multipart object; of any other object the whole is part 1. */
  readonly partNumber?: number;
  readonly conditions?: ReadConditions;
  readonly withChecksum?: boolean;
  /** The one that the object was stored with: needed where there is one, refused where there is none. */
  readonly customerKey?: CustomerKey;
}

export interface ObjectContent {
  readonly info: ObjectInfo;
  /** Set when a range or a part was asked for and given: first and last byte, both included. */
  readonly range?: { readonly first: number; readonly last: number };
  /** Where a part of a multipart object was asked for: how many it has. */
  readonly partsCount?: number;
  /** To be iterated once, to the end or to a `return()`: the source is open until then. */
  readonly body: AsyncIterable<Uint8Array>;
  /** All that `body` would yield, where it is in memory: then nothing is open, and `body` may be left alone. */
  readonly bytes?: Uint8Array;
}

export type ObjectHead = Omit<ObjectContent, 'body' | 'bytes'>;

export interface PutObjectRequest {
  readonly bucket: string;
  readonly key: string;
  readonly body: Body;
  readonly attributes?: ObjectAttributes;
  readonly tags?: readonly Tag[];
  /** Absent: nobody but the owner's project has rights, whatever the object was put over. */
  readonly acl?: AclRequest;
  readonly lock?: LockRequest;
  readonly conditions?: WriteConditions;
  /** What reaches the disk is encrypted under it. It is needed for every read, and nobody keeps it. */
  readonly customerKey?: CustomerKey;
}

export interface PutObjectResult {
  readonly etag: string;
  readonly versionId?: string;
  /** The giver's, or what the store calculated itself. */
  readonly checksum?: ObjectChecksum;
  readonly encryption?: CustomerEncryption;
  readonly expiration?: ObjectExpiration;
}

export interface CopyObjectRequest {
  readonly source: ObjectRef;
  readonly bucket: string;
  readonly key: string;
  /** Given: they replace the source's. Absent: the source's are copied. */
  readonly attributes?: ObjectAttributes;
  /** Whether the request states that the attributes are copied. Only policies tell that from a request that states nothing. */
  readonly statesCopy?: true;
  /** With the other attributes copied, this one takes the place of the source's. */
  readonly websiteRedirect?: string;
  /** As the attributes, and independent of them. */
  readonly tags?: readonly Tag[];
  /** Never the source's. */
  readonly acl?: AclRequest;
  readonly lock?: LockRequest;
  readonly conditions?: WriteConditions;
  readonly sourceConditions?: ReadConditions;
  /** To be calculated over the bytes. Absent: the copy has the checksum of its source. */
  readonly checksumAlgorithm?: ChecksumAlgorithm;
  /** Of the source. */
  readonly sourceCustomerKey?: CustomerKey;
  /** For the copy; absent for a plain one. Onto itself with another one changes the object's key. */
  readonly customerKey?: CustomerKey;
}

export interface CopyObjectResult extends PutObjectResult {
  readonly lastModifiedAt: number;
  readonly sourceVersionId?: string;
}

/** What a delete expects of the version that it is about. A delete marker counts as absent. */
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
  /** The version that was removed, or the delete marker that was made. */
  readonly versionId?: string;
  /** Whether `versionId` is a delete marker, made or removed. */
  readonly deleteMarker: boolean;
}

export interface ObjectReader {
  /** `NoSuchKey` for a missing key or one under a delete marker (then with `DeleteMarker` in the details). */
  headObject(request: HeadObjectRequest, options?: CallOptions): Promise<ObjectHead>;
  getObject(request: HeadObjectRequest, options?: ReadOptions): Promise<ObjectContent>;
  listObjects(request: ListObjectsRequest, options?: CallOptions): Promise<ObjectPage>;
}

export interface ObjectWriter {
  putObject(request: PutObjectRequest, options?: CallOptions): Promise<PutObjectResult>;
  copyObject(request: CopyObjectRequest, options?: CallOptions): Promise<CopyObjectResult>;
  /** Without `versionId`: a delete marker where versioning is on. With it: that version is gone for good. */
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
