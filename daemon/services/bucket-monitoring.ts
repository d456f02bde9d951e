/**
 * Creates the monitoring service for the embedded store's buckets. The engine provides the metrics. Alarm actions run
 * as the daemon's Unix user.
 */

import { homedir } from 'node:os';
import { join } from 'node:path';

import type { Clock } from '../../src/base/clock.ts';
import type { Logger } from '../../src/base/logger.ts';
import type { Home } from '../../src/config/home.ts';
import {
  type BucketMetricsReader,
  bucketSizeBytes,
  numberOfObjects,
} from '../../src/engine/reads/bucket-metrics.ts';
import { noticeOf } from '../../src/monitoring/actions/notice.ts';
import { perform } from '../../src/monitoring/actions/perform.ts';
import { type Monitoring, openMonitoring } from '../../src/monitoring/monitoring.ts';

export interface BucketMonitoringOptions {
  readonly home: Home;
  readonly metrics: BucketMetricsReader;
  readonly clock: Clock;
  readonly logger: Logger;
}

/**
 * Opens the monitoring database and returns the monitoring service. The service evaluates alarms only after `start` is
 * called.
 */
export function openBucketMonitoring(options: BucketMonitoringOptions): Monitoring {
  const { home, metrics, clock, logger } = options;
  const { env: environment, platform } = process;
  const tools = { clock, logger, environment, platform, folder: homedir() };
  return openMonitoring({
    path: join(home.dataDir, 'monitoring.sqlite'),
    clock,
    logger,
    perform: (action, transition, signal) => perform(action, noticeOf(transition), tools, signal),
    numbersOf(bucket) {
      const found = metrics.find(bucket);
      if (!found) return undefined;
      return {
        bucketId: found.bucketId,
        BucketSizeBytes: bucketSizeBytes(found),
        NumberOfObjects: numberOfObjects(found),
      };
    },
  });
}
