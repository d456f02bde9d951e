/**
 * Formats the results of `holdfast admin groups`. The command manages groups of users in a project.
 */

import type { Result } from '../../../control/messages.ts';
import { tableLines } from '../../output/output.ts';
import { visible } from '../../output/text.ts';
import type { Answers } from '../../simple-call.ts';

type Group = Result<'groups.add'>;

export const GROUP_ANSWERS: Answers = {
  'groups.list': ({ groups }) => {
    const columns = ['GROUP', 'PROJECT', 'CUSTOMER', 'ACCESS', 'USERS'];
    const rows = groups.map((group) => [
      visible(group.group),
      visible(group.project),
      group.customer,
      accessText(group),
      visible(group.users.join(', ')) || '-',
    ]);
    return tableLines(
      columns.map((title) => ({ title })),
      rows,
    );
  },
  'groups.add': groupLines,
  'groups.grant': groupLines,
  'groups.setMember': groupLines,
};

function groupLines(group: Group): string[] {
  const users = group.users.length === 0 ? 'none' : visible(group.users.join(', '));
  return [
    `group ${visible(group.group)} of project ${visible(group.project)}, access: ${accessText(group)}, users: ${users}`,
  ];
}

function accessText({ fullAccess }: Group): string {
  return fullAccess ? 'full' : 'objects';
}
