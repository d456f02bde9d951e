/** Renames the keys and values of `config.yaml` that earlier releases wrote. All other bytes are kept. */

import { isMap, isScalar, isSeq, parseDocument } from 'yaml';

import { ownMember } from '../base/own-member.ts';

/** Values of `protocol`, by the values of its former key `dialect`. */
const PROTOCOLS: Readonly<Record<string, string>> = { amz: 's3', svc: 'svc' };

interface Replacement {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** Returns the text with the present names. A text with syntax errors is returned unchanged. */
export function migrateSource(text: string): string {
  if (!/\bdialect\b/.test(text)) return text;
  const yaml = parseDocument(text);
  if (yaml.errors.length > 0) return text;
  const services = [yaml.get('targets'), yaml.getIn(['clusters', 'services'])];
  return services
    .flatMap((list) => (isSeq(list) ? list.items.flatMap(renamedDialect) : []))
    .toSorted((a, b) => b.start - a.start)
    .reduce((left, { start, end, text: by }) => left.slice(0, start) + by + left.slice(end), text);
}

function renamedDialect(service: unknown): readonly Replacement[] {
  if (!isMap(service) || service.has('protocol')) return [];
  const pair = service.items.find(({ key }) => isScalar(key) && key.value === 'dialect');
  const key = isScalar(pair?.key) ? pair.key.range : undefined;
  if (!key) return [];
  const { value } = pair ?? {};
  const protocol = isScalar(value) ? ownMember(PROTOCOLS, String(value.value)) : undefined;
  const range = isScalar(value) ? value.range : undefined;
  return [
    { start: key[0], end: key[1], text: 'protocol' },
    ...(protocol !== undefined && range
      ? [{ start: range[0], end: range[1], text: protocol }]
      : []),
  ];
}
