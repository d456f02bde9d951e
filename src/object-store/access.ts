/** Reads and sets the ACLs of buckets and objects, bucket policies and public access blocks (semantics B.5, B.6). */

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
 * An ACL has up to 100 grants (`LimitExceeded`), to users and projects that exist (`InvalidArgument`). Without a version
 * id, a request applies to the current version of the object. A delete marker has no ACL (`MethodNotAllowed`).
 */
export interface AccessKeeper {
  getBucketAcl(request: BucketRef, options?: CallOptions): Promise<AccessControlList>;
  /** `AccessDenied` for another owner, and for a grant to a group while the bucket blocks public ACLs. */
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
  /** Whether the ACL or the policy grants everyone a permission. AWS rejects with `NoSuchBucketPolicy` without a policy. */
  isBucketPublic(request: BucketRef, options?: CallOptions): Promise<boolean>;
  /** `NoSuchPublicAccessBlockConfiguration` if none was set. */
  getPublicAccessBlock(request: BucketRef, options?: CallOptions): Promise<PublicAccessBlock>;
  putPublicAccessBlock(
    request: BucketRef & { readonly block: PublicAccessBlock },
    options?: CallOptions,
  ): Promise<void>;
  deletePublicAccessBlock(request: BucketRef, options?: CallOptions): Promise<void>;
}
