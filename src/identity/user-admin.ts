/** Defines the interface for administering the users of projects. */

import type { UserNames } from '../base/principal.ts';
import type { ListedKey } from './identity.ts';

/** A user of one project. A user that belongs to two projects of a customer is listed once for each project. */
export interface ListedUser extends UserNames {
  /** Whether the user has full access, granted directly or through a group (specification, "Authentication" 7). */
  readonly fullAccess: boolean;
  /** Whether full access was granted to the user directly. */
  readonly granted: boolean;
  /** The names of the groups of this project to which the user belongs. */
  readonly groups: readonly string[];
  /** Whether the user is disabled. A disabled user is disabled in all projects of the customer. */
  readonly disabled: boolean;
  /** The time at which the user was added to its first project, in milliseconds since 1970. */
  readonly createdAt: number;
}

export interface NewUser extends UserNames {
  readonly fullAccess: boolean;
  /**
   * Whether to reuse the name of a removed user. The new user then gets all permissions that ACLs and policies still
   * grant to that name.
   */
  readonly again: boolean;
}

/**
 * Administers users. When a method returns, its change is durable, and it applies to all later requests. A change that
 * would leave a project without its last enabled user with full access throws IdentityError `Conflict`.
 */
export interface UserAdmin {
  /** Returns all users, sorted by customer, project and name. */
  listUsers(): readonly ListedUser[];
  /** Returns a user. Like all methods below, throws IdentityError `NotFound` for an unknown user. */
  getUser(user: UserNames): ListedUser;
  /**
   * Adds a user with a first access key. Throws IdentityError `BadRequest` for an invalid name. Throws `Conflict` if
   * the user exists, if the maximum number of users is reached, or if a removed user had this name and `again` is
   * false.
   */
  addUser(user: NewUser): ListedKey;
  /** Removes the user from this project, and deletes the user's access keys for it. */
  removeUser(user: UserNames): void;
  /** Grants full access to the user, or revokes a direct grant. Full access through a group does not change. */
  grantFullAccess(user: UserNames, fullAccess: boolean): void;
  /**
   * Disables or enables the user in all projects of the customer. While a user is disabled, none of its access keys is
   * valid.
   */
  disableUser(user: UserNames, disabled: boolean): void;
}
