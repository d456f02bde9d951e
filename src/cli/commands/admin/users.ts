/**
 * Formats the results of `holdfast admin users`. The command manages the users of the embedded
 * store.
 */

import type { Result } from '../../../control/messages.ts';
import { tableLines } from '../../output/output.ts';
import { withHomeOption } from '../../../text/pasted-commands.ts';
import { visible } from '../../output/text.ts';
import { timeText } from '../../../text/time.ts';
import type { Answers } from '../../simple-call.ts';
import { accessText, howToUse } from './keys.ts';

export const USER_ANSWERS: Answers = {
  'users.list': ({ users }) => {
    const columns = ['USER', 'PROJECT', 'ACCESS', 'GROUPS', 'CREATED', 'ID'];
    const rows = users.map((user) => [
      visible(user.user),
      visible(user.project),
      accessText(user),
      visible(user.groups.join(', ')) || '-',
      timeText(user.createdAt),
      visible(user.id),
    ]);
    return tableLines(
      columns.map((title) => ({ title })),
      rows,
    );
  },
  'users.add': (key, { context }) => [
    `added user ${visible(key.user)} to project ${visible(key.project)}, access: ${accessText(key)}`,
    `created access key ${visible(key.accessKeyId)}`,
    howToUse(context, key),
  ],
  'users.grant': (user) => {
    const still = user.fullAccess && !user.granted ? `, by group ${user.groups.join(', ')}` : '';
    return [`${visible(user.id)}, access: ${accessText(user)}${visible(still)}`];
  },
  'users.disable': (user, { context }) => [withHomeOption(disabledText(user), context.homeOption)],
};

function disabledText({ id, user, disabled }: Result<'users.disable'>): string {
  return disabled
    ? `user ${visible(user)} is disabled; enable it with \`holdfast admin users enable ${visible(id)}\``
    : `user ${visible(user)} is enabled`;
}
