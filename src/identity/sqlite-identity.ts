/**
 * Opens the identity database, an SQLite file of mode 0600 with the customers, projects, users,
 * groups and access keys.
 */

import type { Clock } from '../base/clock.ts';
import type { Grantees } from '../base/grantees.ts';
import type { UserNames, UserPrincipal } from '../base/principal.ts';
import type { GroupAdmin } from './group-admin.ts';
import { Groups } from './groups.ts';
import type { KeyAdmin } from './identity.ts';
import { IdentityDatabase, type DatabaseOptions } from './identity-database.ts';
import { openIdentityFile } from './identity-file.ts';
import { Keys } from './keys.ts';
import type { ProjectAdmin } from './project-admin.ts';
import { Projects } from './projects.ts';
import type { UserAdmin } from './user-admin.ts';
import { Users } from './users.ts';

export interface SqliteIdentity {
  readonly keys: KeyAdmin;
  readonly users: UserAdmin;
  readonly groups: GroupAdmin;
  readonly projects: ProjectAdmin;
  readonly grantees: Grantees;
  /**
   * Unless the user exists, adds the first user with one access key and grants the user full access. An existing user
   * gets no new key. Returns the user's principal.
   */
  ensureFirstUser(request: { readonly user: string }): UserPrincipal;
  close(): void;
}

export interface IdentityOptions extends DatabaseOptions {
  /** The path of the database file. Its folder must exist. */
  readonly path: string;
  readonly clock: Clock;
}

const CUSTOMER = 'local';
const FIRST_PROJECT = 'holdfast';

/**
 * Returns the full name of the first user of a new home folder: a user of the project `holdfast` of
 * the customer `local`.
 */
export function firstUser({ user }: { readonly user: string }): UserNames {
  return { user, project: FIRST_PROJECT, customer: CUSTOMER };
}

/**
 * Opens the identity database, or creates it. Throws NewerFormatError if a newer release of
 * Holdfast wrote the file, and IdentityError `Conflict` if another process prevents a sole writer
 * from locking the file.
 */
export function openSqliteIdentity(options: IdentityOptions): SqliteIdentity {
  const database = openDatabase(options);
  const keys = new Keys(database);
  const users = new Users(database, keys);
  const projects = new Projects(database);
  return {
    keys,
    users,
    groups: new Groups(database),
    projects,
    grantees: projects,
    ensureFirstUser(request) {
      const names = firstUser(request);
      users.ensureFirst(names);
      return { kind: 'user', ...names, fullAccess: true };
    },
    close: () => database.close(),
  };
}

function openDatabase({ path, clock, ...options }: IdentityOptions): IdentityDatabase {
  const file = openIdentityFile(path);
  try {
    return new IdentityDatabase(file, clock, options);
  } catch (error) {
    file.close();
    throw error;
  }
}
