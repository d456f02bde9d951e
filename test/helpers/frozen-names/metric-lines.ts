/**
 * Lists the metrics that `GET /metrics` returns in the Prometheus text format, with their types,
 * labels and possible states.
 */

import { byName, indented } from './member-lines.ts';

const SAMPLE = /^(?<name>\w+)(?:\{(?<labels>.*)\})? \S+$/;
const LABEL = /(\w+)="((?:[^"\\]|\\.)*)"/g;

/** Lists the metrics of several responses, because no single home has a value for every metric. */
export function metricLines(texts: readonly string[]): string[] {
  const types = new Map<string, string>();
  const labels = new Map<string, Set<string>>();
  for (const line of texts.flatMap((text) => text.split('\n'))) {
    const [, name, type] = /^# TYPE (\S+) (\S+)$/.exec(line) ?? [];
    if (name !== undefined) types.set(name, type ?? '');
    const sample = SAMPLE.exec(line)?.groups;
    if (!sample?.['name']) continue;
    const known = labels.get(sample['name']) ?? new Set();
    for (const [, label = '', value] of (sample['labels'] ?? '').matchAll(LABEL))
      known.add(label === 'state' ? `state="${value}"` : label);
    labels.set(sample['name'], known);
  }
  return byName(types).flatMap(([name, type]) =>
    [`${name} ${type}`].concat(indented(labels.get(name) ?? [])),
  );
}
