/** Parses the value of an option that a user types on one line, with the syntax of a value in `config.yaml`. */

import { parseDocument } from 'yaml';

/**
 * Returns the value, or null for an empty text. Text that is not valid YAML is returned unchanged, so that the schema
 * rejects it.
 */
export function readOptionValue(text: string): unknown {
  if (text === '') return null;
  const yaml = parseDocument(text);
  return yaml.errors.length > 0 ? text : (yaml.toJS() as unknown);
}
