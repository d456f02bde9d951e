/**
 * Implements `BucketAdmin` and `BucketConfig` for one caller: creates, lists, describes and deletes buckets, and sets
 * their versioning.
 */

import { defined } from '../../base/defined.ts';
import { principalId, projectId } from '../../base/principal.ts';
import type * as Buckets from '../../object-store/buckets.ts';
import { checkBucketName } from '../../object-store/rules/naming.ts';
import { allow, decide } from '../access/access.ts';
import { namelessDenied } from '../disk/refusals.ts';
import { existingBucket } from '../reads/read-object.ts';
import type { CallerContext } from './caller-context.ts';

export class EngineBuckets implements Buckets.BucketAdmin, Buckets.BucketConfig {
  readonly #context: CallerContext;

  constructor(context: CallerContext) {
    this.#context = context;
  }

  async createBucket(request: Buckets.CreateBucketRequest): Promise<void> {
    const { bucket, objectLockEnabled = false } = request;
    checkBucketName(bucket);
    const acl = request.acl && this.#context.resolveAcl(request.acl);
    return this.#context.changeBucket('createBucket', { bucket, objectLockEnabled, acl });
  }

  async deleteBucket({ bucket }: { readonly bucket: string }): Promise<void> {
    return this.#context.changeBucket('deleteBucket', { bucket });
  }

  async headBucket({ bucket }: { readonly bucket: string }): Promise<Buckets.BucketHead> {
    const row = this.#context.bucket(bucket, 'ListBucket');
    const { bucketId } = row;
    const { reader, quotas } = this.#context.parts;
    const { principal } = this.#context.caller;
    const isOwn = principal.kind === 'user' && projectId(principal) === projectId(row);
    const limits = isOwn ? quotas.limitsOf(row) : undefined;
    return defined({ owner: principalId(row), usage: reader.usage(bucketId), limits });
  }

  async listBuckets(): Promise<readonly Buckets.ListedBucket[]> {
    const { principal } = this.#context.caller;
    if (principal.kind !== 'user') throw namelessDenied('list buckets');
    const buckets = this.#context.parts.reader.bucketsOf(principal);
    return buckets.map(({ name, createdAt }) => ({ name, createdAt }));
  }

  async getBucketLocation({ bucket }: { readonly bucket: string }): Promise<string> {
    const row = existingBucket(this.#context.parts.reader, bucket);
    // Clients request the bucket's location before they list it, so permission to list is sufficient (semantics B.2).
    const { by } = decide(this.#context.caller, row, { action: 'GetBucketLocation' });
    const action = by.kind === 'nothing' ? 'ListBucket' : 'GetBucketLocation';
    allow(this.#context.caller, row, { action });
    return this.#context.parts.region;
  }

  async getVersioning({
    bucket,
  }: {
    readonly bucket: string;
  }): Promise<Buckets.Versioning | undefined> {
    return this.#context.bucket(bucket, 'GetBucketVersioning').versioning ?? undefined;
  }

  async putVersioning(request: {
    readonly bucket: string;
    readonly versioning: Buckets.Versioning;
  }): Promise<void> {
    return this.#context.changeBucket('putVersioning', request);
  }
}
