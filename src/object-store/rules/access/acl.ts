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

/** Everyone, whom anonymous users are of too, and any user who authenticated. */
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

/** All that the principal is as a grantee. A link is nobody: it has what it was made for. */
function granteesOf(principal: Principal, ignoreGroups: boolean): readonly string[] {
  if (principal.kind === 'link') return [];
  const groups = ignoreGroups ? [] : GROUPS;
  if (principal.kind === 'anonymous') return groups.slice(0, 1);
  return [principalId(principal), projectId(principal), ...groups];
}

/** The first grant that gives the principal this right; FULL_CONTROL is all four. */
export function grantOf(
  acl: readonly Grant[] | undefined,
  principal: Principal,
  { right, ignoreGroups }: { readonly right: Right; readonly ignoreGroups: boolean },
): Grant | undefined {
  if (acl === undefined) return undefined;
  const grantees = granteesOf(principal, ignoreGroups);
  return acl.find(
    ({ grantee, permission }) =>
      (permission === right || permission === 'FULL_CONTROL') && grantees.includes(grantee),
  );
}
