/** Rights of others on buckets and objects: the role, and what goes in and comes out (semantics B.5, B.6). */

import type { CallOptions, ObjectRef } from './object-store.ts';
import type { CannedAcl } from './rules/access/canned-acl.ts';
import type { Grant, Permission } from './rules/access/acl.ts';
import type { PublicAccessBlock } from './rules/access/public-access.ts';

export interface AccessControlList {
  /** Storage user id. Whatever the grants are, the owner and the owner's project have full rights. */
  readonly owner: string;
  readonly grants: readonly Grant[];
}

/** By the e-mail of a project, where its id is not known. */
export interface EmailGrant {
  readonly emailAddress: string;
  readonly permission: Permission;
}

/** What a list is to be: one of those that have a name, or these grants. */
export type AclRequest =
  | { readonly canned: CannedAcl }
  | {
      readonly grants: readonly (EmailGrant | Grant)[];
      /** Where it is given, it must be who owns it already. */
      readonly owner?: string;
    };

interface BucketRef {
  readonly bucket: string;
}

/**
 * Lists name up to 100 grants (`LimitExceeded`), to users and projects that there are (`InvalidArgument`). Without a
 * version id, the current version of an object is meant; a delete marker has no list (`MethodNotAllowed`).
 */
export interface AccessKeeper {
  getBucketAcl(request: BucketRef, options?: CallOptions): Promise<AccessControlList>;
  /** `AccessDenied` for another owner, and for a group's rights while public lists are blocked. */
  putBucketAcl(
    request: BucketRef & { readonly acl: AclRequest },
    options?: CallOptions,
  ): Promise<void>;
  getObjectAcl(request: ObjectRef, options?: CallOptions): Promise<AccessControlList>;
  putObjectAcl(
    request: ObjectRef & { readonly acl: AclRequest },
    options?: CallOptions,
  ): Promise<void>;
  /** The document as it was put. `NoSuchBucketPolicy` where there is none. */
  getBucketPolicy(request: BucketRef, options?: CallOptions): Promise<string>;
  /** `MalformedPolicy` for one that cannot be read; then that of before stays. */
  putBucketPolicy(
    request: BucketRef & { readonly policy: string },
    options?: CallOptions,
  ): Promise<void>;
  deleteBucketPolicy(request: BucketRef, options?: CallOptions): Promise<void>;
  /** Whether the ACL or the policy allows everyone something. AWS rejects with `NoSuchBucketPolicy` without a policy. */
  isBucketPublic(request: BucketRef, options?: CallOptions): Promise<boolean>;
  /** `NoSuchPublicAccessBlockConfiguration` where none was set. */
  getPublicAccessBlock(request: BucketRef, options?: CallOptions): Promise<PublicAccessBlock>;
  putPublicAccessBlock(
    request: BucketRef & { readonly block: PublicAccessBlock },
    options?: CallOptions,
  ): Promise<void>;
  deletePublicAccessBlock(request: BucketRef, options?: CallOptions): Promise<void>;
}
