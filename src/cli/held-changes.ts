/** `holdfast jobs review|approve|reject|accept-root`: what a job held back until its owner has looked. */

import { defined } from '../base/defined.ts';
import type { ControlClient } from '../control/client.ts';
import type { Result } from '../control/messages.ts';
import { askYesNo, isAskable } from './ask.ts';
import { usageError } from './command-error.ts';
import type { Context } from './context.ts';
import { stateText } from './job-text.ts';
import { countText, visible } from './text.ts';

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
  const { stderr } = context.io;
  const { signs, reason, passed, total, digest } = first;
  if (signs) stderr.write(`${visible(signs.reason)}\n${wayBack(name, signs.since)}`);
  if (reason !== undefined) stderr.write(`${reason}\n`);
  if (passed && passed.deletes > 0) stderr.write(passedText(name, passed));
  if (total === 0) stderr.write(`job ${name} holds nothing\n`);
  if (total > 0 || signs) stderr.write(wayOut(name, total, digest));
}

function changeText({ path, change, why }: Review['changes'][number]): string {
  return `${change.padEnd(9)}  ${visible(path)}${why === undefined ? '' : `: ${visible(why)}`}`;
}

/** To the millisecond: the first bad version is younger. */
function wayBack(name: string, since: number): string {
  const at = new Date(since).toISOString();
  return `the tree as it was before: \`holdfast restore ${name} --at ${at} --to DIR\`\n`;
}

/** The brake acts when there are many: the first are done by then. */
function passedText(name: string, { deletes, before }: NonNullable<Review['passed']>): string {
  const at = new Date(before).toISOString();
  return (
    `${countText(deletes, 'delete')} before these went through: \`holdfast at ${at} diff now ${name}\` lists what was deleted\n` +
    wayBack(name, before)
  );
}

function wayOut(name: string, total: number, digest: string): string {
  return (
    `${countText(total, 'change')} held: \`holdfast jobs approve ${name} --digest ${digest}\` does in the bucket ` +
    `what is listed here, \`holdfast jobs reject ${name}\` leaves the objects as they are\n`
  );
}

export interface ApproveOptions {
  /** Of the review; what is held must still be that. */
  readonly digest?: string;
  /** Whatever is held now. */
  readonly all?: boolean;
}

/** What is approved is what was seen: by its digest, or shown and asked for at a terminal. */
export async function approveJob(
  context: Context,
  name: string,
  { digest, all = false }: ApproveOptions,
): Promise<void> {
  await context.withDaemon(async (daemon) => {
    const seen = digest ?? (all ? undefined : await askFor(context, daemon, name));
    if (seen === NOT_MEANT) return context.out.lines('nothing was approved');
    const decided = await daemon.call('jobs.approve', { name, ...defined({ digest: seen }) });
    if (context.json) return context.out.json(decided);
    await context.out.lines(
      `approved ${decidedText(decided)} of job ${name}; in a versioned bucket the earlier versions stay`,
    );
  });
}

const NOT_MEANT = Symbol('not meant');

/** The digest of what was shown, once it is meant. */
async function askFor(
  context: Context,
  daemon: ControlClient,
  name: string,
): Promise<string | typeof NOT_MEANT> {
  if (!isAskable(context))
    throw usageError(
      `approve what job ${name} holds: it must be named`,
      `\`holdfast jobs review ${name}\` shows it and its digest: approve that with --digest, or anything with --all`,
    );
  const held = await review(daemon, name);
  await showHeld(context, name, held);
  const isMeant = await askYesNo(context, `approve ${countText(held.first.total, 'change')}?`);
  return isMeant ? held.first.digest : NOT_MEANT;
}

export async function rejectJob(context: Context, name: string): Promise<void> {
  await context.withDaemon(async (daemon) => {
    const { signs, passed } = await daemon.call('jobs.review', { name, limit: 1 });
    const decided = await daemon.call('jobs.reject', { name });
    if (context.json) return context.out.json(decided);
    const since = signs?.since ?? (passed && passed.deletes > 0 ? passed.before : undefined);
    await context.out.lines(
      `rejected ${decidedText(decided)} of job ${name}; the objects stay as they are`,
      ...(decided.deletes > 0
        ? [`their files come back by: holdfast restore ${name} --in-place`]
        : []),
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

export async function acceptRoot(context: Context, name: string): Promise<void> {
  const job = await context.withDaemon((daemon) => daemon.call('jobs.acceptRoot', { name }));
  if (context.json) return context.out.json(job);
  await context.out.lines(
    `accepted the folder of job ${name} as it is now: ${stateText(job, context.out.paint)}`,
  );
}
