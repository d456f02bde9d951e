/** ACLs and policies of buckets and objects: the role, its requests and its results (semantics B.5, B.6). */

import type { CallOptions, ObjectRef } from './object-store.ts';
import type { CannedAcl } from './rules/access/canned-acl.ts';
import type { Grant, Permission } from './rules/access/acl.ts';
import type { PublicAccessBlock } from './rules/access/public-access.ts';

export interface AccessControlList {
  /** Storage user id. The owner and the owner's project have all permissions, whatever the grants are. */
  readonly owner: string;
  readonly grants: readonly Grant[];
}

/** Names a project by its e-mail address, if the caller does not know its id. */
export interface EmailGrant {
  readonly emailAddress: string;
  readonly permission: Permission;
}

/** The ACL to set: a canned ACL or a list of grants. */
export type AclRequest =
  | { readonly canned: CannedAcl }
  | {
      readonly grants: readonly (EmailGrant | Grant)[];
      /** If present, it must be the current owner. */
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
  /** Returns the document as it was put. `NoSuchBucketPolicy` if the bucket has no policy. */
  getBucketPolicy(request: BucketRef, options?: CallOptions): Promise<string>;
  /** `MalformedPolicy` for an invalid document; the previous policy then remains. */
  putBucketPolicy(
    request: BucketRef & { readonly policy: string },
    options?: CallOptions,
  ): Promise<void>;
  deleteBucketPolicy(request: BucketRef, options?: CallOptions): Promise<void>;
  /** Whether the ACL or the policy allows everyone something. AWS rejects with `NoSuchBucketPolicy` without a policy. */
  isBucketPublic(request: BucketRef, options?: CallOptions): Promise<boolean>;
  /** `NoSuchPublicAccessBlockConfiguration` if none was set. */
  getPublicAccessBlock(request: BucketRef, options?: CallOptions): Promise<PublicAccessBlock>;
  putPublicAccessBlock(
    request: BucketRef & { readonly block: PublicAccessBlock },
    options?: CallOptions,
  ): Promise<void>;
  deletePublicAccessBlock(request: BucketRef, options?: CallOptions): Promise<void>;
}
