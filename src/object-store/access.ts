/** Defines the operations on ACLs, bucket policies and public access blocks (semantics B.5, B.6). */

import type { CallOptions, ObjectRef } from './object-store.ts';
import type { CannedAcl } from './rules/access/canned-acl.ts';
import type { Grant, Permission } from './rules/access/acl.ts';
import type { PublicAccessBlock } from './rules/access/public-access.ts';

export interface AccessControlList {
  /**
   * The storage user ID of the owner. The owner and the owner's project have all permissions, whatever the ACL grants.
   */
  readonly owner: string;
  readonly grants: readonly Grant[];
}

/** A grant to a project that is identified by its email address. For callers that do not know the project's ID. */
export interface EmailGrant {
  readonly emailAddress: string;
  readonly permission: Permission;
}

/** The ACL to set: either a canned ACL or a list of grants. */
export type AclRequest =
  | { readonly canned: CannedAcl }
  | {
      readonly grants: readonly (EmailGrant | Grant)[];
      /** The owner that the client expects. If present, it must be the current owner. */
      readonly owner?: string;
    };

interface BucketRef {
  readonly bucket: string;
}

/**
 * Reads and sets ACLs, bucket policies and public access blocks. An ACL with more than 100 grants is rejected with
 * `LimitExceeded`, and a grant to an unknown user or project with `InvalidArgument`. Without a version ID, a request
 * applies to the object's current version. A delete marker has no ACL, so a request for its ACL rejects with
 * `MethodNotAllowed`.
 */
export interface AccessKeeper {
  getBucketAcl(request: BucketRef, options?: CallOptions): Promise<AccessControlList>;
  /**
   * Sets the bucket's ACL. Rejects with `AccessDenied` if the ACL has another owner, or if it grants a permission to a
   * group while the bucket blocks public ACLs.
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
  /**
   * Returns the policy document exactly as it was put. Rejects with `NoSuchBucketPolicy` if the bucket has no policy.
   */
  getBucketPolicy(request: BucketRef, options?: CallOptions): Promise<string>;
  /**
   * Sets the bucket policy. Rejects with `MalformedPolicy` if the document is invalid; the previous policy then
   * remains.
   */
  putBucketPolicy(
    request: BucketRef & { readonly policy: string },
    options?: CallOptions,
  ): Promise<void>;
  deleteBucketPolicy(request: BucketRef, options?: CallOptions): Promise<void>;
  /**
   * Returns whether the ACL or the policy makes the bucket public. On AWS, the request rejects with
   * `NoSuchBucketPolicy` if the bucket has no policy.
   */
  isBucketPublic(request: BucketRef, options?: CallOptions): Promise<boolean>;
  /**
   * Returns the bucket's public access block. Rejects with `NoSuchPublicAccessBlockConfiguration` if the bucket has
   * none.
   */
  getPublicAccessBlock(request: BucketRef, options?: CallOptions): Promise<PublicAccessBlock>;
  putPublicAccessBlock(
    request: BucketRef & { readonly block: PublicAccessBlock },
    options?: CallOptions,
  ): Promise<void>;
  deletePublicAccessBlock(request: BucketRef, options?: CallOptions): Promise<void>;
}
