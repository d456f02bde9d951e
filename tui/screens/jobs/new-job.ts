/** The form of a new job. */

import { resolve } from 'node:path';

import { defined } from '../../../src/base/defined.ts';
import { isBucketName } from '../../../src/config/bucket-name.ts';
import { nameSchema } from '../../../src/config/schema-words.ts';
import { LOCAL_TARGET } from '../../../src/control/methods/target.ts';
import type { Ui } from '../../app/ui.ts';
import { FormOverlay } from '../../components/form.ts';
import type { Field, FormValues } from '../../components/form.ts';
import { fullPath } from '../../text/home-path.ts';
import { completedFolder } from './complete-folder.ts';

export async function newJob(ui: Ui): Promise<void> {
  const { targets } = await ui.call('targets.list', {});
  const names = [LOCAL_TARGET, ...targets.map(({ name }) => name)];
  ui.openOverlay(
    new FormOverlay(ui, {
      title: 'New job',
      said: ['Mirrors a folder into a bucket, of which every version is kept.'],
      fields: fieldsOf(ui, names),
      submit: (values) => add(ui, values),
    }),
  );
}

function fieldsOf(ui: Ui, targets: readonly string[]): Field[] {
  return [
    {
      name: 'folder',
      label: 'folder',
      help: 'the folder to mirror; Tab completes it',
      complete: (text) => completedFolder(text, ui.outside),
      check: (text) => (text.trim() === '' ? 'which folder is to be mirrored?' : undefined),
    },
    {
      name: 'target',
      label: 'target',
      value: LOCAL_TARGET,
      choices: targets,
      help: 'local is the embedded store; others are added by `holdfast target add`',
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

async function add(ui: Ui, values: FormValues): Promise<void> {
  const { folder = '', target, bucket, prefix, name } = values;
  const exclude = patternsOf(values['exclude'] ?? '');
  const spec = {
    folder: resolve(ui.outside.folder, fullPath(folder.trim(), ui.outside.userHome)),
    ...defined({
      target: target === LOCAL_TARGET ? undefined : target,
      bucket: bucket || undefined,
      prefix: prefix || undefined,
      name: name || undefined,
      exclude: exclude.length > 0 ? exclude : undefined,
    }),
  };
  const { job, existing, notes } = await ui.call('jobs.add', spec);
  if (existing) ui.warn(`${job.name} mirrors that folder there already`);
  else ui.tell(`${job.name}: mirroring ${job.folder} to ${job.target}/${job.bucket}/${job.prefix}`);
  for (const note of notes) ui.warn(note);
}

export function patternsOf(text: string): string[] {
  return text
    .split(',')
    .map((pattern) => pattern.trim())
    .filter(Boolean);
}
