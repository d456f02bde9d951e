/**
 * Provides what all roles of a caller's store need: the engine's components, the caller, permission checks, and a way
 * to run commands for the caller.
 */

import { audit } from '../../base/audit.ts';
import type { LogFields } from '../../base/logger.ts';
import { principalId } from '../../base/principal.ts';
import type { AclRequest } from '../../object-store/access.ts';
import type { Action } from '../../object-store/action.ts';
import type { Caller } from '../../object-store/caller.ts';
import type { UploadRef } from '../../object-store/multipart.ts';
import type { ObjectRef } from '../../object-store/object-store.ts';
import { resolveAcl, type ResolvedAcl } from '../../object-store/rules/access/requested-acl.ts';
import { allow, type AuthorizationRequest } from '../access/access.ts';
import type {
  CommandContext,
  CommandName,
  Commands,
  PutBucketConfig,
} from '../writes/commands/commands.ts';
import type { KeyPlace } from '../encryption/object-key.ts';
import type { EngineParts } from './engine-parts.ts';
import { existingBucket } from '../reads/read-object.ts';
import type { BucketRow, UploadRow } from '../schema/rows.ts';
import { allowUpload, allowWrite, type AskedWrite } from '../access/write-access.ts';

/** The commands that change a bucket, so that the bucket cache must be cleared after them. */
type BucketCommand =
  | 'createBucket'
  | 'deleteBucket'
  | 'putBucketAcl'
  | 'putBucketConfig'
  | 'putBucketPolicy'
  | 'putLockConfiguration'
  | 'putPublicAccessBlock'
  | 'putVersioning';

export interface UsedUpload {
  readonly bucketId: number;
  readonly upload: UploadRow | undefined;
}

export class CallerContext {
  readonly parts: EngineParts;
  readonly #caller: Caller;

  constructor(parts: EngineParts, caller: Caller) {
    this.parts = parts;
    this.#caller = caller;
  }

  /** Returns the caller with the current time, because policy conditions can depend on the time. */
  get caller(): Caller {
    return { ...this.#caller, askedAt: this.parts.clock.now() };
  }

  /** Returns a bucket if the caller may perform the action on it. Throws `NoSuchBucket` or `AccessDenied`. */
  bucket(
    name: string,
    action: Action,
    about: Omit<AuthorizationRequest, 'action'> = {},
  ): BucketRow {
    const bucket = existingBucket(this.parts.reader, name);
    allow(this.caller, bucket, { ...about, action });
    return bucket;
  }

  /** Returns the bucket ID and the key to which the encryption key of a new object is bound. Throws `NoSuchBucket`. */
  keyPlace({ bucket, key }: { readonly bucket: string; readonly key: string }): KeyPlace {
    return { bucketId: existingBucket(this.parts.reader, bucket).bucketId, key };
  }

  /**
   * Checks the permission to write an object before the object's body is read. Throws `NoSuchBucket` or `AccessDenied`.
   */
  allowWrite(name: string, request: AskedWrite): void {
    const { reader } = this.parts;
    const bucket = existingBucket(reader, name);
    const latest = () => reader.versions.latest(bucket.bucketId, request.key);
    allowWrite(this.caller, bucket, request, latest);
  }

  /**
   * Returns a multipart upload if the caller may perform the action on it. `upload` is undefined if the upload is not
   * open. Throws `NoSuchBucket` or `AccessDenied`.
   */
  upload(
    ref: UploadRef & { readonly source?: ObjectRef | undefined },
    action: 'ListMultipartUploadParts' | 'PutObject',
  ): UsedUpload {
    const { reader, uploads } = this.parts;
    const { key, source } = ref;
    const bucket = existingBucket(reader, ref.bucket);
    const upload = uploads.ifAny(bucket.bucketId, ref);
    const latest = () => reader.versions.latest(bucket.bucketId, key);
    allowUpload(this.caller, bucket, { action, key, upload, latest, source });
    return { bucketId: bucket.bucketId, upload };
  }

  /** Stores or deletes one of a bucket's configuration documents. */
  configure(bucket: string, config: Omit<PutBucketConfig, 'bucket'>): Promise<void> {
    return this.changeBucket('putBucketConfig', { bucket, ...config });
  }

  /** Runs a command that changes a bucket, and then clears the bucket cache, even if the command failed. */
  async changeBucket<Name extends BucketCommand>(
    name: Name,
    request: Commands[Name]['request'],
  ): Promise<Commands[Name]['result']> {
    try {
      return await this.run(name, request);
    } finally {
      this.parts.reader.buckets.forget(request.bucket);
    }
  }

  /**
   * Returns the ACL of a request with the ID of each grantee. Throws the errors of `resolveAcl` in requested-acl.ts.
   */
  resolveAcl(acl: AclRequest): ResolvedAcl {
    return resolveAcl(acl, this.parts.grantees);
  }

  /**
   * Runs a command for the caller and returns its result. Then notifies the change monitors of other callers, and
   * writes the command to the audit log if necessary.
   */
  async run<Name extends CommandName>(
    name: Name,
    request: Commands[Name]['request'],
  ): Promise<Commands[Name]['result']> {
    const context: CommandContext = {
      caller: this.caller,
      now: this.parts.clock.now(),
      ...this.parts.trustedTime.read(),
    };
    const result = await this.parts.writer.run(name, request, context);
    this.parts.changes.committed(name, { request, result }, this);
    audit(this.parts.logger, name, { request, by: () => fieldsOf(this.#caller) });
    return result;
  }
}

/** Returns the fields that identify the caller in a log line. */
function fieldsOf({ principal, sourceIp, authType }: Caller): LogFields {
  const by = principal.kind === 'user' ? principalId(principal) : principal.kind;
  return { by, sourceIp, authType };
}
