/** Edits a job's settings in a form. Before the dashboard writes `config.yaml`, it shows the changed lines. */

import type { Result } from '../../src/control/messages.ts';
import type { Ui } from '../ui/ui.ts';
import { FormOverlay } from '../widgets/form.ts';
import type { FormValues } from '../widgets/form.ts';
import type { Question } from '../commands/command.ts';
import { diffLines, problemText } from './config-diff.ts';
import { complianceFacts, isCompliance } from './lock-facts.ts';

type Settings = Result<'jobs.get'>;
type Changes = Readonly<Record<string, unknown>>;

/** If one of these options changes, the job must compare all files again. */
const PLACE = ['folder', 'bucket', 'prefix', 'target'] as const;

export async function editJob(ui: Ui, name: string): Promise<void> {
  // The schema is loaded here, because the first screen does not need it.
  const [jobSettings, { changedOptions, optionField, optionsInGroups }] = await Promise.all([
    ui.call('jobs.get', { name }),
    import('./option-field.ts'),
  ]);
  const { settings, defaults, options } = jobSettings;
  const shown = optionsInGroups(options.filter((option) => option !== 'name'));
  const save = async (values: FormValues) => {
    const changes = changedOptions(settings, defaults, values);
    if (Object.keys(changes).length === 0) return ui.notify(`${name}: nothing was changed`);
    await saveJob(ui, { name, changes, settings });
  };
  ui.openOverlay(
    new FormOverlay(ui, {
      title: `Edit ${name}`,
      said: ['An empty field means the default. You see the changed lines before they are saved.'],
      fields: shown.map((option) =>
        optionField(option, settings[option.name], defaults[option.name]),
      ),
      submit: save,
    }),
  );
}

interface Edit {
  readonly name: string;
  readonly changes: Changes;
  readonly settings: Settings['settings'];
}

/**
 * Saves the changed settings after a confirmation. Rejects if saving fails or the user declines, so that the form stays
 * open.
 */
export async function saveJob(ui: Ui, edit: Edit): Promise<void> {
  const { name, changes, settings } = edit;
  const { diff, problems } = await ui.call('jobs.edit', { name, changes, dryRun: true });
  if (problems.length > 0) throw new Error(problemText(problems));
  if (!(await ui.ask(editQuestion(ui, edit, diff)))) {
    throw new Error('nothing was saved; change a field, or press Esc to cancel');
  }
  await write(ui, name, changes);
  const before = Object.keys(changes).map((option) => [option, settings[option] ?? null] as const);
  ui.notifyUndoable(
    `${name}: its settings are saved and in effect`,
    () => write(ui, name, Object.fromEntries(before)),
    `${name}: its previous settings are in effect again`,
  );
}

/**
 * Returns the question before the settings are saved. The user must type the name for a COMPLIANCE lock, because
 * versions with this lock keep it even if the settings change later.
 */
function editQuestion(
  { look }: Ui,
  { name, changes }: Edit,
  diff: Result<'jobs.edit'>['diff'],
): Question {
  const facts = [
    ...placeFacts(changes),
    ...complianceFacts(changes['lock']),
    ...(changes['lock'] === null ? ['New versions will not be locked.'] : []),
    ...diffLines(diff, look),
  ];
  const isFinal = isCompliance(changes['lock']);
  return { title: 'Write this to config.yaml?', facts, ...(isFinal ? { type: name } : {}) };
}

async function write(ui: Ui, name: string, changes: Changes): Promise<void> {
  const { job, problems } = await ui.call('jobs.edit', { name, changes, dryRun: false });
  if (!job) throw new Error(problems[0]?.message ?? 'it could not be saved');
}

function placeFacts(changes: Changes): string[] {
  return PLACE.some((option) => Object.hasOwn(changes, option))
    ? [
        'The folder or the destination changes: the job compares both again. Objects in the old destination stay.',
        '',
      ]
    : [];
}
