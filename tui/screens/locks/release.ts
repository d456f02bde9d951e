/** Stops the renewal of a lock, after a question that shows the current lock and the effect. */

import { isAbsolute } from 'node:path';

import type { JobStatus } from '../../../src/control/shapes.ts';
import type { Ui } from '../../ui/ui.ts';
import { PromptOverlay } from '../../widgets/prompt.ts';
import type { AskingAction, Question } from '../../commands/command.ts';
import { outcomeOf } from '../../data/outcome.ts';
import { countText } from '../../../src/text/amounts.ts';
import { minuteText } from '../../../src/text/time.ts';
import { absoluteOf, subjectOf } from '../restore/subject.ts';

export function releaseAction(
  ui: Ui,
  current: () => JobStatus | undefined,
  pathOf: () => string,
): AskingAction {
  let chosen: { readonly job: JobStatus; readonly path: string } | undefined;
  return {
    why: () => (current() ? undefined : 'no job is chosen'),
    ask: async () => {
      chosen = undefined;
      const job = current();
      const typed = job && (await askPath(ui, job, pathOf()));
      if (!job || typed === undefined) return undefined;
      chosen = { job, path: belowOf(job, typed) };
      return questionOf(ui, job, chosen.path);
    },
    run: async () => {
      if (chosen) await release(ui, chosen.job, chosen.path);
    },
  };
}

/** Asks for a path. Resolves with undefined if the user cancels. */
function askPath(ui: Ui, job: JobStatus, text: string): Promise<string | undefined> {
  return new Promise((resolve) => {
    const onEnter = (typed: string): string | undefined => {
      if (typed.trim() === '') return 'write the path of a file or folder';
      resolve(typed.trim());
      return undefined;
    };
    const label = `release, of ${ui.look.name(job.name)}: `;
    const onCancel = () => resolve(undefined);
    ui.openOverlay(new PromptOverlay(ui, { label, text, onEnter, onCancel }));
  });
}

/** Returns the path relative to the job's folder. */
function belowOf({ folder }: JobStatus, typed: string): string {
  const isBelow = isAbsolute(typed) && `${typed}/`.startsWith(`${folder}/`);
  return (isBelow ? typed.slice(folder.length) : typed).replaceAll(/^\/+|\/+$/g, '');
}

async function questionOf(ui: Ui, job: JobStatus, path: string): Promise<Question> {
  // Only a file has a lock to show. A folder does not have a single lock.
  const { value: why } = await outcomeOf(ui.call('jobs.why', subjectOf(job, path)));
  const lock = why?.retention
    ? [`Its lock now: ${why.retention.mode} until ${minuteText(why.retention.retainUntil)}.`]
    : [];
  return {
    title: `Release ${ui.look.name(absoluteOf(job.folder, path))}?`,
    facts: [
      ...lock,
      'The locks of these versions (for a folder: of all versions below it) are no longer renewed: each expires on its date.',
      'No lock becomes shorter. New versions of the files are locked and renewed again.',
    ],
  };
}

async function release(ui: Ui, job: JobStatus, path: string): Promise<void> {
  const subject = subjectOf(job, path).job;
  const { versions, firstEnd, lastEnd } = await ui.call('jobs.release', {
    job: job.name,
    paths: [subject],
  });
  if (versions === 0) return ui.warn(`${path}: the job was not renewing any lock of this path`);
  ui.notify(`released ${countText(versions, 'version')}${endsText(firstEnd, lastEnd)}`);
}

function endsText(first: number | undefined, last = first): string {
  if (first === undefined || last === undefined) return '';
  if (first === last) return `: the retention ends ${minuteText(first)}`;
  return `: the first retention ends ${minuteText(first)}, the last ${minuteText(last)}`;
}
