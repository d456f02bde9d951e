/** Declares the commands of the writer thread. Their requests and results are plain data, because they cross threads. */

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

/** The values of a new version or upload that its request sets. Strings are JSON, as they are stored. */
export interface Description {
  readonly attributes?: string | undefined;
  readonly acl?: ResolvedAcl | undefined;
  readonly tags?: readonly Tag[] | undefined;
  readonly encryption?: string | undefined;
  /**
   * The id of the bucket that the bytes were encrypted for. They cannot be decrypted in another bucket. Absent for
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

/** Sets the maximum number of buckets of a project. If `buckets` is absent, the default applies again. */
export interface PutProjectQuota extends ProjectNames {
  readonly buckets?: number | undefined;
}

export interface PutVersioning extends BucketTarget {
  readonly versioning: Versioning;
}

/** `document: undefined` removes the configuration. */
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

/** `policy: undefined` removes the policy. */
export interface PutBucketPolicy extends BucketTarget {
  readonly policy: string | undefined;
}

/** `block: undefined` removes the public access block. */
export interface PutPublicAccessBlock extends BucketTarget {
  readonly block: PublicAccessBlock | undefined;
}

export type PutLockConfiguration = PutLockConfigurationRequest;

export interface PutRetention extends PutRetentionRequest {
  readonly bypassGovernance: boolean;
}

export type PutLegalHold = PutLegalHoldRequest;

/** If `tags` is absent, all tags are removed. */
export interface PutObjectTags extends ObjectRef {
  readonly tags?: readonly Tag[] | undefined;
}

export type TaggedVersion = Omit<ObjectTags, 'tags'>;

export interface PutObject extends ObjectTarget, Description, Conditional {
  readonly content: Content;
}

/** Many small objects, whose bodies are transferred as one buffer. */
export interface PutObjects extends BucketTarget {
  readonly objects: readonly PackedObject[];
  /** The concatenated bodies, in the order of the objects. */
  readonly bytes: Uint8Array<ArrayBuffer>;
}

export interface PackedObject extends Omit<PutObject, 'bucket' | 'content'> {
  readonly content: Packed<InlineContent> | Packed<SealedContent>;
}

type Packed<C extends InlineContent | SealedContent> = Omit<C, 'bytes'> & {
  readonly packedBytes: number;
};

/** The result or the error that a put of the object alone would return. */
export type PutOutcome = PutObjectResult | Refusal;

export interface CopyObject extends ObjectTarget, Description, Conditional {
  readonly statesCopy?: true | undefined;
  readonly websiteRedirect?: string | undefined;
  readonly source: ObjectRef;
  readonly sourceConditions?: ReadConditions | undefined;
  /** If absent, the copy has the checksum of its source. */
  readonly checksumAlgorithm?: ChecksumAlgorithm | undefined;
  /** The checksum with that algorithm, and the sequence of the version that it was calculated for. */
  readonly calculated?: { readonly sequence: number; readonly checksum: Checksum } | undefined;
  /** Present if the source or the copy is encrypted. */
  readonly prepared?: PreparedCopy | undefined;
}

/** The preparation of a copy, and the sequence of the source version that it was prepared for. */
export interface PreparedCopy {
  readonly sequence: number;
  /** The bytes, encrypted or decrypted for the copy. If absent, the copy shares those of the source. */
  readonly parts?: readonly CopiedPart[];
}

export interface CopiedPart {
  /** The part number of the source, or 0 if the source was not uploaded in parts. */
  readonly partNumber: number;
  readonly checksum: string | null;
  readonly content: Content;
}

export interface DeleteObject extends ObjectRef {
  /** The number of the bulk delete that the command belongs to. Absent for a single delete. */
  readonly bulk?: number | undefined;
  readonly conditions?: DeleteConditions | undefined;
  readonly bypassGovernance: boolean;
}

export interface CreateUpload extends ObjectTarget, Description, UploadChecksum {}

export interface PutPart extends UploadRef {
  readonly partNumber: number;
  readonly content: Content;
  /** The source of a copied part. */
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

/** The caller and the time of a command. The writer thread reads no clock of its own. */
export interface CommandContext extends TrustedInstant {
  readonly caller: Caller;
  /** The wall time in milliseconds since 1970. Locks depend on `trustedNow`. */
  readonly now: number;
}

/** A command as it is sent to the writer thread. */
export interface Envelope<Name extends CommandName = CommandName> extends CommandContext {
  readonly id: number;
  readonly name: Name;
  readonly request: Commands[Name]['request'];
}

/** Returns the number of bytes of the bodies in the request. */
export function carriedBytes(request: Envelope['request']): number {
  if ('objects' in request) return request.bytes.byteLength;
  if (!('content' in request) || request.content.kind === 'file') return 0;
  return request.content.bytes.byteLength;
}

/**
 * Returns the buffer that is transferred to the writer thread: that of an unencrypted body, or of all bodies of a bulk
 * write. Returns undefined for an encrypted body and for a buffer with other bytes, which are copied.
 */
export function movableBuffer(request: Envelope['request']): ArrayBuffer | undefined {
  if ('objects' in request) return request.bytes.buffer;
  if (!('content' in request) || request.content.kind !== 'inline') return undefined;
  const { buffer, byteLength } = request.content.bytes;
  return buffer instanceof ArrayBuffer && buffer.byteLength === byteLength ? buffer : undefined;
}

/** Returns the number of commands that the request counts as. A bulk write counts as a put of each of its objects. */
export function weightOf(request: Envelope['request']): number {
  return 'objects' in request ? request.objects.length : 1;
}

/**
 * Returns the bucket of the command, or '' for a command of the engine itself, which applies to no bucket. Such commands
 * are queued as if '' were a bucket.
 */
export function bucketOf({ request }: { readonly request: object }): string {
  return 'bucket' in request ? String(request.bucket) : '';
}
