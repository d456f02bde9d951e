/** Implements the control methods for the groups of projects. */

import { invariant } from '../../../src/base/errors.ts';
import { projectId } from '../../../src/base/principal.ts';
import type { Result } from '../../../src/control/messages.ts';
import type { GroupNames, ListedGroup } from '../../../src/identity/group-admin.ts';
import type { Handlers, People } from './people.ts';

export type GroupMethod =
  | 'groups.list'
  | 'groups.add'
  | 'groups.remove'
  | 'groups.grant'
  | 'groups.setMember';

export function groupHandlers({ identity: { groups }, named }: People): Handlers<GroupMethod> {
  const resultOf = (names: GroupNames): Result<'groups.add'> => {
    const listed = groups
      .listGroups()
      .find((each) => each.group === names.group && projectId(each) === projectId(names));
    invariant(listed, `group ${names.group} was changed and is not in the list of groups`);
    return groupResult(listed);
  };
  return {
    'groups.list': async () => ({ groups: groups.listGroups().map(groupResult) }),
    'groups.add': async ({ fullAccess, ...params }) => {
      const group = named(params);
      groups.addGroup({ ...namesOf(group), fullAccess });
      return resultOf(group);
    },
    'groups.remove': async (params) => {
      groups.removeGroup(named(params));
      return {};
    },
    'groups.grant': async ({ fullAccess, ...params }) => {
      const group = named(params);
      groups.grantGroup(group, fullAccess);
      return resultOf(group);
    },
    'groups.setMember': async ({ user, member, ...params }) => {
      const group = named(params);
      groups.setMember(group, user, member);
      return resultOf(group);
    },
  };
}

function namesOf({ group, project, customer }: GroupNames): GroupNames {
  return { group, project, customer };
}

function groupResult({ users, ...group }: ListedGroup): Result<'groups.add'> {
  return { ...group, users: [...users] };
}
