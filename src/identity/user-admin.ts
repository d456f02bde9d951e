/** Administration of the users of projects. */

import type { UserNames } from '../base/principal.ts';
import type { ListedKey } from './identity.ts';

/** A user in one project. A person who works in two projects is two storage users with one name. */
export interface ListedUser extends UserNames {
  /** Whether the user has full access, granted directly or through a group (specification, "Authentication" 7). */
  readonly fullAccess: boolean;
  /** Whether full access was granted to the user directly. */
  readonly granted: boolean;
  /** Names of the groups of this project that the user belongs to. */
  readonly groups: readonly string[];
  /** Applies to all projects of the customer. */
  readonly disabled: boolean;
  /** When the user was added to its first project, in milliseconds since 1970. */
  readonly createdAt: number;
}

export interface NewUser extends UserNames {
  readonly fullAccess: boolean;
  /** Reuses the name of a removed user, with all permissions that ACLs and policies still grant to that name. */
  readonly again: boolean;
}

/**
 * All changes are durable when they return, and apply from the next request. If a project has an enabled user with full
 * access, a change that would leave it without one throws IdentityError `Conflict`.
 */
export interface UserAdmin {
  /** Sorted by customer, project and name. */
  listUsers(): readonly ListedUser[];
  /** Throws IdentityError `NotFound`, as do all methods below. */
  getUser(user: UserNames): ListedUser;
  /** Adds the user with a first key. Throws IdentityError `Conflict` if the user exists or has the name of a removed user. */
  addUser(user: NewUser): ListedKey;
  /** Removes the user and its keys from this project. */
  removeUser(user: UserNames): void;
  /** Does not change full access that the user has through groups. */
  grantFullAccess(user: UserNames, fullAccess: boolean): void;
  /** Applies to all projects of the customer: while a user is disabled, none of its keys is valid. */
  disableUser(user: UserNames, disabled: boolean): void;
}
