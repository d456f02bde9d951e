/** Formats the results of `holdfast admin projects`. The users of a project share its buckets. */

import { tableLines } from '../../output/output.ts';
import { visible } from '../../output/text.ts';
import { numberText } from '../../../text/amounts.ts';
import { timeText } from '../../../text/time.ts';
import type { Answers } from '../../simple-call.ts';

export const PROJECT_ANSWERS: Answers = {
  'projects.list': ({ projects }) => {
    const columns = [
      { title: 'PROJECT' },
      { title: 'USERS', align: 'right' as const },
      { title: 'CREATED' },
      { title: 'EMAIL' },
      { title: 'ID' },
    ];
    const rows = projects.map((project) => [
      visible(project.project),
      numberText(project.users),
      timeText(project.createdAt),
      visible(project.email ?? '-'),
      visible(project.id),
    ]);
    return tableLines(columns, rows);
  },
  'projects.add': ({ id, project, customer }, { context }) => [
    `created project ${visible(id)}`,
    `add its first user:  holdfast admin users add ${visible(project)}:NAME@${customer} --full-access${context.homeOption}`,
  ],
  'projects.setEmail': ({ id, email }) => [`${visible(id)}, email: ${visible(email ?? 'none')}`],
};
