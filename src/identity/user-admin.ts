/** Declares the administration of the users of projects. */

import type { UserNames } from '../base/principal.ts';
import type { ListedKey } from './identity.ts';

/**
 * A user in one project. A user name in two projects of a customer is listed once for each project.
 */
export interface ListedUser extends UserNames {
  /** Whether the user has full access, granted directly or through a group (specification, "Authentication" 7). */
  readonly fullAccess: boolean;
  /** Whether full access was granted to the user directly. */
  readonly granted: boolean;
  /** Names of the groups of this project that the user belongs to. */
  readonly groups: readonly string[];
  /** Whether the user is disabled, which applies to all projects of the customer. */
  readonly disabled: boolean;
  /** When the user was added to its first project, in milliseconds since 1970. */
  readonly createdAt: number;
}

export interface NewUser extends UserNames {
  readonly fullAccess: boolean;
  /**
   * Whether to reuse the name of a removed user, with all permissions that ACLs and policies still
   * grant to that name.
   */
  readonly again: boolean;
}

/**
 * Administers users. A change is durable when its method returns, and applies from the next
 * request. If a project has an enabled user with full access, a change that would leave it without
 * one throws IdentityError `Conflict`.
 */
export interface UserAdmin {
  /** Returns all users, sorted by customer, project and name. */
  listUsers(): readonly ListedUser[];
  /** Returns a user. Throws IdentityError `NotFound`, as do all methods below. */
  getUser(user: UserNames): ListedUser;
  /**
   * Adds the user with a first key. Throws IdentityError `BadRequest` for an invalid name. Throws
   * `Conflict` if the user exists, if the limit of users is reached, or if a removed user had the
   * name and `again` is false.
   */
  addUser(user: NewUser): ListedKey;
  /** Removes the user and its keys from this project. */
  removeUser(user: UserNames): void;
  /**
   * Grants or revokes the full access of the user itself. Full access through groups does not
   * change.
   */
  grantFullAccess(user: UserNames, fullAccess: boolean): void;
  /**
   * Disables or enables the user in all projects of the customer. While a user is disabled, none of
   * its keys is valid.
   */
  disableUser(user: UserNames, disabled: boolean): void;
}
