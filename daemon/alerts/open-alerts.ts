/** Creates the alerts for this daemon's jobs. Alert actions run as the daemon's Unix user. */

import { homedir } from 'node:os';
import { join } from 'node:path';

import type { Clock } from '../../src/base/clock.ts';
import { defined } from '../../src/base/defined.ts';
import type { Logger } from '../../src/base/logger.ts';
import type { AlertsConfig } from '../../src/config/alerts.ts';
import type { Home } from '../../src/config/home.ts';
import { beat } from '../../src/monitoring/actions/heartbeat.ts';
import { perform } from '../../src/monitoring/actions/perform.ts';
import type { Job } from '../jobs/job.ts';
import type { Jobs } from '../jobs/jobs.ts';
import { JobAlerts } from './job-alerts.ts';

export interface OpenAlertsOptions {
  readonly jobs: Jobs;
  readonly config: () => AlertsConfig;
  readonly home: Home;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Creates the job alerts. No job is checked until `start` is called. */
export function openAlerts({ jobs, config, home, clock, logger }: OpenAlertsOptions): JobAlerts {
  const { env: environment, platform } = process;
  const tools = { clock, logger, environment, platform, folder: homedir() };
  return new JobAlerts({
    jobs: () => jobs.all().map(watched),
    config,
    perform: (action, notice, signal) => perform(action, notice, tools, signal),
    beat: (url, signal) => beat(url, clock, signal),
    file: join(home.stateDir, 'alerts.json'),
    clock,
    logger,
  });
}

function watched(job: Job) {
  const { heartbeatUrl } = job.config;
  return defined({ status: job.status(), heartbeatUrl });
}
