/** Collects the daemon's metrics each time they are requested. Serves them over HTTP if that is configured. */

import type { Clock } from '../../src/base/clock.ts';
import type { Logger } from '../../src/base/logger.ts';
import type { Config } from '../../src/config/config.ts';
import type { Home } from '../../src/config/home.ts';
import type { JobStatus } from '../../src/control/shapes.ts';
import type { StoreUpkeep } from '../../src/engine/maintenance/upkeep.ts';
import type { BucketMetricsReader } from '../../src/engine/reads/bucket-metrics.ts';
import type { Monitoring } from '../../src/monitoring/monitoring.ts';
import { healthOf } from './health.ts';
import { servePrometheus } from './prometheus-listener.ts';
import type { RequestCounter } from './request-counter.ts';
import { VERSION } from '../version.ts';

/** The services that metrics are read from. */
interface MetricsSources {
  readonly monitoring: Pick<Monitoring, 'alarms' | 'monitored'>;
  readonly metrics: Pick<BucketMetricsReader, 'list'>;
  readonly upkeep: Pick<StoreUpkeep, 'health'>;
  readonly requests: Pick<RequestCounter, 'list'>;
  waitingWrites(): number;
}

export interface MetricsOptions {
  readonly rooms: MetricsSources;
  readonly jobs: { status(): readonly JobStatus[] };
  readonly config: Config;
  readonly home: Home;
  readonly startedAt: number;
  readonly clock: Clock;
  readonly logger: Logger;
}

export interface DaemonMetrics {
  /** Returns all metrics in the Prometheus text format. */
  readonly text: () => Promise<string>;
  readonly listeners: readonly MetricsListener[];
  close(): Promise<void>;
}

interface MetricsListener {
  readonly name: 'metrics';
  readonly host: string;
  readonly port: number;
  readonly url: string;
}

/**
 * Opens the metrics listener if one is configured. Throws ConfigError if its address cannot be
 * used.
 */
export async function openMetrics(options: MetricsOptions): Promise<DaemonMetrics> {
  const text = () => gather(options);
  const { http } = options.config.metrics;
  if (!http) return { text, listeners: [], close: () => Promise.resolve() };
  const health = () => healthOf(options.rooms.upkeep.health(), options.jobs.status());
  const listener = await servePrometheus({ ...options, ...http, text, health });
  const { host, port, url } = listener;
  const listeners = [{ name: 'metrics' as const, host, port, url }];
  return { text, listeners, close: () => listener.close() };
}

async function gather({ rooms, jobs, startedAt, clock }: MetricsOptions): Promise<string> {
  // `prometheus.ts` is loaded with the first request, because many daemons never receive one.
  const { prometheusText } = await import('./prometheus.ts');
  const { monitoring, metrics, upkeep, requests } = rooms;
  return prometheusText({
    version: VERSION,
    now: clock.now(),
    startedAt,
    buckets: metrics.list(),
    monitored: monitoring.monitored(),
    alarms: monitoring.alarms(),
    jobs: jobs.status(),
    health: upkeep.health(),
    waitingWrites: rooms.waitingWrites(),
    requests: requests.list(),
  });
}
