/** Access control lists: who they give rights to, and which (specification, "Access rights (ACL)"; semantics B.5). */

import { type Principal, principalId, projectId } from '../../../base/principal.ts';
import type { Right } from '../../action.ts';

export type Permission = Right | 'FULL_CONTROL';

export const PERMISSIONS: readonly Permission[] = [
  'READ',
  'WRITE',
  'READ_ACP',
  'WRITE_ACP',
  'FULL_CONTROL',
];

/** Anonymous users, which is everyone, and any user who authenticated. */
export const GROUPS = ['AllUsers', 'AuthenticatedUsers'] as const;
type Group = (typeof GROUPS)[number];

export interface Grant {
  /** A user (`project:user@customer`), a project (`project@customer`), or a group by its name, which has no `@`. */
  readonly grantee: string;
  readonly permission: Permission;
}

export function isGroup(grantee: string): grantee is Group {
  return (GROUPS as readonly string[]).includes(grantee);
}

/** Whether the principal is the grantee, or one of its users. A link is nobody: it has what it was made for. */
export function isGrantee(principal: Principal, grantee: string): boolean {
  if (grantee === 'AllUsers') return principal.kind !== 'link';
  if (principal.kind !== 'user') return false;
  if (grantee === 'AuthenticatedUsers') return true;
  return grantee === principalId(principal) || grantee === projectId(principal);
}

/** The first grant that gives the principal this right; FULL_CONTROL is all four. */
export function grantOf(
  acl: readonly Grant[] | undefined,
  principal: Principal,
  { right, ignoreGroups }: { readonly right: Right; readonly ignoreGroups: boolean },
): Grant | undefined {
  return acl?.find(
    ({ grantee, permission }) =>
      (permission === right || permission === 'FULL_CONTROL') &&
      !(ignoreGroups && isGroup(grantee)) &&
      isGrantee(principal, grantee),
  );
}
