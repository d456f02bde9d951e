/** What may be written for a setting of `config.yaml`. */

import { readDocument } from '../../../src/config/document.ts';

/** As it would be read from the file. */
export function readSetting(text: string): { readonly value?: unknown; readonly problem?: string } {
  const { data, problems } = readDocument(`value: ${text}`);
  const [problem] = problems;
  if (problem) return { problem: `${problem.message}; a text with signs goes into 'quotes'` };
  return { value: (data as { readonly value?: unknown }).value };
}
