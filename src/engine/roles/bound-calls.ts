/** What every call of a store is made with: the engine's parts, and in whose name. */

import type { Action } from '../../object-store/action.ts';
import type { Caller } from '../../object-store/caller.ts';
import type { UploadRef } from '../../object-store/multipart.ts';
import type { ObjectRef } from '../../object-store/object-store.ts';
import { allow, type Wish } from '../access/access.ts';
import { auditFields } from '../writes/audit.ts';
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

/** Those that change what is remembered of buckets. */
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

export class BoundCalls {
  protected readonly parts: EngineParts;
  readonly #caller: Caller;

  constructor(parts: EngineParts, caller: Caller) {
    this.parts = parts;
    this.#caller = caller;
  }

  /** As of now, since policies may ask for the time. */
  protected get caller(): Caller {
    return { ...this.#caller, askedAt: this.parts.clock.now() };
  }

  /** Throws `NoSuchBucket` or `AccessDenied`. */
  protected bucket(name: string, action: Action, about: Omit<Wish, 'action'> = {}): BucketRow {
    const bucket = existingBucket(this.parts.reader, name);
    allow(this.caller, bucket, { ...about, action });
    return bucket;
  }

  /** What the key of an object that is to be written is bound to. Throws `NoSuchBucket`. */
  protected keyPlace({ bucket, key }: { readonly bucket: string; readonly key: string }): KeyPlace {
    return { bucketId: existingBucket(this.parts.reader, bucket).bucketId, key };
  }

  /** Whether an object may be written, before its bytes are taken. Throws `NoSuchBucket` or `AccessDenied`. */
  protected allowWrite(name: string, request: AskedWrite): void {
    const { reader } = this.parts;
    const bucket = existingBucket(reader, name);
    const latest = () => reader.versions.latest(bucket.bucketId, request.key);
    allowWrite(this.caller, bucket, request, latest);
  }

  /** An upload that may be used so; undefined for one that is not open. Throws `NoSuchBucket` or `AccessDenied`. */
  protected upload(
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

  protected configure(bucket: string, config: Omit<PutBucketConfig, 'bucket'>): Promise<void> {
    return this.changeBucket('putBucketConfig', { bucket, ...config });
  }

  protected async changeBucket<Name extends BucketCommand>(
    name: Name,
    request: Commands[Name]['request'],
  ): Promise<Commands[Name]['result']> {
    try {
      return await this.run(name, request);
    } finally {
      this.parts.reader.forgetBuckets();
    }
  }

  protected async run<Name extends CommandName>(
    name: Name,
    request: Commands[Name]['request'],
  ): Promise<Commands[Name]['result']> {
    const context: CommandContext = {
      caller: this.caller,
      now: this.parts.clock.now(),
      ...this.parts.trustedTime.read(),
    };
    const result = await this.parts.writer.run(name, request, context);
    this.parts.changes.committed(name, request, this);
    const audit = auditFields(name, request, this.#caller);
    if (audit) this.parts.logger.info(audit, `${name}: done`);
    return result;
  }
}
