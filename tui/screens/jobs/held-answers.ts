/**
 * Approves or rejects the changes that a job holds for review, after a question that shows the
 * effect.
 */

import type { Result } from '../../../src/control/messages.ts';
import type { Ui } from '../../ui/ui.ts';
import type { Question } from '../../commands/command.ts';
import { countText } from '../../../src/text/amounts.ts';
import { timeText } from '../../../src/text/time.ts';

export type Review = Result<'jobs.review'>;
export type Change = Review['changes'][number];

/** The question counts the held changes by kind only if there are at most this many. */
const MOST_COUNTED = 1_000;
const ATTACK = 'Possible attack: the held changes would replace content in the bucket.';
const DELETES_REJECTED =
  'The deleted files stay in the bucket; press t to restore them to the folder.';
const CONTENT_REJECTED =
  'Files with new content or names are not backed up until they change again.';

/** Returns the question before an approval. The review is the first page of the held changes. */
export function approveQuestion(job: string, { total, signs, changes, next }: Review): Question {
  const isCounted = next === undefined && total > 0;
  const counted = isCounted ? changesText(changes) : countText(total, 'change');
  return {
    title: `Approve the held changes of ${job}?`,
    facts: [
      ...(signs ? [ATTACK] : []),
      `${counted} will be applied to the bucket. Earlier versions stay.`,
    ],
  };
}

/** Approves the held changes with this digest. Changes that were held later are not approved. */
export async function approve(ui: Ui, job: string, digest: string): Promise<void> {
  const decided = await ui.call('jobs.approve', { name: job, digest });
  ui.notify(`${job}: approved ${decidedText(decided)}; earlier versions stay`);
}

/**
 * Returns the question before a rejection. Counts the held changes first, so that the question can
 * state their number.
 */
export async function rejectQuestion(ui: Ui, job: string): Promise<Question> {
  const asked = { name: job, limit: MOST_COUNTED };
  const { total, signs, changes, next } = await ui.call('jobs.review', asked);
  const has = (...kinds: readonly Change['change'][]) =>
    next !== undefined || changes.some(({ change }) => kinds.includes(change));
  const good = signs
    ? [`Last good state of the folder: ${timeText(signs.since)}. Restore it to that time.`]
    : [];
  return {
    title: `Reject the held changes of ${job}?`,
    facts: [
      ...good,
      `${countText(total, 'change')} will be dropped: the objects in the bucket stay.`,
      ...(has('delete') ? [DELETES_REJECTED] : []),
      ...(has('overwrite', 'rename') ? [CONTENT_REJECTED] : []),
    ],
  };
}

export async function reject(ui: Ui, job: string): Promise<void> {
  const decided = await ui.call('jobs.reject', { name: job });
  ui.notify(`${job}: rejected ${decidedText(decided)}; the objects stay as they are`);
}

/** Returns the number of changes by kind: `1,204 deletes, 3 overwrites`. */
function changesText(changes: readonly Change[]): string {
  const kinds = ['delete', 'overwrite', 'rename'] as const;
  return kinds
    .map((kind) => [kind, changes.filter(({ change }) => change === kind).length] as const)
    .filter(([, count]) => count > 0)
    .map(([kind, count]) => countText(count, kind))
    .join(', ');
}

function decidedText({ deletes, overwrites, renames }: Result<'jobs.approve'>): string {
  const words = [
    ...(overwrites > 0 ? [countText(overwrites, 'overwrite')] : []),
    ...(renames > 0 ? [countText(renames, 'rename')] : []),
    ...(deletes > 0 ? [countText(deletes, 'delete')] : []),
  ];
  return words.length === 0 ? 'no held changes' : words.join(' and ');
}
