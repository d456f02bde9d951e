/** Formats the result of the control method `jobs.add`, which adds a job. */

import { mistakesOnly } from '../../../control/protection.ts';
import type { Result } from '../../../control/messages.ts';
import { routeText } from '../../output/job-text.ts';
import type { Paint } from '../../output/output.ts';
import { FAILED } from '../../output/summary.ts';
import { messageText, visible } from '../../output/text.ts';

/**
 * Returns a note for a job without locks. At a remote service, only locks protect a backup against
 * a client that has the access key.
 */
function unlocked(name: string, paint: Paint): string {
  const text = `its versions are not locked; to lock them: holdfast job edit ${name} lock='GOVERNANCE 30d'`;
  return `  ${paint('attention', text)}`;
}

export function addedLines({ job, existing, notes }: Result<'jobs.add'>, paint: Paint): string[] {
  const why = FAILED.has(job.state) ? undefined : mistakesOnly(job);
  return [
    `${paint('strong', `job ${job.name}`)}  ${routeText(job)}${existing ? ' (already exists)' : ''}`,
    ...notes.map((note) => `  note: ${messageText(note)}`),
    ...(why === undefined ? [] : [`  ${paint('attention', `kept against mistakes only: ${why}`)}`]),
    ...(why === undefined && !job.locks && notes.length === 0 ? [unlocked(job.name, paint)] : []),
    ...job.warnings.map((warning) => `  ${paint('attention', visible(warning))}`),
  ];
}
