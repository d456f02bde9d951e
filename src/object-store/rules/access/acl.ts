/**
 * Defines the grantees and the permissions of ACLs, and finds the grants for a principal (specification, "Access rights
 * (ACL)"; semantics B.5).
 */

import { type Principal, principalId, projectId } from '../../../base/principal.ts';
import type { AclPermission } from '../../action.ts';

export type Permission = AclPermission | 'FULL_CONTROL';

export const PERMISSIONS: readonly Permission[] = [
  'READ',
  'WRITE',
  'READ_ACP',
  'WRITE_ACP',
  'FULL_CONTROL',
];

/**
 * The groups that can be grantees. `AllUsers` includes anonymous callers; `AuthenticatedUsers` includes every user with
 * an access key.
 */
export const GROUPS = ['AllUsers', 'AuthenticatedUsers'] as const;
type Group = (typeof GROUPS)[number];

export interface Grant {
  /**
   * The grantee: a user (`project:user@customer`), a project (`project@customer`), or the name of a group, which
   * contains no `@`.
   */
  readonly grantee: string;
  readonly permission: Permission;
}

export function isGroup(grantee: string): grantee is Group {
  return (GROUPS as readonly string[]).includes(grantee);
}

/**
 * Returns all grantees that include the principal. A presigned URL of the service is not included in any grantee,
 * because it has only the permission that it was created with.
 */
function granteesOf(principal: Principal, ignoreGroups: boolean): readonly string[] {
  if (principal.kind === 'link') return [];
  const groups = ignoreGroups ? [] : GROUPS;
  if (principal.kind === 'anonymous') return groups.slice(0, 1);
  return [principalId(principal), projectId(principal), ...groups];
}

/**
 * Returns the first grant that gives the principal this permission, or undefined. `FULL_CONTROL` includes all four
 * permissions.
 */
export function grantOf(
  acl: readonly Grant[] | undefined,
  principal: Principal,
  {
    permission: required,
    ignoreGroups,
  }: { readonly permission: AclPermission; readonly ignoreGroups: boolean },
): Grant | undefined {
  if (acl === undefined) return undefined;
  const grantees = granteesOf(principal, ignoreGroups);
  return acl.find(
    ({ grantee, permission }) =>
      (permission === required || permission === 'FULL_CONTROL') && grantees.includes(grantee),
  );
}
