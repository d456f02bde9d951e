/**
 * Defines the commands of the writer thread. Requests and results are plain data, because they are sent between
 * threads.
 */

import type { ProjectNames } from '../../../base/principal.ts';
import type { Action } from '../../../object-store/action.ts';
import type { Caller } from '../../../object-store/caller.ts';
import type { Checksum, ChecksumAlgorithm } from '../../../object-store/checksum.ts';
import type {
  PutLegalHoldRequest,
  PutLockConfigurationRequest,
  PutRetentionRequest,
} from '../../../object-store/locks.ts';
import type {
  CompletedPart,
  CreateUploadResult,
  UploadChecksum,
  UploadPartResult,
  UploadRef,
} from '../../../object-store/multipart.ts';
import type { Versioning } from '../../../object-store/buckets.ts';
import type {
  CopyObjectResult,
  DeleteConditions,
  DeleteObjectResult,
  LockRequest,
  ObjectRef,
  PutObjectResult,
  ReadConditions,
  WriteConditions,
} from '../../../object-store/object-store.ts';
import type { PublicAccessBlock } from '../../../object-store/rules/access/public-access.ts';
import type { ResolvedAcl } from '../../../object-store/rules/access/requested-acl.ts';
import type { ObjectTags, Tag } from '../../../object-store/tags.ts';
import type { BlobTarget, PutQuarantine, RepairTables } from './maintenance-requests.ts';
import type { StoredBucketQuota } from '../../schema/quota-reader.ts';
import type { RunLifecycle } from './lifecycle-action.ts';
import type { LifecycleRun } from '../../schema/lifecycle-run.ts';
import type { EqualVersions } from '../../integrity/damaged-versions.ts';
import type { Repaired } from '../../integrity/repair-metadata.ts';
import type { BucketConfigKind, ScrubState } from '../../schema/rows.ts';
import type { RememberedTime, TrustedInstant } from '../../clock/trusted-time.ts';
import type { Content, InlineContent, SealedContent } from '../../blobs/content.ts';
import type { Refusal } from '../../disk/refusals.ts';

/** The values that a request sets for a new version or upload. Each string is JSON, as the database stores it. */
export interface Description {
  readonly attributes?: string | undefined;
  readonly acl?: ResolvedAcl | undefined;
  readonly tags?: readonly Tag[] | undefined;
  readonly encryption?: string | undefined;
  /**
   * The ID of the bucket for which the bytes were encrypted. They cannot be decrypted in another bucket. Absent for
   * unencrypted bytes.
   */
  readonly sealedFor?: number | undefined;
  readonly lock?: LockRequest | undefined;
}

export interface BucketTarget {
  readonly bucket: string;
}

interface ObjectTarget extends BucketTarget {
  readonly key: string;
}

interface Conditional {
  readonly conditions?: WriteConditions | undefined;
}

export interface CreateBucket extends BucketTarget {
  readonly acl?: ResolvedAcl | undefined;
  readonly objectLockEnabled: boolean;
}

export interface PutBucketQuota extends BucketTarget {
  readonly quota: StoredBucketQuota;
}

/** Sets a project's maximum number of buckets. If `buckets` is absent, the default applies again. */
export interface PutProjectQuota extends ProjectNames {
  readonly buckets?: number | undefined;
}

export interface PutVersioning extends BucketTarget {
  readonly versioning: Versioning;
}

/** Stores a bucket's configuration document. If `document` is undefined, the configuration is removed. */
export interface PutBucketConfig extends BucketTarget {
  readonly action: Action;
  readonly kind: BucketConfigKind;
  readonly document: unknown;
}

export interface PutBucketAcl extends BucketTarget {
  readonly acl: ResolvedAcl;
}

export interface PutObjectAcl extends ObjectRef {
  readonly acl: ResolvedAcl;
}

/** Sets a bucket's policy. If `policy` is undefined, the policy is removed. */
export interface PutBucketPolicy extends BucketTarget {
  readonly policy: string | undefined;
}

/** Sets a bucket's public access block. If `block` is undefined, the public access block is removed. */
export interface PutPublicAccessBlock extends BucketTarget {
  readonly block: PublicAccessBlock | undefined;
}

export type PutLockConfiguration = PutLockConfigurationRequest;

export interface PutRetention extends PutRetentionRequest {
  readonly bypassGovernance: boolean;
}

export type PutLegalHold = PutLegalHoldRequest;

/** Sets the tags of an object. If `tags` is absent, all tags are removed. */
export interface PutObjectTags extends ObjectRef {
  readonly tags?: readonly Tag[] | undefined;
}

export type TaggedVersion = Omit<ObjectTags, 'tags'>;

export interface PutObject extends ObjectTarget, Description, Conditional {
  readonly content: Content;
}

/** Puts many small objects, whose bodies are transferred as one buffer. */
export interface PutObjects extends BucketTarget {
  readonly objects: readonly PackedObject[];
  /** The concatenated bodies in the order of the objects. */
  readonly bytes: Uint8Array<ArrayBuffer>;
}

export interface PackedObject extends Omit<PutObject, 'bucket' | 'content'> {
  readonly content: Packed<InlineContent> | Packed<SealedContent>;
}

type Packed<C extends InlineContent | SealedContent> = Omit<C, 'bytes'> & {
  readonly packedBytes: number;
};

/** The result or the error of one object in a bulk write, as a separate put would return it. */
export type PutOutcome = PutObjectResult | Refusal;

export interface CopyObject extends ObjectTarget, Description, Conditional {
  readonly statesCopy?: true | undefined;
  readonly websiteRedirect?: string | undefined;
  readonly source: ObjectRef;
  readonly sourceConditions?: ReadConditions | undefined;
  /** The checksum algorithm of the copy. If absent, the copy has the checksum of its source. */
  readonly checksumAlgorithm?: ChecksumAlgorithm | undefined;
  /** The checksum with the requested algorithm, and the sequence number of the version from which it was calculated. */
  readonly calculated?: { readonly sequence: number; readonly checksum: Checksum } | undefined;
  /** The prepared copy; present if the source or the copy is encrypted. */
  readonly prepared?: PreparedCopy | undefined;
}

/** The prepared bytes of a copy, and the sequence number of the source version for which they were prepared. */
export interface PreparedCopy {
  readonly sequence: number;
  /** The bytes of the copy, newly encrypted or decrypted. If absent, the copy shares the bytes of the source. */
  readonly parts?: readonly CopiedPart[];
}

export interface CopiedPart {
  /** The part number of the copied blob; 0 if the source was not uploaded in parts. */
  readonly partNumber: number;
  readonly checksum: string | null;
  readonly content: Content;
}

export interface DeleteObject extends ObjectRef {
  /** The ID of the bulk delete to which the command belongs; absent for a single delete. */
  readonly bulk?: number | undefined;
  readonly conditions?: DeleteConditions | undefined;
  readonly bypassGovernance: boolean;
}

export interface CreateUpload extends ObjectTarget, Description, UploadChecksum {}

export interface PutPart extends UploadRef {
  readonly partNumber: number;
  readonly content: Content;
  /** The object from which a part is copied. */
  readonly source?: ObjectRef | undefined;
}

export interface CompleteUpload extends UploadRef, Conditional {
  readonly parts: readonly CompletedPart[];
  readonly checksum?: Checksum | undefined;
  readonly checksumType?: UploadChecksum['checksumType'] | undefined;
  readonly sizeBytes?: number | undefined;
}

interface ForgetGarbage {
  readonly files: readonly string[];
}

interface Command<Request, Result> {
  readonly request: Request;
  readonly result: Result;
}

export interface Commands {
  readonly createBucket: Command<CreateBucket, void>;
  readonly deleteBucket: Command<BucketTarget, void>;
  readonly putVersioning: Command<PutVersioning, void>;
  readonly putBucketAcl: Command<PutBucketAcl, void>;
  readonly putObjectAcl: Command<PutObjectAcl, void>;
  readonly putBucketPolicy: Command<PutBucketPolicy, void>;
  readonly putPublicAccessBlock: Command<PutPublicAccessBlock, void>;
  readonly putBucketConfig: Command<PutBucketConfig, void>;
  readonly putBucketQuota: Command<PutBucketQuota, void>;
  readonly putProjectQuota: Command<PutProjectQuota, void>;
  readonly putLockConfiguration: Command<PutLockConfiguration, void>;
  readonly putRetention: Command<PutRetention, void>;
  readonly putLegalHold: Command<PutLegalHold, void>;
  readonly putObjectTags: Command<PutObjectTags, TaggedVersion>;
  readonly putObject: Command<PutObject, PutObjectResult>;
  readonly putObjects: Command<PutObjects, readonly PutOutcome[]>;
  readonly copyObject: Command<CopyObject, CopyObjectResult>;
  readonly deleteObject: Command<DeleteObject, DeleteObjectResult>;
  readonly createUpload: Command<CreateUpload, CreateUploadResult>;
  readonly putPart: Command<PutPart, UploadPartResult>;
  readonly completeUpload: Command<CompleteUpload, PutObjectResult>;
  readonly abortUpload: Command<UploadRef, void>;
  readonly forgetGarbage: Command<ForgetGarbage, void>;
  readonly quarantine: Command<PutQuarantine, void>;
  readonly endQuarantine: Command<BlobTarget, void>;
  readonly healVersion: Command<EqualVersions, void>;
  readonly saveScrub: Command<ScrubState, void>;
  readonly saveTrustedTime: Command<RememberedTime, void>;
  readonly runLifecycle: Command<RunLifecycle, LifecycleRun>;
  readonly repairTables: Command<RepairTables, readonly Repaired[]>;
}

export type CommandName = keyof Commands;

/** The caller and the time of a command. The writer thread never reads a clock itself. */
export interface CommandContext extends TrustedInstant {
  readonly caller: Caller;
  /** The wall time in milliseconds since 1970. Locks depend on `trustedNow` instead. */
  readonly now: number;
}

/** A command in the form in which it is sent to the writer thread. */
export interface Envelope<Name extends CommandName = CommandName> extends CommandContext {
  readonly id: number;
  readonly name: Name;
  readonly request: Commands[Name]['request'];
}

/** Returns the number of body bytes in the request. */
export function carriedBytes(request: Envelope['request']): number {
  if ('objects' in request) return request.bytes.byteLength;
  if (!('content' in request) || request.content.kind === 'file') return 0;
  return request.content.bytes.byteLength;
}

/**
 * Returns the buffer that is transferred to the writer thread: the buffer of an unencrypted body, or of all bodies of a
 * bulk write. Returns undefined for an encrypted body and for a buffer that contains other bytes; these are copied.
 */
export function movableBuffer(request: Envelope['request']): ArrayBuffer | undefined {
  if ('objects' in request) return request.bytes.buffer;
  if (!('content' in request) || request.content.kind !== 'inline') return undefined;
  const { buffer, byteLength } = request.content.bytes;
  return buffer instanceof ArrayBuffer && buffer.byteLength === byteLength ? buffer : undefined;
}

/** Returns how many commands the request counts as. A bulk write counts as one command for each of its objects. */
export function weightOf(request: Envelope['request']): number {
  return 'objects' in request ? request.objects.length : 1;
}

/**
 * Returns the bucket of the command. Returns '' for a command of the engine itself, which belongs to no bucket. The
 * queue treats '' like a bucket.
 */
export function bucketOf({ request }: { readonly request: object }): string {
  return 'bucket' in request ? String(request.bucket) : '';
}
