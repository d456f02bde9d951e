/** Formats the options of a job for the help of `holdfast job edit`. Only that help loads the schema of config.yaml. */

import { type JobOption, jobOptions } from '../../../config/job-options.ts';
import { optionText } from '../../../config/option-value.ts';

/** Returns a line for each configuration key that the command accepts. */
export function optionsHelp(): string {
  const options = jobOptions().filter(({ name }) => name !== 'name');
  const width = Math.max(...options.map(({ name }) => name.length));
  const lines = options.map((option) => `  ${option.name.padEnd(width)}  ${textOf(option)}`);
  return ['Keys:', ...lines].join('\n');
}

function textOf({ name, description, example, byDefault, choices }: JobOption): string {
  const text = example === undefined ? description : `${description}, such as ${example}`;
  const shown = defaultText(name, byDefault);
  const words = choices?.map((choice) => (choice === shown ? `${choice} (default)` : choice));
  if (words && typeof byDefault === 'string') return `${text}: ${words.join(', ')}`;
  return shown === '' ? text : `${text} (default ${shown})`;
}

function defaultText(name: string, value: unknown): string {
  const isSimple = ['boolean', 'number', 'string'].includes(typeof value);
  return isSimple && value !== 0 ? optionText(name, value) : '';
}
