/** The users in whose name the contract tests call the store. */

import { principalId, projectId } from '../../../src/base/principal.ts';
import type { UserPrincipal } from '../../../src/base/principal.ts';
import type { People } from './subject.ts';

export const OWNER: UserPrincipal = {
  kind: 'user',
  project: 'holdfast',
  user: 'alice',
  customer: 'local',
  fullAccess: true,
};

/** A user of the same project, without full access. */
export const COLLEAGUE: UserPrincipal = { ...OWNER, user: 'bob', fullAccess: false };

/** A user of another project of the same customer. */
export const STRANGER: UserPrincipal = { ...OWNER, project: 'elsewhere', user: 'eve' };

export const PEOPLE: People = {
  owner: principalId(OWNER),
  stranger: principalId(STRANGER),
  strangersProject: projectId(STRANGER),
};
