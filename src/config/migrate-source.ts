/**
 * Renames the keys and values in a `config.yaml` that an earlier version of Holdfast wrote. All other lines are
 * preserved.
 */

import { type Document, isMap, isScalar, isSeq } from 'yaml';

import { ownMember } from '../base/own-member.ts';
import { editSource } from './change-source.ts';

/** Maps each value of the former key `dialect` to the value of `protocol` that replaces it. */
const PROTOCOLS: Readonly<Record<string, string>> = { amz: 's3', svc: 'svc' };

/** Returns the text with the current names. A text with syntax errors is returned unchanged. */
export function migrateSource(text: string): string {
  if (!/\bdialect\b/.test(text)) return text;
  return editSource(text, renameDialects) ?? text;
}

/** Renames former keys in the parsed YAML document. Returns whether it contained any. */
function renameDialects(yaml: Document): boolean {
  const services = [yaml.get('targets'), yaml.getIn(['clusters', 'services'])];
  return services
    .flatMap((list) => (isSeq(list) ? list.items : []))
    .map(renameDialect)
    .includes(true);
}

function renameDialect(service: unknown): boolean {
  if (!isMap(service) || service.has('protocol')) return false;
  const pair = service.items.find(({ key }) => isScalar(key) && key.value === 'dialect');
  if (!pair || !isScalar(pair.key)) return false;
  pair.key.value = 'protocol';
  const { value } = pair;
  if (isScalar(value)) value.value = ownMember(PROTOCOLS, String(value.value)) ?? value.value;
  return true;
}
