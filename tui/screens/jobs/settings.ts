/** What may be written for a setting of `config.yaml`. */

import { readDocument } from '../../../src/config/document.ts';
import { jobShape } from '../../../src/config/schema.ts';

/** As it would be read from the file. */
export function readSetting(text: string): { readonly value?: unknown; readonly problem?: string } {
  const { data, problems } = readDocument(`value: ${text}`);
  const [problem] = problems;
  if (problem) return { problem: `${problem.message}; a text with signs goes into 'quotes'` };
  return { value: (data as { readonly value?: unknown }).value };
}

/** Where there are only these; undefined for what is written freely. */
export function choicesOf(option: string): readonly string[] | undefined {
  const schema = Object.entries(jobShape.shape).find(([name]) => name === option)?.[1];
  const inner: unknown = schema && 'unwrap' in schema ? schema.unwrap() : schema;
  if (!isDescribed(inner)) return undefined;
  if (inner.def.type === 'boolean') return ['true', 'false'];
  return inner.def.type === 'enum' ? Object.values(inner.def.entries ?? {}) : undefined;
}

interface Described {
  readonly def: { readonly type: string; readonly entries?: Readonly<Record<string, string>> };
}

function isDescribed(schema: unknown): schema is Described {
  return typeof schema === 'object' && schema !== null && 'def' in schema;
}
