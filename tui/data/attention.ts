/** Defines which problems need the user's attention. The header counts them, and the first screen lists them. */

import type { JobStatus, Status } from '../../src/control/shapes.ts';
import { countText } from '../../src/text/amounts.ts';
import type { Alert, AlertsStore } from './alerts-store.ts';
import type { StatusStore } from './status-store.ts';

export interface Attention {
  /** The metric alarms in the state ALARM. The metrics screen lists the same alarms. */
  readonly alarms: Status['alarms'];
  /**
   * The jobs' alerts, as `holdfast monitor alerts list` lists them. Only alerts about held changes come from the status
   * of the jobs, because the daemon evaluates its alerts only once a minute.
   */
  readonly alerts: readonly JobAlert[];
  /** Why the alerts could not be read. Undefined if they were read at least once. */
  readonly problem: string | undefined;
}

type JobAlert = Pick<Alert, 'job' | 'kind' | 'reason'>;

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
    alerts: alerts.current ? withHeld(alerts.current, status.jobs) : [],
    problem: alerts.current ? undefined : alerts.problem,
  };
}

/** Returns the alerts with exactly one about held changes for each job that holds changes. */
function withHeld(alerts: readonly Alert[], jobs: readonly JobStatus[]): readonly JobAlert[] {
  // The status of a starting job does not contain its held changes yet.
  const known = jobs.filter(({ state }) => state !== 'starting');
  const isOutdated = ({ job, kind }: Alert) =>
    kind === 'held' && known.some((each) => each.name === job && !holdsChanges(each));
  const isNew = (job: JobStatus) =>
    holdsChanges(job) && !alerts.some((each) => each.job === job.name && each.kind === 'held');
  const added = known
    .filter(isNew)
    .map((job) => ({ job: job.name, kind: 'held', reason: heldReason(job) }));
  return [...alerts.filter((alert) => !isOutdated(alert)), ...added];
}

/** Returns whether a job holds changes for review, or reports an attack before any change is held. */
export function holdsChanges(job: JobStatus): boolean {
  return heldCount(job) > 0 || job.state === 'held' || job.brake?.alarmSince !== undefined;
}

export function heldReason(job: JobStatus): string {
  return job.reason ?? `${countText(heldCount(job), 'change')} held for review`;
}

/** Returns the number of held changes. Held conflicts are counted as conflicts. */
function heldCount({ counts }: JobStatus): number {
  return counts.held - (counts.heldConflicts ?? 0);
}

export function isAcknowledged({ acknowledgedAt }: Status['alarms'][number]): boolean {
  return acknowledgedAt !== undefined;
}
