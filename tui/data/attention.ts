/** Defines what needs the user's attention. The header counts these items, and the dashboard screen lists them. */

import type { Status } from '../../src/control/shapes.ts';
import type { Alert, AlertsStore } from './alerts-store.ts';
import type { StatusStore } from './status-store.ts';

export interface Attention {
  /** Metric alarms of buckets in the state ALARM. The metrics screen lists the same alarms. */
  readonly alarms: Status['alarms'];
  /** Alerts of jobs, as `holdfast monitor alerts list` lists them. */
  readonly alerts: readonly Alert[];
  /** Why the alerts could not be read. Undefined if a read has succeeded. */
  readonly problem: string | undefined;
}

interface Stores {
  readonly status: StatusStore;
  readonly alerts: AlertsStore;
}

/**
 * Returns undefined until both alarms and alerts are loaded, because a count of only one of them would change a moment
 * later.
 */
export function attentionOf({ status, alerts }: Stores): Attention | undefined {
  if (!status.current || (!alerts.current && alerts.problem === undefined)) return undefined;
  return {
    alarms: status.current.alarms,
    alerts: alerts.current ?? [],
    problem: alerts.current ? undefined : alerts.problem,
  };
}

export function isAcknowledged({ acknowledgedAt }: Status['alarms'][number]): boolean {
  return acknowledgedAt !== undefined;
}
