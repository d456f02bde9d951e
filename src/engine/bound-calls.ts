/** What every call of a store is made with: the engine's parts, and in whose name. */

import { defined } from '../base/defined.ts';
import type { Action } from '../object-store/action.ts';
import type { Caller } from '../object-store/caller.ts';
import { allow } from './access.ts';
import type { CommandContext, CommandName, Commands, PutBucketConfig } from './commands.ts';
import type { KeyPlace } from './encryption/object-key.ts';
import type { EngineParts } from './engine-parts.ts';
import { existingBucket } from './read-object.ts';
import type { BucketRow } from './rows.ts';

/** Those that change what is remembered of buckets. */
type BucketCommand =
  | 'createBucket'
  | 'deleteBucket'
  | 'putBucketConfig'
  | 'putLockConfiguration'
  | 'putVersioning';

export class BoundCalls {
  protected readonly parts: EngineParts;
  protected readonly caller: Caller;

  constructor(parts: EngineParts, caller: Caller) {
    this.parts = parts;
    this.caller = caller;
  }

  /** Throws `NoSuchBucket` or `AccessDenied`. */
  protected bucket(name: string, action: Action, key?: string): BucketRow {
    const bucket = existingBucket(this.parts.reader, name);
    allow(this.caller, bucket, defined({ action, key }));
    return bucket;
  }

  /** What the key of an object that is to be written is bound to. Throws as `bucket`. */
  protected keyPlace({ bucket, key }: { readonly bucket: string; readonly key: string }): KeyPlace {
    return { bucketId: this.bucket(bucket, 'PutObject', key).bucketId, key };
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

  protected run<Name extends CommandName>(
    name: Name,
    request: Commands[Name]['request'],
  ): Promise<Commands[Name]['result']> {
    const context: CommandContext = {
      caller: this.caller,
      now: this.parts.clock.now(),
      ...this.parts.trustedTime.read(),
    };
    return this.parts.writer.run(name, request, context);
  }
}
