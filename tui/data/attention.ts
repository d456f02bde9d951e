/** Defines which problems need the user's attention. The header counts them, and the first screen lists them. */

import type { Status } from '../../src/control/shapes.ts';
import type { Alert, AlertsStore } from './alerts-store.ts';
import type { StatusStore } from './status-store.ts';

export interface Attention {
  /** The metric alarms in the state ALARM. The metrics screen lists the same alarms. */
  readonly alarms: Status['alarms'];
  /** The jobs' alerts, as `holdfast monitor alerts list` lists them. */
  readonly alerts: readonly Alert[];
  /** Why the alerts could not be read. Undefined if they were read at least once. */
  readonly problem: string | undefined;
}

interface Stores {
  readonly status: StatusStore;
  readonly alerts: AlertsStore;
}

/**
 * Returns the problems that need attention. Returns undefined until alarms and alerts are both loaded, because a
 * partial count would change a moment later.
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
