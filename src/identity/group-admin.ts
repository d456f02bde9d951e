/** What a command may do with the groups of a project: who is in one that has full access has it too. */

import type { ProjectNames, UserNames } from '../base/principal.ts';

export interface GroupNames extends ProjectNames {
  readonly group: string;
}

export interface ListedGroup extends GroupNames {
  readonly fullAccess: boolean;
  readonly users: readonly string[];
}

/** Changes hold from the next request on, and are bound to keep a project's last full access as users' are. */
export interface GroupAdmin {
  /** By customer, project and name. */
  listGroups(): readonly ListedGroup[];
  /** Throws IdentityError `NotFound` for the project, `Conflict` for a group that is there. */
  addGroup(group: GroupNames & { readonly fullAccess: boolean }): void;
  /** Throws IdentityError `NotFound`, as all that follow do. */
  removeGroup(group: GroupNames): void;
  grantGroup(group: GroupNames, fullAccess: boolean): void;
  /** A user of the same project. */
  setMember(group: GroupNames, user: UserNames['user'], member: boolean): void;
}
