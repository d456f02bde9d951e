/** Creates form fields for a job's options from the schema of `config.yaml`. Loaded when a form opens. */

import { jobOptions, OPTION_GROUPS, optionProblem } from '../../src/config/job-options.ts';
import type { JobOption } from '../../src/config/job-options.ts';
import { optionText, readOptionValue } from '../../src/config/option-value.ts';
import type { Field, FormValues } from '../widgets/form.ts';

export { optionProblem };

type Members = Readonly<Record<string, unknown>>;

/** Returns the options in the order of the form: by group, then in schema order. */
export function optionsInGroups(names: readonly string[]): readonly JobOption[] {
  const options = jobOptions().filter(({ name }) => names.includes(name));
  return OPTION_GROUPS.flatMap((group) => options.filter((option) => option.group === group));
}

export function optionOf(name: string): JobOption {
  const option = jobOptions().find((each) => each.name === name);
  if (!option) throw new Error(`${name} is not an option of a job`);
  return option;
}

/**
 * Creates the form field for an option. `inherited` is the value that applies while the field is empty, if it differs
 * from the schema's default.
 */
export function optionField(option: JobOption, value: unknown, inherited?: unknown): Field {
  const { name, label, group } = option;
  const text = optionText(name, value);
  const placeholder = defaultText(option, inherited);
  const common = { name, label, group, placeholder, help: helpOf(option, inherited) };
  if (option.choices) {
    const none = defaultChoice(option, inherited);
    const choices = [none, ...option.choices];
    return { ...common, value: text === '' ? none : text, choices, choiceText: wordsOf(option) };
  }
  return { ...common, value: text, check: (typed) => problemOf(option, typed, inherited) };
}

/** Returns the form values that differ from the settings. Null removes an option, so that its default applies. */
export function changedOptions(settings: Members, defaults: Members, values: FormValues): Members {
  const changes: Record<string, unknown> = {};
  for (const option of jobOptions()) {
    const { name } = option;
    const typed = values[name];
    if (typed === undefined) continue;
    const text = typed === defaultChoice(option, defaults[name]) ? '' : typed.trim();
    if (text === optionText(name, settings[name])) continue;
    changes[name] = readOptionValue(name, text);
  }
  return changes;
}

function problemOf(option: JobOption, typed: string, inherited: unknown): string | undefined {
  const { name, example, unset, byDefault } = option;
  if (typed.trim() === '') {
    const isRequired = unset === undefined && byDefault === undefined && inherited === undefined;
    return isRequired ? 'is required' : undefined;
  }
  const problem = optionProblem(name, readOptionValue(name, typed));
  return problem === undefined || example === undefined
    ? problem
    : `${problem}; such as ${example}`;
}

/**
 * Returns a function that replaces a value of the option with the word that the form shows, such as `remote` with
 * `bucket`.
 */
function wordsOf({ choiceTexts = {} }: JobOption): (text: string) => string {
  return (text) => text.replace(/[\w-]+/, (value) => choiceTexts[value] ?? value);
}

function helpOf(option: JobOption, inherited: unknown): string {
  const { description, example } = option;
  const shown = wordsOf(option)(defaultText(option, inherited));
  return [
    description,
    ...(example === undefined ? [] : [`, such as ${example}`]),
    shown === '' ? '' : `; default: ${shown}`,
  ].join('');
}

function defaultText({ name, byDefault, unset }: JobOption, inherited: unknown): string {
  const text = optionText(name, inherited ?? byDefault);
  const isOfSchema = inherited === undefined || text === optionText(name, byDefault);
  return isOfSchema && unset !== undefined ? unset : text;
}

/** Returns the choice that removes the option, such as `(keep-both)`. Its text shows the default value. */
function defaultChoice(option: JobOption, inherited: unknown): string {
  return `(${defaultText(option, inherited) || 'none'})`;
}
