/** The value of an option as somebody types it on one line: as `config.yaml` would have it behind the colon. */

import { parseDocument } from 'yaml';

/** Null for nothing; what cannot be read is the text itself, for the schema to refuse. */
export function readOptionValue(text: string): unknown {
  if (text === '') return null;
  const yaml = parseDocument(text);
  return yaml.errors.length > 0 ? text : (yaml.toJS() as unknown);
}
