/** Formats the options of a job for the help of `holdfast job edit`. Only that help loads the schema of config.yaml. */

import { type JobOption, jobOptions } from '../../../config/job-options.ts';

/** Returns a line for each key that the command accepts. */
export function optionsHelp(): string {
  const options = jobOptions().filter(({ name }) => name !== 'name');
  const width = Math.max(...options.map(({ name }) => name.length));
  const lines = options.map((option) => `  ${option.name.padEnd(width)}  ${textOf(option)}`);
  return ['Keys:', ...lines].join('\n');
}

function textOf({ description, byDefault, choices }: JobOption): string {
  const shown = defaultText(byDefault);
  const words = choices?.map((choice) => (choice === shown ? `${choice} (default)` : choice));
  if (words && typeof byDefault === 'string') return `${description}: ${words.join(', ')}`;
  return shown === '' ? description : `${description} (default ${shown})`;
}

function defaultText(value: unknown): string {
  const isSimple = ['boolean', 'number', 'string'].includes(typeof value);
  return isSimple ? `${value as boolean | number | string}` : '';
}
