/** Converts the ACL in a request to the ACL that is stored (semantics B.5). */

import type { Grantees } from '../../../base/grantees.ts';
import { parseStorageId } from '../../../base/principal.ts';
import type { AclRequest } from '../../access.ts';
import { StorageError } from '../../storage-error.ts';
import { type Grant, isGroup } from './acl.ts';
import { cannedGrants, type Owners } from './canned-acl.ts';
import type { PublicAccessBlock } from './public-access.ts';

/** The protocol's maximum number of grants in an ACL. */
const MAX_GRANTS = 100;

/** An ACL whose grantees exist and are identified by their IDs. */
export type ResolvedAcl = Extract<AclRequest, { readonly canned: unknown }> | ResolvedGrants;

interface ResolvedGrants {
  readonly grants: readonly Grant[];
  readonly owner?: string;
}

/**
 * Returns the ACL with the IDs of its grantees. Throws LimitExceeded for too many grants, InvalidArgument for an
 * invalid or unknown grantee, and UnresolvableGrantByEmailAddress for an unknown email address.
 */
export function resolveAcl(request: AclRequest, grantees: Grantees): ResolvedAcl {
  if ('canned' in request) return request;
  const { grants } = request;
  if (grants.length > MAX_GRANTS) {
    throw new StorageError(
      'LimitExceeded',
      `put access control list: it has ${grants.length} grants; the limit is ${MAX_GRANTS}`,
    );
  }
  return { ...request, grants: grants.map((grant) => resolveGrant(grant, grantees)) };
}

function resolveGrant(
  grant: Extract<AclRequest, { readonly grants: unknown }>['grants'][number],
  grantees: Grantees,
): Grant {
  const { permission } = grant;
  if ('emailAddress' in grant) {
    const grantee = grantees.findByEmail(grant.emailAddress);
    if (grantee !== undefined) return { grantee, permission };
    throw new StorageError(
      'UnresolvableGrantByEmailAddress',
      'put access control list: no project has this e-mail address',
      { details: { EmailAddress: grant.emailAddress } },
    );
  }
  const { grantee } = grant;
  if (isGroup(grantee)) return { grantee, permission };
  const isId = parseStorageId(grantee) !== undefined;
  if (isId && grantees.exists(grantee)) return { grantee, permission };
  const reason = isId
    ? 'this user or project does not exist'
    : 'a grantee is project:user@customer or project@customer';
  throw new StorageError(
    'InvalidArgument',
    `put access control list: Invalid id ${grantee}; ${reason}`,
    { details: { ArgumentName: 'CanonicalUser/ID', ArgumentValue: grantee } },
  );
}

/**
 * Returns the grants to store; undefined for the canned ACL `private`. Throws AccessDenied if the owner in the request
 * is not the current owner.
 */
export function keptGrants(request: ResolvedAcl, owners: Owners): readonly Grant[] | undefined {
  if ('canned' in request) {
    return request.canned === 'private' ? undefined : cannedGrants(request.canned, owners);
  }
  const { owner, grants } = request;
  if (owner === undefined || owner === owners.owner) return grants;
  throw new StorageError('AccessDenied', 'put access control list: the owner cannot be changed');
}

/** Returns whether the ACL grants a permission to a group. Both groups are public, because everyone can be a member. */
export function isPublicAcl(grants: readonly Grant[] | undefined): boolean {
  return grants?.some(({ grantee }) => isGroup(grantee)) === true;
}

/** Throws AccessDenied if the ACL is public and the bucket blocks public ACLs. */
export function refusePublicAcl(
  grants: readonly Grant[] | undefined,
  block: PublicAccessBlock | undefined,
): void {
  if (!block?.blockPublicAcls || !isPublicAcl(grants)) return;
  throw new StorageError(
    'AccessDenied',
    "put access control list: the bucket's public access block rejects public ACLs",
  );
}

/**
 * Returns the grants in the order in which Ceph RGW returns them, with groups first. If no ACL is stored, returns the
 * grants of the canned ACL `private`.
 */
export function shownGrants(grants: readonly Grant[] | undefined, owner: string): readonly Grant[] {
  const shown = grants ?? cannedGrants('private', { owner });
  const [groups, users] = [true, false].map((isOfGroup) =>
    shown.filter(({ grantee }) => isGroup(grantee) === isOfGroup),
  );
  return [...(groups ?? []), ...(users ?? [])];
}
