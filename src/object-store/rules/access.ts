/** Who may use a bucket: until there are ACLs, the users of its project ("Access rights": full rights). */

import { principalId, type Principal, type UserPrincipal } from '../../base/principal.ts';
import { StorageError } from '../storage-error.ts';

/** Throws `AccessDenied`. A project is named by its customer too: `project@customer`. */
export function checkAccess(
  principal: Principal,
  bucketOwner: Pick<UserPrincipal, 'project' | 'customer'>,
): void {
  if (principal.kind !== 'user') {
    throw new StorageError('AccessDenied', 'use bucket: anonymous access is not granted');
  }
  const { project, customer } = principal;
  if (project === bucketOwner.project && customer === bucketOwner.customer) return;
  throw new StorageError(
    'AccessDenied',
    `use bucket: it belongs to another project than ${project}@${customer}`,
  );
}

/**
 * Throws `AccessDenied` for all but the user who made the bucket: only the owner can delete it
 * ("Authentication" 6).
 */
export function checkOwner(
  principal: Principal,
  bucketOwner: Pick<UserPrincipal, 'project' | 'user' | 'customer'>,
): void {
  checkAccess(principal, bucketOwner);
  if (principal.kind === 'user' && principal.user === bucketOwner.user) return;
  throw new StorageError('AccessDenied', 'delete bucket: only its owner may do that');
}

/**
 * Throws `AccessDenied` for all but the owners of the bucket and of the version: only they may remove one for good
 * ("Authentication" 6), though the whole project may put a new version or a delete marker on top.
 */
export function checkVersionOwner(
  principal: Principal,
  bucketOwner: Pick<UserPrincipal, 'project' | 'user' | 'customer'>,
  versionOwner: string,
): void {
  checkAccess(principal, bucketOwner);
  if (principal.kind === 'user') {
    if (principal.user === bucketOwner.user || principalId(principal) === versionOwner) return;
  }
  throw new StorageError(
    'AccessDenied',
    "remove version: only its owner and the bucket's owner may do that",
  );
}
