/**
 * Declares the administration of the groups of projects. The members of a group with full access
 * have full access.
 */

import type { ProjectNames, UserNames } from '../base/principal.ts';

export interface GroupNames extends ProjectNames {
  readonly group: string;
}

export interface ListedGroup extends GroupNames {
  readonly fullAccess: boolean;
  readonly users: readonly string[];
}

/**
 * Administers the groups of projects. A change is durable when its method returns, and applies from
 * the next request. As in `UserAdmin`, a method throws IdentityError `Conflict` if its change would
 * leave a project without an enabled user with full access.
 */
export interface GroupAdmin {
  /** Returns all groups, sorted by customer, project and name. */
  listGroups(): readonly ListedGroup[];
  /**
   * Adds a group without members. Throws IdentityError `BadRequest` for an invalid name, `NotFound`
   * for an unknown project, and `Conflict` if the group exists or the limit of groups is reached.
   */
  addGroup(group: GroupNames & { readonly fullAccess: boolean }): void;
  /**
   * Deletes the group. Throws IdentityError `NotFound` for an unknown group, as do all methods
   * below.
   */
  removeGroup(group: GroupNames): void;
  grantGroup(group: GroupNames, fullAccess: boolean): void;
  /**
   * Adds a user of the same project to the group, or removes it. Throws IdentityError `NotFound`
   * for an unknown user.
   */
  setMember(group: GroupNames, user: UserNames['user'], member: boolean): void;
}
