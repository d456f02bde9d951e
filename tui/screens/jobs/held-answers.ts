/**
 * Approves or rejects the changes that a job holds for review, after a question that shows the
 * effect.
 */

import type { Result } from '../../../src/control/messages.ts';
import type { Ui } from '../../ui/ui.ts';
import type { Question } from '../../commands/command.ts';
import { bytesText, countText } from '../../../src/text/amounts.ts';
import { timeText } from '../../../src/text/time.ts';

export type Review = Result<'jobs.review'>;
export type Change = Review['changes'][number];
export type HeldGroup = NonNullable<Review['groups']>[number];
type HeldSums = Pick<HeldGroup, 'deletes' | 'overwrites' | 'renames' | 'bytes'>;

const ATTACK = 'Possible attack: the held changes would replace content in the bucket.';
const DELETES_REJECTED =
  'The deleted files are then only in the bucket. To bring them back, press t and then F.';
const CONTENT_REJECTED =
  'Files with new content or names are not backed up until they change again.';

/** Returns the question before an approval of all held changes. */
export function approveQuestion(job: string, { signs, groups }: Review): Question {
  return {
    title: `Approve the held changes of ${job}?`,
    facts: [
      ...(signs ? [ATTACK] : []),
      `${sizedText(sumsOf(groups))} will be applied to the bucket. Earlier versions stay.`,
    ],
  };
}

/** Approves the held changes with this digest. Changes that were held later are not approved. */
export async function approve(ui: Ui, job: string, digest: string): Promise<void> {
  const decided = await ui.call('jobs.approve', { name: job, digest });
  ui.notifyFinal(`${job}: approved ${decidedText(decided)}; earlier versions stay`);
}

/**
 * Returns the question before a rejection. Counts the held changes first, so that the question can
 * state their number.
 */
export async function rejectQuestion(ui: Ui, job: string): Promise<Question> {
  const asked = { name: job, limit: 1, withGroups: true };
  const { signs, groups } = await ui.call('jobs.review', asked);
  const sums = sumsOf(groups);
  const good = signs
    ? [`Last good state of the folder: ${timeText(signs.since)}. Restore it to that time.`]
    : [];
  return {
    title: `Reject the held changes of ${job}?`,
    facts: [
      ...good,
      `${sizedText(sums)} will be dropped: the objects in the bucket stay.`,
      ...(sums.deletes > 0 ? [DELETES_REJECTED] : []),
      ...(sums.overwrites + sums.renames > 0 ? [CONTENT_REJECTED] : []),
    ],
  };
}

export async function reject(ui: Ui, job: string): Promise<void> {
  const decided = await ui.call('jobs.reject', { name: job });
  const then =
    decided.deletes > 0
      ? 'to bring the files back, press t and then F'
      : 'the objects stay as they are';
  ui.notifyFinal(`${job}: rejected ${decidedText(decided)}; ${then}`);
}

/** Returns the counts and sizes of all groups together. */
export function sumsOf(groups: readonly HeldGroup[] = []): HeldSums {
  const sum = (of: (group: HeldGroup) => number) => groups.reduce((all, each) => all + of(each), 0);
  return {
    deletes: sum(({ deletes }) => deletes),
    overwrites: sum(({ overwrites }) => overwrites),
    renames: sum(({ renames }) => renames),
    bytes: sum(({ bytes }) => bytes),
  };
}

/** Returns the number of changes by kind: `1,204 deletes, 3 overwrites`. */
export function heldText({ deletes, overwrites, renames }: Omit<HeldSums, 'bytes'>): string {
  const kinds = [
    [deletes, 'delete'],
    [overwrites, 'overwrite'],
    [renames, 'rename'],
  ] as const;
  const counts = kinds
    .filter(([count]) => count > 0)
    .map(([count, kind]) => countText(count, kind));
  return counts.length === 0 ? 'no changes' : counts.join(', ');
}

/** Returns the number of changes by kind, and their size: `1,204 deletes (4.1 GB)`. */
function sizedText(sums: HeldSums): string {
  if (sums.deletes + sums.overwrites + sums.renames === 0) return heldText(sums);
  return `${heldText(sums)} (${bytesText(sums.bytes)})`;
}

function decidedText({ deletes, overwrites, renames }: Result<'jobs.approve'>): string {
  const words = [
    ...(overwrites > 0 ? [countText(overwrites, 'overwrite')] : []),
    ...(renames > 0 ? [countText(renames, 'rename')] : []),
    ...(deletes > 0 ? [countText(deletes, 'delete')] : []),
  ];
  return words.length === 0 ? 'no held changes' : words.join(' and ');
}
