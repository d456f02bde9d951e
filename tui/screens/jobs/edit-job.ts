/** The settings of a job in a form; the lines of `config.yaml` that change are shown before they are written. */

import { isDeepStrictEqual } from 'node:util';

import type { Result } from '../../../src/control/messages.ts';
import type { Ui } from '../../app/ui.ts';
import { FormOverlay } from '../../components/form.ts';
import type { Field, FormValues } from '../../components/form.ts';
import { settingText } from '../../text/setting-text.ts';
import { diffLines, problemText } from './config-diff.ts';

type Settings = Result<'jobs.get'>;
type Changes = Readonly<Record<string, unknown>>;

/** With another one of these, all is compared anew. */
const PLACE = ['folder', 'bucket', 'prefix', 'target'] as const;

export async function editJob(ui: Ui, name: string): Promise<void> {
  // YAML and the rules of settings are needed by nothing that is drawn first.
  const [settings, { readSetting }, { choicesOf }] = await Promise.all([
    ui.call('jobs.get', { name }),
    import('./settings.ts'),
    import('../../../src/config/job-options.ts'),
  ]);
  const fields = settings.options
    .filter((option) => option !== 'name')
    .map((option) => fieldOf(option, settings, { readSetting, choices: choicesOf(option) }));
  const save = async (values: FormValues) => {
    const changes = changesOf(settings, values, readSetting);
    if (Object.keys(changes).length === 0) return ui.tell(`${name}: nothing was changed`);
    await saveJob(ui, { name, changes, settings });
  };
  ui.openOverlay(
    new FormOverlay(ui, {
      title: `Edit ${name}`,
      said: ['Empty: the default holds. The lines that change are shown before they are written.'],
      fields,
      submit: save,
    }),
  );
}

type ReadSetting = (text: string) => { readonly value?: unknown; readonly problem?: string };

interface Reading {
  readonly readSetting: ReadSetting;
  readonly choices: readonly string[] | undefined;
}

function fieldOf(option: string, settings: Settings, { readSetting, choices }: Reading): Field {
  const value = settingText(settings.settings[option]);
  const byDefault = settingText(settings.defaults[option]);
  const help = byDefault === '' ? 'not set by default' : `by default: ${byDefault}`;
  if (choices) {
    const none = defaultChoice(settings, option);
    const shown = value === '' ? none : value;
    return { name: option, label: option, help, value: shown, choices: [none, ...choices] };
  }
  const check = (text: string) => (text === '' ? undefined : readSetting(text).problem);
  return { name: option, label: option, help, value, check };
}

/** What is chosen where nothing is to be said: `(keep-both)`. */
function defaultChoice({ defaults }: Settings, option: string): string {
  return `(${settingText(defaults[option]) || 'none'})`;
}

/** Null: the option is taken out. */
function changesOf(settings: Settings, values: FormValues, readSetting: ReadSetting): Changes {
  const changes: Record<string, unknown> = {};
  for (const [option, typed] of Object.entries(values)) {
    const text = typed === defaultChoice(settings, option) ? '' : typed;
    const before = settings.settings[option];
    if (text === settingText(before)) continue;
    const after = text === '' ? null : readSetting(text).value;
    if (!isDeepStrictEqual(after, before)) changes[option] = after;
  }
  return changes;
}

interface Edit {
  readonly name: string;
  readonly changes: Changes;
  readonly settings: Settings;
}

/** Rejects with what is wrong, or when it was not meant: the form stays. */
export async function saveJob(ui: Ui, { name, changes, settings }: Edit): Promise<void> {
  const { diff, problems } = await ui.call('jobs.edit', { name, changes, dryRun: true });
  if (problems.length > 0) throw new Error(problemText(problems));
  const facts = [...placeFacts(changes), ...diffLines(diff, ui.look)];
  if (!(await ui.ask({ title: `Write this to config.yaml?`, facts }))) {
    throw new Error('nothing was written; go on, or leave with Esc');
  }
  await write(ui, name, changes);
  const before = Object.keys(changes).map((option) => {
    return [option, settings.settings[option] ?? null] as const;
  });
  ui.tellUndoable(`${name}: its settings are written, and hold`, () =>
    write(ui, name, Object.fromEntries(before)),
  );
}

async function write(ui: Ui, name: string, changes: Changes): Promise<void> {
  const { job, problems } = await ui.call('jobs.edit', { name, changes, dryRun: false });
  if (!job) throw new Error(problems[0]?.message ?? 'it could not be written');
}

function placeFacts(changes: Changes): string[] {
  return PLACE.some((option) => Object.hasOwn(changes, option))
    ? ['Another folder or place: both sides are compared anew. What is in the old place stays.', '']
    : [];
}
