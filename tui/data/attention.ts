/** What needs the user's attention, by one definition: the header counts it, the first screen lists it. */

import type { Status } from '../../src/control/shapes.ts';
import type { Alert, AlertsStore } from './alerts-store.ts';
import type { StatusStore } from './status-store.ts';

export interface Attention {
  /** Alarms on the metrics of buckets that are in the state ALARM, as the screen of metrics lists them. */
  readonly alarms: Status['alarms'];
  /** Alerts of jobs, as `holdfast monitor alerts list` lists them. */
  readonly alerts: readonly Alert[];
  /** Why the alerts were never read. */
  readonly problem: string | undefined;
}

interface Stores {
  readonly status: StatusStore;
  readonly alerts: AlertsStore;
}

/** Undefined until alarms and alerts are both loaded: a count of only one of them would change a moment later. */
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
