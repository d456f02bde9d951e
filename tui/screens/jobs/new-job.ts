/** The form of a new job. */

import { resolve } from 'node:path';

import { defined } from '../../../src/base/defined.ts';
import { isBucketName } from '../../../src/config/bucket-name.ts';
import { nameSchema } from '../../../src/config/schema-words.ts';
import { LOCAL_TARGET } from '../../../src/control/local-target.ts';
import type { Params, Result } from '../../../src/control/messages.ts';
import type { Ui } from '../../app/ui.ts';
import { FormOverlay } from '../../components/form.ts';
import type { Field, FormValues } from '../../components/form.ts';
import type { Question } from '../../keys/command.ts';
import { fullPath } from '../../text/home-path.ts';
import { completedFolder } from '../../acts/complete-path.ts';
import { diffLines, problemText } from './config-diff.ts';
import { placeText } from './job-text.ts';
import { openNewTarget } from './new-target.ts';

/** In place of a target: one that is not there yet. */
const ANOTHER = 'another service';

/** `typed`: what was filled in before. */
export async function newJob(ui: Ui, typed: FormValues = {}): Promise<void> {
  const { targets } = await ui.call('targets.list', {});
  const names = [LOCAL_TARGET, ...targets.map(({ name }) => name), ANOTHER];
  ui.openOverlay(
    new FormOverlay(ui, {
      title: 'New job',
      act: 'make',
      said: ['Mirrors a folder into a bucket, of which every version is kept.'],
      fields: fieldsOf(ui, names),
      values: typed,
      submit: async (values) =>
        values['target'] === ANOTHER ? withNewTarget(ui, values) : add(ui, values),
    }),
  );
}

/** The target first; then the job goes on where it was. */
function withNewTarget(ui: Ui, values: FormValues): void {
  const goOn = (target: string) => void ui.attempt(() => newJob(ui, { ...values, target }));
  void ui.attempt(() => openNewTarget(ui, { added: goOn, left: () => goOn(LOCAL_TARGET) }));
}

function fieldsOf(ui: Ui, targets: readonly string[]): Field[] {
  return [
    {
      name: 'folder',
      label: 'folder',
      help: 'the folder to mirror; Tab completes it',
      complete: (text) => completedFolder(text, ui.outside),
      check: (text) => (text.trim() === '' ? 'which one is to be mirrored?' : undefined),
    },
    {
      name: 'target',
      label: 'target',
      value: LOCAL_TARGET,
      choices: targets,
      help: `local is the embedded store; ${ANOTHER}: asks for it, then goes on here`,
    },
    {
      name: 'bucket',
      label: 'bucket',
      help: 'empty: named after the folder; made where it is missing',
      check: (text) =>
        text === '' || isBucketName(text)
          ? undefined
          : '3 to 63 lower-case letters, digits, dots and hyphens, with a letter or digit at both ends',
    },
    {
      name: 'prefix',
      label: 'prefix',
      help: 'empty: the whole bucket; else ends in /',
      check: (text) =>
        text === '' || (text.endsWith('/') && !text.startsWith('/'))
          ? undefined
          : 'ends in / and does not start with it',
    },
    {
      name: 'name',
      label: 'name',
      help: 'empty: named after the bucket',
      check: (text) => checkName(ui, text),
    },
    {
      name: 'exclude',
      label: 'exclude',
      help: 'patterns as in .gitignore, with commas between them: *.tmp, /build/',
    },
  ];
}

function checkName(ui: Ui, text: string): string | undefined {
  if (text === '') return undefined;
  if (ui.status.job(text)) return 'there is a job of that name';
  return nameSchema.safeParse(text).error?.issues[0]?.message;
}

/** What it would be is shown before it is written. Rejects with why it cannot be, or when it was not meant. */
async function add(ui: Ui, values: FormValues): Promise<void> {
  const spec = specOf(ui, values);
  const plan = await ui.call('jobs.plan', spec);
  if (plan.existing) throw new Error(`job ${plan.name} mirrors that folder there already`);
  if (plan.problems.length > 0) throw new Error(problemText(plan.problems));
  if (!(await ui.ask(planQuestion(ui, spec, plan)))) {
    throw new Error('no job was made; go on, or leave with Esc');
  }
  const { job, notes } = await ui.call('jobs.add', spec);
  ui.tell(`${job.name}: mirroring ${job.folder} to ${placeText(job)}`);
  for (const note of notes) ui.warn(note);
}

type Spec = Params<'jobs.plan'>;

function planQuestion({ look }: Ui, { folder }: Spec, plan: Result<'jobs.plan'>): Question {
  const { name, bucket, bucketExists, notes, diff } = plan;
  return {
    title: `Make job ${name}?`,
    facts: [
      look.name(folder),
      bucketExists
        ? `Bucket ${look.name(bucket)} is there: what is equal is not sent again, and nothing in it is removed unseen.`
        : `Bucket ${look.name(bucket)} is made, with versions and object lock.`,
      ...notes.map((note) => look.name(note)),
      '',
      ...diffLines(diff, look),
    ],
  };
}

function specOf(ui: Ui, values: FormValues): Spec {
  const { folder = '', target, bucket, prefix, name } = values;
  const exclude = patternsOf(values['exclude'] ?? '');
  return {
    folder: resolve(ui.outside.folder, fullPath(folder.trim(), ui.outside.userHome)),
    ...defined({
      target: target === LOCAL_TARGET ? undefined : target,
      bucket: bucket || undefined,
      prefix: prefix || undefined,
      name: name || undefined,
      exclude: exclude.length > 0 ? exclude : undefined,
    }),
  };
}

function patternsOf(text: string): string[] {
  return text
    .split(',')
    .map((pattern) => pattern.trim())
    .filter(Boolean);
}
