/** Implements the control methods for users. */

import { defined } from '../../../src/base/defined.ts';
import { principalId, projectId, type UserNames } from '../../../src/base/principal.ts';
import { ControlError } from '../../../src/control/control-error.ts';
import type { Result } from '../../../src/control/messages.ts';
import type { ListedUser } from '../../../src/identity/user-admin.ts';
import { keyResult } from './keys.ts';
import type { Handlers, People } from './people.ts';

export type UserMethod =
  | 'whoami'
  | 'users.list'
  | 'users.add'
  | 'users.remove'
  | 'users.grant'
  | 'users.disable';

export function userHandlers(people: People): Handlers<UserMethod> {
  const { identity, named, bucketsOf } = people;
  const { users } = identity;
  return {
    whoami: async (params) => whoIs(people, named(params)),
    'users.list': async () => ({ users: users.listUsers().map(userResult) }),
    'users.add': async (params) => keyResult(users.addUser(named(params))),
    'users.remove': async (params) => {
      const user = named(params);
      users.getUser(user);
      checkNotOwn(people, user, 'remove');
      checkOwnsNothing(await bucketsOf(user), `cannot remove user ${principalId(user)}`);
      users.removeUser(user);
      return {};
    },
    'users.grant': async ({ fullAccess, ...params }) => {
      const user = named(params);
      if (!fullAccess) checkNotOwn(people, user, 'revoke full access of');
      users.grantFullAccess(user, fullAccess);
      return userResult(users.getUser(user));
    },
    'users.disable': async ({ disabled, ...params }) => {
      const user = named(params);
      // The project is ignored here, because the user is disabled in all projects of the customer.
      if (disabled) checkNotOwn(people, { ...user, project: people.own.project }, 'disable');
      users.disableUser(user, disabled);
      return userResult(users.getUser(user));
    },
  };
}

async function whoIs({ identity, service }: People, user: UserNames): Promise<Result<'whoami'>> {
  const { email } = identity.projects.getProject(user);
  return {
    ...userResult(identity.users.getUser(user)),
    grantee: projectId(user),
    ...defined({ projectEmail: email }),
    ...(await service()),
  };
}

function userResult(user: ListedUser): Result<'users.grant'> {
  return { ...user, id: principalId(user), groups: [...user.groups] };
}

/**
 * Throws ControlError `Conflict` for the daemon's own user. Jobs act for this user, and the next start would create
 * it again.
 */
function checkNotOwn({ own }: People, user: UserNames, verb: string): void {
  if (principalId(user) !== principalId(own)) return;
  throw new ControlError(
    'Conflict',
    `cannot ${verb} user ${principalId(user)}: jobs of this daemon run as that user`,
  );
}

/**
 * Throws ControlError `Conflict` if the user owns buckets. The buckets must be removed first. Without an owner, no
 * user would have all permissions on them.
 */
export function checkOwnsNothing(buckets: readonly string[], what: string): void {
  if (buckets.length === 0) return;
  const [first] = buckets;
  const others = buckets.length === 1 ? '' : ` and ${buckets.length - 1} more`;
  throw new ControlError('Conflict', `${what}: bucket ${first}${others} would have no owner`, {
    hint: "remove those buckets first, with that user's key; or disable the user: holdfast admin users disable USER",
  });
}
