/** Implements the control methods for alerts about jobs. */

import type { ALERT_METHODS } from '../../../src/control/methods/alerts.ts';
import type { JobAlerts } from '../../alerts/job-alerts.ts';
import type { ControlHandlers } from '../../control/control-handlers.ts';
import type { Jobs } from '../../jobs/jobs.ts';

export function alertHandlers(
  alerts: JobAlerts,
  jobs: Jobs,
): Pick<ControlHandlers, keyof typeof ALERT_METHODS> {
  return {
    'alerts.list': async () => ({ alerts: [...alerts.standing()] }),
    'alerts.test': async ({ name }) => {
      const { config } = jobs.get(name);
      const done = await alerts.test(config.name);
      return {
        actions: done.map(({ action, said: { ok, said } }) => ({ action, ok, said })),
      };
    },
  };
}
