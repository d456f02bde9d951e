/**
 * Combines the control methods for users, projects, groups and keys. They also work without a daemon (see
 * offline-identity.ts).
 */

import { groupHandlers, type GroupMethod } from './groups.ts';
import { keyHandlers, type KeyMethod } from './keys.ts';
import { people, type Handlers, type PeopleOptions } from './people.ts';
import { projectHandlers, type ProjectMethod } from './projects.ts';
import { userHandlers, type UserMethod } from './users.ts';

export type IdentityHandlers = Handlers<GroupMethod | KeyMethod | ProjectMethod | UserMethod>;

export function identityHandlers(options: PeopleOptions): IdentityHandlers {
  const of = people(options);
  return {
    ...keyHandlers(of),
    ...userHandlers(of),
    ...projectHandlers(of),
    ...groupHandlers(of),
  };
}
