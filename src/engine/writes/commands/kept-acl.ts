/** Checks the ACL in a request, and converts it to the form in which it is stored. */

import { principalId } from '../../../base/principal.ts';
import {
  keptGrants,
  refusePublicAcl,
  type ResolvedAcl,
} from '../../../object-store/rules/access/requested-acl.ts';
import { formatAcl } from '../../schema/acl-text.ts';
import { RowAccess } from '../../access/bucket-access.ts';
import type { BucketRow } from '../../schema/rows.ts';

/**
 * Returns the ACL to store for an object of this owner. Throws `AccessDenied` if the ACL names another owner, or if it
 * is public while the bucket blocks public ACLs.
 */
export function keptAcl(
  request: ResolvedAcl | undefined,
  bucket: BucketRow,
  owner: string,
): string | null {
  if (request === undefined) return null;
  return checked(request, bucket, { owner, bucketOwner: principalId(bucket) });
}

/** Returns the ACL to store for a bucket. Throws the errors of `keptAcl`. */
export function keptBucketAcl(request: ResolvedAcl, bucket: BucketRow): string | null {
  return checked(request, bucket, { owner: principalId(bucket) });
}

function checked(
  request: ResolvedAcl,
  bucket: BucketRow,
  owners: Parameters<typeof keptGrants>[1],
): string | null {
  const grants = keptGrants(request, owners);
  refusePublicAcl(grants, new RowAccess(bucket).publicAccessBlock);
  return formatAcl(grants);
}
