/** Administration of the groups of a project. The members of a group with full access have full access. */

import type { ProjectNames, UserNames } from '../base/principal.ts';

export interface GroupNames extends ProjectNames {
  readonly group: string;
}

export interface ListedGroup extends GroupNames {
  readonly fullAccess: boolean;
  readonly users: readonly string[];
}

/**
 * Changes are durable when they return, and apply from the next request. As in `UserAdmin`, a change that would take the last
 * full access from a project throws IdentityError `Conflict`.
 */
export interface GroupAdmin {
  /** Sorted by customer, project and name. */
  listGroups(): readonly ListedGroup[];
  /** Throws IdentityError `NotFound` for an unknown project, `Conflict` if the group exists. */
  addGroup(group: GroupNames & { readonly fullAccess: boolean }): void;
  /** Throws IdentityError `NotFound`, as do all methods below. */
  removeGroup(group: GroupNames): void;
  grantGroup(group: GroupNames, fullAccess: boolean): void;
  /** `user` must belong to the same project. */
  setMember(group: GroupNames, user: UserNames['user'], member: boolean): void;
}
