/** The palette command `job`, such as `:job photos` or `:job photos pause`. */

import type { Ui } from '../../ui/ui.ts';
import type { Action } from '../../commands/command.ts';
import type { Phrase } from '../../ui/phrase.ts';
import { JobScreen } from './job-screen.ts';

const VERBS = {
  open: undefined,
  run: 'job.run',
  pause: 'job.pause',
  stop: 'job.pause',
  resume: 'job.pause',
  review: 'job.review',
  reject: 'job.reject',
  why: 'job.why',
  verify: 'job.verify',
  drill: 'job.drill',
  keep: 'job.keep',
  settle: 'job.settle',
  edit: 'job.edit',
  'accept-root': 'job.acceptRoot',
  'take-over': 'job.takeOver',
  remove: 'job.remove',
} as const;

type Verb = keyof typeof VERBS;

const isVerb = (word: string): word is Verb => Object.hasOwn(VERBS, word);

export const JOB_PHRASES: readonly Phrase[] = [
  {
    name: 'job',
    usage: 'job NAME run|pause|resume|…',
    title: 'open a job, or run an action on it',
    needsArgument: true,
    complete: completed,
    run: runPhrase,
  },
];

function completed(ui: Ui, argument: string): readonly string[] {
  const [name = '', verb] = argument.split(/\s+/);
  if (verb !== undefined) {
    const verbs = Object.keys(VERBS).filter((each) => each.startsWith(verb));
    return ui.status.job(name) ? verbs.map((each) => `${name} ${each}`) : [];
  }
  return ui.status.jobs.map((job) => job.name).filter((each) => each.startsWith(name));
}

/**
 * Opens the job's screen and runs the action there, so that its questions and messages appear on
 * that screen.
 */
async function runPhrase(ui: Ui, argument: string): Promise<void> {
  const [name = '', verb = 'open'] = argument.split(/\s+/);
  const job = ui.status.job(name);
  if (!job) {
    const names = ui.status.jobs.map((each) => each.name).join(', ') || 'none';
    throw new Error(`unknown job "${name}": the jobs are ${names}`);
  }
  if (!isVerb(verb)) {
    throw new Error(
      `"${verb}" is not an action of a job: use one of ${Object.keys(VERBS).join(', ')}`,
    );
  }
  if ((verb === 'pause' || verb === 'stop') && job.state === 'paused')
    return ui.notify(`${name} is paused already`);
  if (verb === 'resume' && job.state !== 'paused') return ui.notify(`${name} is not paused`);
  const screen = new JobScreen(ui, name);
  ui.router.open(screen);
  await runAction(ui, screen, verb);
}

/**
 * Runs the action as its key would: the action may be unavailable for a reason, or ask a question
 * first.
 */
async function runAction(ui: Ui, screen: JobScreen, verb: Verb): Promise<void> {
  const id = VERBS[verb];
  const action: Action | undefined = id === undefined ? undefined : screen.actions[id];
  if (!action) return;
  const why = ui.link.whyDown ?? action.why?.();
  if (why !== undefined) return ui.refuse(verb, why);
  const question = await action.ask?.(undefined);
  if (question && !(await ui.ask(question))) return;
  await action.run(undefined);
}
