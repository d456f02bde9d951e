/** Tests that the Grafana dashboard uses existing metrics, and tests of the health status. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { healthOf } from '../../../daemon/metrics/health.ts';
import { jobStatus } from '../../helpers/job-status.ts';
import { METRICS } from '../../reference/metrics-page.ts';

const docs = (name: string) =>
  readFileSync(join(import.meta.dirname, '../../../docs', name), 'utf8');

test('the Grafana dashboard uses only existing metrics', () => {
  const { panels } = JSON.parse(docs('how-to/grafana-dashboard.json')) as {
    readonly panels: readonly { readonly targets: readonly { readonly expr: string }[] }[];
  };
  const asked = panels.flatMap(({ targets }) =>
    targets.flatMap(({ expr }) => expr.match(/holdfast_[a-z_]+/g) ?? []),
  );
  const known = new Set(METRICS.map(({ name }) => name));
  expect(asked.filter((name) => !known.has(name))).toEqual([]);
  expect(panels.length).toBeGreaterThan(15);
  expect(panels.every(({ targets }) => targets.length > 0)).toBe(true);
});

test.each([
  ['in order', 'in order', {}],
  ['attention', 'in order', { state: 'paused' as const }],
  ['attention', 'in order', { state: 'held' as const }],
  ['attention', 'in order', { counts: { conflicts: 1 } }],
  ['failing', 'in order', { state: 'failed' as const }],
  ['failing', 'in order', { state: 'no room' as const }],
  ['failing', 'read-only', {}],
] as const)(
  'the daemon reports the health %s if the store is %s and a job has the status %j',
  (status, state, job) => {
    expect(healthOf({ state }, [jobStatus(job), jobStatus({ name: 'other' })])).toMatchObject({
      status,
      store: state,
    });
  },
);
