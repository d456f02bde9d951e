/** What a command may do with the users of projects. */

import type { UserNames } from '../base/principal.ts';
import type { ListedKey } from './identity.ts';

/** A user in one project: a person who works in two of them is two storage users, with one name. */
export interface ListedUser extends UserNames {
  /** Holds the full-access privilege: granted, or through a group (specification, "Authentication" 7). */
  readonly fullAccess: boolean;
  readonly granted: boolean;
  /** Names of the project's groups that the user is in. */
  readonly groups: readonly string[];
  /** In all projects of the customer. */
  readonly disabled: boolean;
  /** Milliseconds since 1970: of the name, in whatever project it was first. */
  readonly createdAt: number;
}

export interface NewUser extends UserNames {
  readonly fullAccess: boolean;
  /** Takes a name that a removed user had, with all rights that others have given to that name. */
  readonly again: boolean;
}

/**
 * All changes are durable when they return, and hold from the next request on. A project that has a user with full
 * access, who is not disabled, keeps one: what would take the last one away throws IdentityError `Conflict`.
 */
export interface UserAdmin {
  /** By customer, project and name. */
  listUsers(): readonly ListedUser[];
  /** Throws IdentityError `NotFound`, as all that follow do. */
  getUser(user: UserNames): ListedUser;
  /** With its first key. Throws IdentityError `Conflict` for one that is there, or a name that was another's. */
  addUser(user: NewUser): ListedKey;
  /** Out of this project, with its keys in it. */
  removeUser(user: UserNames): void;
  /** What groups give is not touched. */
  grantFullAccess(user: UserNames, fullAccess: boolean): void;
  /** In all projects: no key of the user is one meanwhile. */
  disableUser(user: UserNames, disabled: boolean): void;
}
