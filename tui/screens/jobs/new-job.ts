/** The form for a new job. */

import { resolve } from 'node:path';

import { defined } from '../../../src/base/defined.ts';
import { LOCAL_TARGET } from '../../../src/control/local-target.ts';
import type { Params, Result } from '../../../src/control/messages.ts';
import type { Ui } from '../../ui/ui.ts';
import { FormOverlay } from '../../widgets/form.ts';
import type { Field, FormValues } from '../../widgets/form.ts';
import type { Question } from '../../commands/command.ts';
import { fullPath } from '../../text/home-path.ts';
import { completedFolder } from '../../acts/complete-path.ts';
import { diffLines, problemText } from '../../acts/config-diff.ts';
import { complianceFacts, isCompliance } from '../../acts/lock-facts.ts';
import { placeText } from './job-text.ts';
import type * as OptionFields from '../../acts/option-field.ts';
import { openNewTarget } from '../../acts/new-target.ts';

/** The choice that opens the form for a new target. */
const ANOTHER = 'another service';

/** Opens the form for a new job. `typed` contains the values that the user entered before. */
export async function newJob(ui: Ui, typed: FormValues = {}): Promise<void> {
  const [{ targets }, options] = await Promise.all([
    ui.call('targets.list', {}),
    // The schema is loaded here, because the first screen does not need it.
    import('../../acts/option-field.ts'),
  ]);
  const names = [LOCAL_TARGET, ...targets.map(({ name }) => name), ANOTHER];
  ui.openOverlay(
    new FormOverlay(ui, {
      title: 'New job',
      act: 'create',
      fields: fieldsOf(ui, names, options),
      values: typed,
      submit: async (values) =>
        values['target'] === ANOTHER
          ? withNewTarget(ui, values)
          : add(ui, specOf(ui, values, options)),
    }),
  );
}

/** Opens the form for a new target. Afterwards opens the job form again with the values that the user already typed. */
function withNewTarget(ui: Ui, values: FormValues): void {
  const resume = (target: string) => void ui.attempt(() => newJob(ui, { ...values, target }));
  void ui.attempt(() => openNewTarget(ui, { added: resume, left: () => resume(LOCAL_TARGET) }));
}

type Options = typeof OptionFields;

function fieldsOf(ui: Ui, targets: readonly string[], options: Options): Field[] {
  const { optionField, optionOf, optionProblem } = options;
  const field = (name: string, more: Partial<Field> = {}): Field => {
    return { ...optionField(optionOf(name), undefined), group: undefined, ...more };
  };
  const optional = (name: string) => (text: string) =>
    text === '' ? undefined : optionProblem(name, text);
  return [
    field('folder', {
      help: 'folder to back up; every version is kept',
      complete: (text) => completedFolder(text, ui.outside),
    }),
    field('target', {
      value: LOCAL_TARGET,
      choices: targets,
      help: `local is the embedded store; ${ANOTHER}: asks for it, then continues here`,
    }),
    field('bucket', {
      placeholder: 'named after the folder',
      help: 'the bucket for the backup; created if it does not exist',
      check: optional('bucket'),
    }),
    field('prefix'),
    field('name', {
      placeholder: 'named after the bucket',
      check: (text) => (ui.status.job(text) ? 'a job of this name exists' : optional('name')(text)),
    }),
    ...OPTIONS.map((name) => field(name)),
  ];
}

/** The options in the form. The user can edit the other options later. */
const OPTIONS = ['lock', 'keep', 'exclude'] as const;

/** Adds the job after a confirmation that shows the change. Rejects if adding fails or the user declines. */
async function add(ui: Ui, spec: Spec): Promise<void> {
  const plan = await ui.call('jobs.plan', spec);
  if (plan.existing)
    throw new Error(`job ${plan.name} backs up this folder to this destination already`);
  if (plan.problems.length > 0) throw new Error(problemText(plan.problems));
  if (!(await ui.ask(planQuestion(ui, spec, plan)))) {
    throw new Error('no job was created; change a field, or press Esc to cancel');
  }
  const { job, notes } = await ui.call('jobs.add', spec);
  ui.notify(`${job.name}: backing up ${job.folder} to ${placeText(job)}`);
  for (const note of notes) ui.warn(note);
}

type Spec = Params<'jobs.plan'>;

function planQuestion({ look }: Ui, spec: Spec, plan: Result<'jobs.plan'>): Question {
  const { folder, lock } = spec;
  const { name, bucket, bucketExists, notes, diff } = plan;
  return {
    title: `Create job ${name}?`,
    facts: [
      look.name(folder),
      bucketExists
        ? `Bucket ${look.name(bucket)} exists: files that it contains are not uploaded again. Other objects stay.`
        : `Bucket ${look.name(bucket)} will be created, with versioning and object lock.`,
      ...notes.map((note) => look.name(note)),
      '',
      ...complianceFacts(lock),
      ...diffLines(diff, look),
    ],
    ...(isCompliance(lock) ? { type: name } : {}),
  };
}

function specOf(ui: Ui, values: FormValues, { changedOptions }: Options): Spec {
  const { folder = '', target, bucket, prefix, name, lock, keep, exclude } = values;
  const options = changedOptions({}, {}, defined({ lock, keep, exclude }));
  return {
    folder: resolve(ui.outside.folder, fullPath(folder.trim(), ui.outside.userHome)),
    ...defined({
      target: target === LOCAL_TARGET ? undefined : target,
      bucket: bucket || undefined,
      prefix: prefix || undefined,
      name: name || undefined,
    }),
    ...(options as Pick<Spec, (typeof OPTIONS)[number]>),
  };
}
