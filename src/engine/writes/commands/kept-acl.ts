/** Checks a requested ACL, and converts it to the form in which it is stored. */

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
 * Returns the stored ACL of an object of this owner in the bucket. Throws `AccessDenied` for an ACL that names another
 * owner, and for a public ACL while the bucket blocks public ACLs.
 */
export function keptAcl(
  request: ResolvedAcl | undefined,
  bucket: BucketRow,
  owner: string,
): string | null {
  if (request === undefined) return null;
  return checked(request, bucket, { owner, bucketOwner: principalId(bucket) });
}

/** Returns the stored ACL of the bucket. Throws as `keptAcl`. */
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
