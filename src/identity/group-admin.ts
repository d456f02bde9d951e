/**
 * Declares the administration of a project's groups. If a group has full access, all its members
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
 * Administers the groups of projects. When a method returns, its change is durable, and it applies
 * to all later requests. Like `UserAdmin`, a method throws IdentityError `Conflict` if its change
 * would leave a project without an enabled user with full access.
 */
export interface GroupAdmin {
  /** Returns all groups, sorted by customer, project and name. */
  listGroups(): readonly ListedGroup[];
  /**
   * Adds a group without members. Throws IdentityError `BadRequest` for an invalid name, `NotFound`
   * for an unknown project, and `Conflict` if the group exists or the maximum number of groups is
   * reached.
   */
  addGroup(group: GroupNames & { readonly fullAccess: boolean }): void;
  /**
   * Deletes a group. Like all methods below, throws IdentityError `NotFound` for an unknown group.
   */
  removeGroup(group: GroupNames): void;
  grantGroup(group: GroupNames, fullAccess: boolean): void;
  /**
   * Adds a user of the same project to the group, or removes the user from it. Throws IdentityError
   * `NotFound` for an unknown user.
   */
  setMember(group: GroupNames, user: UserNames['user'], member: boolean): void;
}
