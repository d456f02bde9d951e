/**
 * Creates a user with an access key. Also creates the user's project if the project does not exist.
 */

import type { UserNames } from '../../src/base/principal.ts';
import type { ListedKey } from '../../src/identity/identity.ts';
import type { SqliteIdentity } from '../../src/identity/sqlite-identity.ts';

export function newUser(
  { projects, users }: Pick<SqliteIdentity, 'projects' | 'users'>,
  request: Partial<UserNames> & { readonly user: string; readonly fullAccess?: boolean },
): ListedKey {
  const { project = 'holdfast', customer = 'local', user, fullAccess = false } = request;
  const known = projects
    .listProjects()
    .some((each) => each.project === project && each.customer === customer);
  if (!known) projects.addProject({ project, customer, again: false });
  return users.addUser({ user, project, customer, fullAccess, again: false });
}
