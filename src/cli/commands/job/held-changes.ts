/**
 * Implements `holdfast job review`, `approve` and `reject` for held changes, and `accept-root` for a replaced folder.
 */

import { defined } from '../../../base/defined.ts';
import type { ControlClient } from '../../../control/client.ts';
import type { Result } from '../../../control/messages.ts';
import { askYesNo, isAskable } from '../../output/ask.ts';
import { usageError } from '../../output/command-error.ts';
import type { Context } from '../../context.ts';
import { stateText } from '../../output/job-text.ts';
import { withHomeOption } from '../../../text/pasted-commands.ts';
import { visible } from '../../output/text.ts';
import { countText } from '../../../text/amounts.ts';

type Review = Result<'jobs.review'>;
type Decided = Result<'jobs.approve'>;

const PAGE = 1000;

export async function reviewJob(context: Context, name: string): Promise<void> {
  await context.withDaemon(async (daemon) => {
    const { first, changes } = await review(daemon, name);
    if (context.json) return context.out.jsonList('changes', changes, () => summary(first));
    await showHeld(context, name, { first, changes });
  });
}

interface HeldChanges {
  readonly first: Review;
  readonly changes: AsyncIterable<Review['changes']>;
}

async function review(daemon: ControlClient, name: string): Promise<HeldChanges> {
  const ask = (after?: string) =>
    daemon.call('jobs.review', { name, limit: PAGE, ...defined({ after }) });
  const first = await ask();
  const pages = async function* () {
    let page = first;
    yield page.changes;
    while (page.next !== undefined) {
      page = await ask(page.next);
      yield page.changes;
    }
  };
  return { first, changes: pages() };
}

function summary({ total, digest, signs, reason, passed }: Review) {
  return defined({ total, digest, signs, reason, passed });
}

async function showHeld(
  context: Context,
  name: string,
  { first, changes }: HeldChanges,
): Promise<void> {
  for await (const page of changes) await context.out.lines(...page.map(changeText));
  const note = (text: string) => context.io.stderr.write(withHomeOption(text, context.homeOption));
  const { signs, reason, passed, total, digest } = first;
  if (signs) note(`${visible(signs.reason)}\n${wayBack(name, signs.since)}`);
  if (reason !== undefined) note(`${reason}\n`);
  if (passed && passed.deletes > 0) note(passedText(name, passed));
  if (total === 0) note(`job ${name} has no changes held for review\n`);
  if (total > 0 || signs) note(wayOut(name, total, digest));
}

function changeText({ path, change, why }: Review['changes'][number]): string {
  return `${change.padEnd(9)}  ${visible(path)}${why === undefined ? '' : `: ${visible(why)}`}`;
}

/**
 * Returns the line with the command that restores the folder as of `since`, a time before the first unwanted change.
 * The time includes milliseconds, because a rounded time could be later than that change.
 */
function wayBack(name: string, since: number): string {
  const at = new Date(since).toISOString();
  return `to restore the files as they were before: holdfast restore ${name} --at ${at} --to DIR\n`;
}

/**
 * Returns lines about the deletes that were mirrored before the mass-change guard started to hold deletes. The guard
 * acts only after a certain number of deletes.
 */
function passedText(name: string, { deletes, before }: NonNullable<Review['passed']>): string {
  const at = new Date(before).toISOString();
  return (
    `${countText(deletes, 'delete')} were mirrored before the other changes were held: \`holdfast diff ${name} --from ${at}\` lists the deleted files\n` +
    wayBack(name, before)
  );
}

function wayOut(name: string, total: number, digest: string): string {
  return (
    `${countText(total, 'change')} held; to apply them to the bucket: holdfast job approve ${name} --digest ${digest}; ` +
    `to keep the objects: holdfast job reject ${name}\n`
  );
}

export interface ApproveOptions {
  /**
   * The digest of the held changes that `job review` printed. If the held changes are different now, the daemon rejects
   * the approval.
   */
  readonly digest?: string;
  /** Whether to approve all changes that are held now, without a review. */
  readonly all?: boolean;
}

/**
 * Approves the held changes. Without `--digest` or `--all`, first lists them on the terminal and asks for confirmation.
 * Throws a usage error if the user cannot be asked.
 */
export async function approveJob(
  context: Context,
  name: string,
  { digest, all = false }: ApproveOptions,
): Promise<void> {
  await context.withDaemon(async (daemon) => {
    const seen = digest ?? (all ? undefined : await askFor(context, daemon, name));
    if (seen === NOT_MEANT) return context.out.lines('nothing was approved');
    if (seen === NONE_HELD) return printNone(context, name, 'approve');
    const decided = await daemon.call('jobs.approve', { name, ...defined({ digest: seen }) });
    if (isNone(decided)) return printNone(context, name, 'approve');
    if (context.json) return context.out.json(decided);
    await context.out.lines(
      `approved ${decidedText(decided)} of job ${name}; in a versioned bucket the earlier versions stay`,
    );
  });
}

const NOT_MEANT = Symbol('not meant');
const NONE_HELD = Symbol('none held');

function isNone({ deletes, overwrites, renames }: Decided): boolean {
  return deletes + overwrites + renames === 0;
}

async function printNone(context: Context, name: string, goal: 'approve' | 'reject') {
  if (context.json) await context.out.json({ deletes: 0, overwrites: 0, renames: 0 });
  else await context.out.lines(`nothing to ${goal}: job ${name} has no changes held for review`);
}

/** Lists the held changes and asks whether to approve them. If the user confirms, returns their digest. */
async function askFor(
  context: Context,
  daemon: ControlClient,
  name: string,
): Promise<string | typeof NOT_MEANT | typeof NONE_HELD> {
  const held = await review(daemon, name);
  if (held.first.total === 0 && !held.first.signs) return NONE_HELD;
  if (!isAskable(context))
    throw usageError(
      `cannot approve the changes of job ${name} unseen: give --digest DIGEST or --all`,
      `to list them with their digest: holdfast job review ${name}`,
    );
  await showHeld(context, name, held);
  const isMeant = await askYesNo(context, `approve ${countText(held.first.total, 'change')}?`);
  return isMeant ? held.first.digest : NOT_MEANT;
}

export async function rejectJob(context: Context, name: string): Promise<void> {
  await context.withDaemon(async (daemon) => {
    const { signs, passed } = await daemon.call('jobs.review', { name, limit: 1 });
    const decided = await daemon.call('jobs.reject', { name });
    if (context.json) return context.out.json(decided);
    if (isNone(decided) && !signs) return printNone(context, name, 'reject');
    const since = signs?.since ?? (passed && passed.deletes > 0 ? passed.before : undefined);
    await context.out.prose(
      `rejected ${decidedText(decided)} of job ${name}; the objects in the bucket are kept`,
      ...(decided.deletes > 0 ? [`to restore the files: holdfast restore ${name} --in-place`] : []),
      ...(since === undefined ? [] : [wayBack(name, since).trimEnd()]),
    );
  });
}

function decidedText({ deletes, overwrites, renames }: Decided): string {
  const parts = [
    ...(overwrites > 0 ? [countText(overwrites, 'overwrite')] : []),
    ...(renames > 0 ? [countText(renames, 'rename')] : []),
    ...(deletes > 0 ? [countText(deletes, 'delete')] : []),
  ];
  return parts.length === 0 ? 'no held changes' : parts.join(' and ');
}

/** The states in which the folder at the job's path is the folder that the job backs up. */
const HAS_ROOT: ReadonlySet<string> = new Set(['scanning', 'mirroring', 'watching', 'held']);

export async function acceptRoot(context: Context, name: string): Promise<void> {
  const { job, wasInOrder } = await context.withDaemon(async (daemon) => {
    const { jobs } = await daemon.call('status', {});
    const before = jobs.find((each) => each.name === name)?.state;
    const accepted = await daemon.call('jobs.acceptRoot', { name });
    return { job: accepted, wasInOrder: before !== undefined && HAS_ROOT.has(before) };
  });
  if (context.json) return context.out.json(job);
  const state = stateText(job, context.out.paint);
  if (wasInOrder)
    return context.out.lines(`nothing to accept: job ${name} already uses this folder: ${state}`);
  await context.out.lines(`accepted the folder of job ${name} as it is now: ${state}`);
}
