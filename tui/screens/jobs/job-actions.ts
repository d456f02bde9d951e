/** Actions on jobs, for all screens on which the user can select a job. */

import { defined } from '../../../src/base/defined.ts';
import type { JobStatus } from '../../../src/control/shapes.ts';
import type { Ui } from '../../ui/ui.ts';
import type { Question, SafeAction } from '../../commands/command.ts';
import type { ActionsFor } from '../../commands/screen-commands.ts';
import { about } from '../../commands/about.ts';
import { live } from '../../commands/live.ts';
import { dayText, shortDurationText } from '../../../src/text/time.ts';
import { countText } from '../../../src/text/amounts.ts';
import { ChartsScreen } from '../charts/charts-screen.ts';
import { openBucket } from '../objects/open-bucket.ts';
import { openRestore } from '../restore/open-restore.ts';
import { shortPath } from '../../text/home-path.ts';
import { placeText } from './job-text.ts';
import { editJob } from '../../acts/edit-job.ts';
import { keepAction } from './keep.ts';
import { newJob } from './new-job.ts';
import { openNewTarget } from '../../acts/new-target.ts';
import { drill, drillQuestion, openVerify } from './prove.ts';
import { reject, rejectQuestion } from './held-answers.ts';
import { ReviewScreen } from './review-screen.ts';
import { askWhyPath, showWhy } from './why.ts';

export interface ChosenJobs {
  /** Returns the job for actions on a single job. */
  readonly current: () => JobStatus | undefined;
  /** Returns the marked jobs, or the job under the cursor if none is marked. */
  readonly all: () => readonly JobStatus[];
}

export function jobActions(ui: Ui, chosen: ChosenJobs): ActionsFor<'jobs'> {
  const single = (run: Run, why?: Why): SafeAction => {
    return {
      why: () => withJob(chosen.current(), why),
      run: async () => {
        const job = chosen.current();
        if (job) await run(job);
      },
    };
  };
  const asking = (run: Run, ask: (job: JobStatus) => Question | Promise<Question>, why?: Why) => {
    const question = (job: JobStatus) => live(() => ask(ui.status.job(job.name) ?? job));
    const rules = { ask: question, run, ...defined({ why }) };
    return about(chosen.current, () => NO_JOB, rules);
  };
  return {
    'job.pause': {
      why: () => withJob(chosen.all()[0]),
      hint: () => (pausing(chosen.all()).length > 0 ? 'pause' : 'resume'),
      run: () => turn(ui, chosen.all()),
    },
    'job.run': single((job) => runNow(ui, job), whyNotRun),
    'job.review': single((job) => ui.router.open(new ReviewScreen(ui, job.name)), whyNothingHeld),
    'job.reject': asking(
      (job) => reject(ui, job.name),
      (job) => rejectQuestion(ui, job.name),
      whyNothingHeld,
    ),
    'job.why': single((job) => showWhy(ui, job)),
    'job.whyPath': single((job) => askWhyPath(ui, job)),
    'job.settle': single((job) => settle(ui, job)),
    'job.verify': single((job) => openVerify(ui, job)),
    'job.drill': asking(
      (job) => drill(ui, job),
      (job) => drillQuestion(ui, job),
    ),
    'job.keep': keepAction(ui, chosen.current),
    'job.acceptRoot': asking(
      (job) => acceptRoot(ui, job),
      (job) => acceptRootQuestion(ui, job),
      ({ state }) => (state === 'root missing' ? undefined : 'its folder is not missing'),
    ),
    'job.takeOver': asking(
      (job) => takeOver(ui, job),
      (job) => takeOverQuestion(ui, job),
    ),
    'job.charts': { run: () => ui.router.open(new ChartsScreen(ui, chosen.current()?.name)) },
    'job.bucket': single(({ target, bucket, prefix }) =>
      openBucket(ui, { target, bucket }, prefix),
    ),
    'job.restore': single((job) => openRestore(ui, job.name)),
    'job.edit': single((job) => editJob(ui, job.name)),
    'job.new': { run: () => newJob(ui) },
    'job.newTarget': { run: () => openNewTarget(ui) },
    'job.remove': asking(
      (job) => remove(ui, job),
      (job) => removeQuestion(ui, job),
    ),
  };
}

type Run = (job: JobStatus) => void | Promise<void>;
type Why = (job: JobStatus) => string | undefined;

const NO_JOB = 'no job is chosen';

function withJob(job: JobStatus | undefined, why: Why = () => undefined): string | undefined {
  return job ? why(job) : NO_JOB;
}

function pausing(jobs: readonly JobStatus[]): readonly JobStatus[] {
  return jobs.filter(({ state }) => state !== 'paused');
}

/** Resumes the jobs if all of them are paused. Otherwise pauses the jobs that are not paused. */
async function turn(ui: Ui, jobs: readonly JobStatus[]): Promise<void> {
  const toPause = pausing(jobs);
  const [turned, does, undoes] =
    toPause.length > 0
      ? ([toPause, 'jobs.pause', 'jobs.resume'] as const)
      : ([jobs, 'jobs.resume', 'jobs.pause'] as const);
  const names = turned.map(({ name }) => name);
  for (const name of names) await ui.call(does, { name });
  const word = does === 'jobs.pause' ? 'paused' : 'resumed';
  const said = names.length > 3 ? countText(names.length, 'job') : names.join(', ');
  ui.notifyUndoable(`${word} ${said}`, async () => {
    for (const name of names) await ui.call(undoes, { name });
  });
}

function whyNotRun({ state }: JobStatus): string | undefined {
  return state === 'paused' ? 'it is paused: press p to resume it' : undefined;
}

function whyNothingHeld({ counts, brake, state }: JobStatus): string | undefined {
  const isHeld = counts.held > 0 || state === 'held' || brake?.alarmSince !== undefined;
  return isHeld ? undefined : 'no changes are held for review';
}

async function runNow(ui: Ui, { name }: JobStatus): Promise<void> {
  await ui.call('jobs.run', { name });
  ui.notify(`${name}: a full round has begun`);
}

async function settle(ui: Ui, { name }: JobStatus): Promise<void> {
  const { job, seconds } = await ui.work(`waiting for ${name} (:stop ends it)`, ({ abort }) =>
    ui.call('jobs.settled', { name }, { signal: abort.signal }),
  );
  const took = shortDurationText(seconds * 1_000);
  if (job.inSync) return ui.notify(`${name}: all changes are in the bucket (${took})`);
  const left = job.counts.problems + job.counts.held + job.counts.conflicts;
  ui.warn(`${name}: ${job.state} after ${took}; ${countText(left, 'decision')} left: press w`);
}

function acceptRootQuestion({ look }: Ui, { name, folder, reason }: JobStatus): Question {
  return {
    title: `Accept the folder of ${name}?`,
    facts: [
      look.name(folder),
      ...(reason === undefined ? [] : [look.name(reason)]),
      'The job backs up its present content from now on. It deletes missing files in the bucket; all versions stay. It holds many deletes at once for your review.',
    ],
  };
}

async function acceptRoot(ui: Ui, { name }: JobStatus): Promise<void> {
  const job = await ui.call('jobs.acceptRoot', { name });
  ui.notify(`${name}: the folder is accepted; ${job.state}`);
}

function takeOverQuestion({ look }: Ui, job: JobStatus): Question {
  return {
    title: `Take over the destination of ${job.name}?`,
    facts: [
      look.name(placeText(job)),
      ...(job.reason === undefined ? [] : [look.name(job.reason)]),
      'Do this only if the job that owned it was removed: two jobs with one destination undo each other.',
    ],
  };
}

async function takeOver(ui: Ui, { name }: JobStatus): Promise<void> {
  const { from } = await ui.call('jobs.takeOver', { name });
  const whose = from ? ` from ${from.job ?? 'another job'}` : '';
  ui.notify(`${name}: took over its destination${whose}`);
}

function removeQuestion(ui: Ui, job: JobStatus): Question {
  const { name, locks, counts } = job;
  const { look } = ui;
  const first =
    locks?.earliestUntil === undefined ? '' : `; the first ends ${dayText(locks.earliestUntil)}`;
  return {
    title: `Remove job ${name}?`,
    facts: [
      `Holdfast stops backing up ${look.name(shortPath(job.folder, ui.outside.userHome))}. ${look.name(placeText(job))} keeps all objects, versions and locks.`,
      ...(counts.pending > 0
        ? [`${countText(counts.pending, 'pending change')} will not be uploaded.`]
        : []),
      ...(locks && locks.locked > 0
        ? [`The locks of ${countText(locks.locked, 'version')} will no longer be renewed${first}.`]
        : []),
    ],
    type: name,
  };
}

async function remove(ui: Ui, { name }: JobStatus): Promise<void> {
  const { notes = [] } = await ui.call('jobs.remove', { name });
  ui.notify(`removed job ${name}; its bucket and all versions stay`);
  for (const note of notes) ui.warn(note);
}
