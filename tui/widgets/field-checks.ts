/** Checks that several forms use for their fields. */

import type { Field } from './form.ts';

interface Schema {
  safeParse(value: unknown): { readonly error?: { readonly issues: readonly Issue[] } };
}

interface Issue {
  readonly message: string;
}

/** Returns why the schema rejects the text, or undefined if the schema accepts it. */
export function schemaProblem(schema: Schema, text: unknown): string | undefined {
  return schema.safeParse(text).error?.issues[0]?.message;
}

export function required(text: string): string | undefined {
  return text.trim() === '' ? 'is required' : undefined;
}

/** Puts the fields into one section of a form. */
export const grouped = (group: string, fields: readonly Field[]): Field[] =>
  fields.map((field) => ({ ...field, group }));
