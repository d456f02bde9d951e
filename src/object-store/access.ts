/**
 * Declares the operations on the ACLs of buckets and objects, on bucket policies and on public access blocks (semantics
 * B.5, B.6).
 */

import type { CallOptions, ObjectRef } from './object-store.ts';
import type { CannedAcl } from './rules/access/canned-acl.ts';
import type { Grant, Permission } from './rules/access/acl.ts';
import type { PublicAccessBlock } from './rules/access/public-access.ts';

export interface AccessControlList {
  /** Storage user id of the owner. The owner and the owner's project have all permissions, whatever the grants are. */
  readonly owner: string;
  readonly grants: readonly Grant[];
}

/** A grant to a project that is identified by its e-mail address. The caller need not know the project's id. */
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
 * Requests for ACLs, policies and public access blocks. An ACL with more than 100 grants is rejected with `LimitExceeded`,
 * and one with a grant to a user or project that does not exist with `InvalidArgument`. Without a version id, a request
 * applies to the current version of the object. A delete marker has no ACL: a request for it rejects with
 * `MethodNotAllowed`.
 */
export interface AccessKeeper {
  getBucketAcl(request: BucketRef, options?: CallOptions): Promise<AccessControlList>;
  /**
   * Rejects with `AccessDenied` if the ACL has another owner, or if it grants a group a permission while the bucket blocks
   * public ACLs.
   */
  putBucketAcl(
    request: BucketRef & { readonly acl: AclRequest },
    options?: CallOptions,
  ): Promise<void>;
  getObjectAcl(request: ObjectRef, options?: CallOptions): Promise<AccessControlList>;
  putObjectAcl(
    request: ObjectRef & { readonly acl: AclRequest },
    options?: CallOptions,
  ): Promise<void>;
  /** Returns the document as it was put. Rejects with `NoSuchBucketPolicy` if the bucket has no policy. */
  getBucketPolicy(request: BucketRef, options?: CallOptions): Promise<string>;
  /** Rejects with `MalformedPolicy` if the document is invalid. In that case, the previous policy remains. */
  putBucketPolicy(
    request: BucketRef & { readonly policy: string },
    options?: CallOptions,
  ): Promise<void>;
  deleteBucketPolicy(request: BucketRef, options?: CallOptions): Promise<void>;
  /**
   * Returns whether the ACL or the policy makes the bucket public. If the bucket has no policy, AWS rejects with
   * `NoSuchBucketPolicy`.
   */
  isBucketPublic(request: BucketRef, options?: CallOptions): Promise<boolean>;
  /** Rejects with `NoSuchPublicAccessBlockConfiguration` if the bucket has none. */
  getPublicAccessBlock(request: BucketRef, options?: CallOptions): Promise<PublicAccessBlock>;
  putPublicAccessBlock(
    request: BucketRef & { readonly block: PublicAccessBlock },
    options?: CallOptions,
  ): Promise<void>;
  deletePublicAccessBlock(request: BucketRef, options?: CallOptions): Promise<void>;
}
