/** Implements `AccessKeeper` for one caller: ACLs, bucket policies and public access blocks. */

import { principalId } from '../../base/principal.ts';
import type * as Access from '../../object-store/access.ts';
import type { ObjectRef } from '../../object-store/object-store.ts';
import { checkNewPolicy, parsePolicy } from '../../object-store/rules/access/parse-policy.ts';
import type { PublicAccessBlock } from '../../object-store/rules/access/public-access.ts';
import { isPublicAcl, shownGrants } from '../../object-store/rules/access/requested-acl.ts';
import { checkKey } from '../../object-store/rules/naming.ts';
import { StorageError } from '../../object-store/storage-error.ts';
import { allow } from '../access/access.ts';
import { parseAcl } from '../schema/acl-text.ts';
import type { CallerContext } from './caller-context.ts';
import { RowAccess } from '../access/bucket-access.ts';
import type { BucketTarget } from '../writes/commands/commands.ts';
import { existingBucket } from '../reads/read-object.ts';
import type { BucketRow } from '../schema/rows.ts';
import { existingVersion, findVersion } from '../schema/version-lookup.ts';

export class EngineAccess implements Access.AccessKeeper {
  readonly #context: CallerContext;

  constructor(context: CallerContext) {
    this.#context = context;
  }

  async getBucketAcl({ bucket: name }: BucketTarget): Promise<Access.AccessControlList> {
    const bucket = this.#context.bucket(name, 'GetBucketAcl');
    const owner = principalId(bucket);
    return { owner, grants: shownGrants(new RowAccess(bucket).acl, owner) };
  }

  async putBucketAcl({ bucket, acl }: BucketTarget & WithAcl): Promise<void> {
    return this.#context.changeBucket('putBucketAcl', {
      bucket,
      acl: this.#context.resolveAcl(acl),
    });
  }

  async getObjectAcl(ref: ObjectRef): Promise<Access.AccessControlList> {
    const { reader } = this.#context.parts;
    const { key, versionId } = ref;
    const bucket = existingBucket(reader, ref.bucket);
    checkKey(key);
    const version = findVersion(reader.versions, bucket.bucketId, ref);
    const action = versionId === undefined ? 'GetObjectAcl' : 'GetObjectVersionAcl';
    const asked = () => ({ 's3:versionid': versionId });
    allow(this.#context.caller, bucket, { action, key, version, asked });
    const { owner, acl } = existingVersion('read access of', ref, version);
    return { owner, grants: shownGrants(parseAcl(acl), owner) };
  }

  async putObjectAcl({ acl, ...ref }: ObjectRef & WithAcl): Promise<void> {
    checkKey(ref.key);
    return this.#context.run('putObjectAcl', { ...ref, acl: this.#context.resolveAcl(acl) });
  }

  async getBucketPolicy({ bucket }: BucketTarget): Promise<string> {
    return policyOf(this.#context.bucket(bucket, 'GetBucketPolicy'));
  }

  async putBucketPolicy({
    bucket,
    policy,
  }: BucketTarget & { readonly policy: string }): Promise<void> {
    this.#context.bucket(bucket, 'PutBucketPolicy');
    checkNewPolicy(parsePolicy(policy, bucket), this.#context.parts.grantees);
    return this.#context.changeBucket('putBucketPolicy', { bucket, policy });
  }

  async deleteBucketPolicy({ bucket }: BucketTarget): Promise<void> {
    return this.#context.changeBucket('putBucketPolicy', { bucket, policy: undefined });
  }

  async isBucketPublic({ bucket: name }: BucketTarget): Promise<boolean> {
    const bucket = this.#context.bucket(name, 'GetBucketPolicyStatus');
    const { acl, policy } = new RowAccess(bucket);
    return isPublicAcl(acl) || policy?.isPublic === true;
  }

  async getPublicAccessBlock({ bucket }: BucketTarget): Promise<PublicAccessBlock> {
    const row = this.#context.bucket(bucket, 'GetBucketPublicAccessBlock');
    const { publicAccessBlock } = new RowAccess(row);
    if (publicAccessBlock) return publicAccessBlock;
    throw new StorageError(
      'NoSuchPublicAccessBlockConfiguration',
      `read public access block of ${bucket}: it is not set`,
      { details: { BucketName: bucket } },
    );
  }

  async putPublicAccessBlock({
    bucket,
    block,
  }: BucketTarget & { readonly block: PublicAccessBlock }): Promise<void> {
    return this.#context.changeBucket('putPublicAccessBlock', { bucket, block });
  }

  async deletePublicAccessBlock({ bucket }: BucketTarget): Promise<void> {
    return this.#context.changeBucket('putPublicAccessBlock', { bucket, block: undefined });
  }
}

interface WithAcl {
  readonly acl: Access.AclRequest;
}

/** Returns the bucket's policy exactly as it was put. Throws `NoSuchBucketPolicy` if the bucket has none. */
function policyOf({ name, policy }: BucketRow): string {
  if (policy !== null) return policy;
  throw new StorageError('NoSuchBucketPolicy', `read policy of ${name}: the bucket has none`, {
    details: { BucketName: name },
  });
}
