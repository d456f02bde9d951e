/**
 * Defines the interface for administering a project's groups. All members of a group with full access have full access.
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
 * Administers the groups of projects. When a method returns, its change is durable, and it applies to all later
 * requests. As in `UserAdmin`, a change that would leave a project without an enabled user with full access throws
 * IdentityError `Conflict`.
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
  /** Deletes a group. Like all methods below, throws IdentityError `NotFound` if the group does not exist. */
  removeGroup(group: GroupNames): void;
  grantGroup(group: GroupNames, fullAccess: boolean): void;
  /**
   * Adds a user of the same project to the group, or removes the user from it. Throws IdentityError
   * `NotFound` for an unknown user.
   */
  setMember(group: GroupNames, user: UserNames['user'], member: boolean): void;
}
