/** Generates the table of docs/reference/metrics.md from the metrics of the daemon. */

import { metricsHelp } from '../../daemon/metrics/prometheus.ts';

/** Metrics of a daemon without buckets and jobs. The names of the metrics do not depend on them. */
const NONE = {
  version: '0',
  now: 0,
  startedAt: 0,
  buckets: [],
  monitored: new Set<string>(),
  alarms: [],
  jobs: [],
  health: {
    state: 'in order',
    reasons: [],
    damaged: [],
    damagedCount: 0,
    scrub: undefined,
    clockAheadMs: 0,
  },
  waitingWrites: 0,
  requests: [],
} as const;

export const METRICS = metricsHelp(NONE);

export function metricsTable(): string {
  const rows = METRICS.map(({ name, help }) => `| \`${name}\` | ${help} |`);
  return ['| metric | meaning |', '| --- | --- |', ...rows].join('\n');
}
