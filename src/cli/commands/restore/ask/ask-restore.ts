/**
 * Implements `holdfast restore` without arguments on a terminal. The command asks what to restore, and to which folder.
 */

import { defined } from '../../../../base/defined.ts';
import { numberText } from '../../../../text/amounts.ts';
import { timeText } from '../../../../text/time.ts';
import { Answers, type Item } from '../../../arguments/answers.ts';
import { parseAt } from '../../../arguments/when.ts';
import type { Context } from '../../../context.ts';
import { isAskable } from '../../../output/ask.ts';
import { type CommandError, type ExitCode, usageError } from '../../../output/command-error.ts';
import { visible } from '../../../output/text.ts';
import { type Request, runRestore } from '../restore.ts';
import { askDestination } from './ask-destination.ts';
import type { Asking } from './asking.ts';
import { askedLine, typedTime } from './asked-line.ts';
import { pickDay } from './pick-day.ts';
import { pickFiles } from './pick-files.ts';
import { confirmPlan } from './show-plan.ts';
import { findJobs, type KnownJob } from './source.ts';

/** Asks, restores, and prints an equivalent command line. Changes nothing before the last answer. */
export async function askRestore(context: Context): Promise<ExitCode> {
  if (!isAskable(context) || context.io.env['TERM'] === 'dumb') throw needsArguments();
  const { jobs, open } = await findJobs(context);
  const answers = new Answers(context.io, { yes: false, command: 'restore' });
  const job = await askJob(answers, jobs).finally(() => answers.close());
  const source = await open(job.name);
  const request = await askRequest({ context, answers, source, job });
  const code = await runRestore(context, request);
  await context.remark(`to do the same again: ${askedLine(context, request)}`);
  return code;
}

function needsArguments(): CommandError {
  return usageError(
    'cannot restore: without a terminal, it needs JOB, and --to DIR or --in-place',
    'to another folder: holdfast restore JOB --to DIR; to the folder of the job: holdfast restore JOB --in-place; on a new machine: holdfast restore --from s3://BUCKET --to DIR',
  );
}

async function askJob(answers: Answers, jobs: readonly KnownJob[]): Promise<KnownJob> {
  const [only] = jobs;
  if (only && jobs.length === 1) return only;
  const explained = jobs.map(({ name, folder, bucket, target }, index): Item => {
    return [`${index + 1}  ${name}`, visible(`${folder}, in bucket ${bucket} (${target})`)];
  });
  const question = {
    text: 'Job',
    explained: ['Restore files of which job?', ...explained],
    option: 'JOB',
    complete: (typed: string) =>
      jobs.map(({ name }) => name).filter((name) => name.startsWith(typed)),
  };
  return answers.ask(question, (answer) => {
    const job = jobs.find(({ name }, index) => [name, `${index + 1}`].includes(answer));
    if (job) return job;
    throw usageError(
      `"${answer}" is not in the list`,
      `type a name, or a number from 1 to ${numberText(jobs.length)}`,
    );
  });
}

/**
 * Asks the questions and then closes the source, because a restore without a daemon opens the store itself.
 */
async function askRequest(asking: Asking): Promise<Request> {
  const { answers, source, job } = asking;
  try {
    const { at, paths } = await askFiles(asking);
    const selected = paths.length === 0 ? undefined : [...paths];
    const asked = { job: job.name, ...defined({ at, paths: selected }) };
    const { to, stream } = await askDestination(asking, asked);
    const request = { ...asked, ...defined({ to }) };
    await confirmPlan(asking, request, stream);
    return request;
  } finally {
    answers.close();
    await source.close();
  }
}

interface Selected {
  readonly at: number | undefined;
  readonly paths: readonly string[];
}

/** Asks for the time and the files until the user has chosen both. */
async function askFiles(asking: Asking): Promise<Selected> {
  const { context, answers, source, job } = asking;
  for (;;) {
    const at = await askTime(asking);
    const state = at === undefined ? 'as it is now' : `as of ${timeText(at)}`;
    answers.close();
    const title = `Restore ${job.name} ${state}`;
    const picked = await pickFiles(context, source, { job: job.name, at, title });
    if (picked.is === 'files') {
      const { paths } = picked;
      say(context, `${title}: ${filesText(paths)}\n`);
      return { at, paths };
    }
    if (picked.is === 'empty') say(context, emptyText(job.name, at));
  }
}

const NAMED = 5;

function filesText(paths: readonly string[]): string {
  if (paths.length === 0) return 'all files';
  const more = paths.length - NAMED;
  const named = paths.slice(0, NAMED).map(visible);
  return [...named, ...(more > 0 ? [`and ${numberText(more)} more`] : [])].join(', ');
}

function emptyText(job: string, at: number | undefined): string {
  if (at === undefined)
    return `  job ${job} has no files now; for files that were deleted, choose an earlier time\n`;
  return `  job ${job} had no files at ${timeText(at)}; choose a later time\n`;
}

function say({ io }: Context, text: string): void {
  io.stderr.write(text);
}

/** Returns the chosen time in milliseconds since 1970. Returns undefined for the current time. */
async function askTime({ context, answers, source, job }: Asking): Promise<number | undefined> {
  const { clock } = context.io;
  const question = {
    text: 'Time',
    explained: [
      `Restore job ${job.name} as of which time?`,
      ['now', 'The current state.'],
      ['c', 'Choose a day from a calendar of the changes.'],
      ['a time', '"2h ago", "yesterday 14:00", "last tuesday" or "2026-11-20 14:00".'],
    ] as const,
    proposed: 'now',
    option: '--at',
  };
  for (;;) {
    const answer = await answers.ask(question, (typed) => {
      if (/^c(?:alendar)?$/i.test(typed)) return 'calendar';
      return typed.toLowerCase() === 'now'
        ? undefined
        : typedTime(parseAt(typed, clock.now()), clock.now()).at;
    });
    if (answer !== 'calendar') return answer;
    answers.close();
    const chosen = await pickDay(context, source, job.name);
    if (chosen.is === 'time') return chosen.at;
  }
}
