/** An alert of a job as programs, hooks, desktops and the log are told of it. */

import type { Notice } from '../../src/monitoring/actions/notice.ts';
import type { Alert } from './judge.ts';

export interface AlertChange extends Alert {
  /** The same each time it is told. */
  readonly id: string;
  readonly job: string;
  /** `over`: it is as it should be again. */
  readonly state: 'alert' | 'over';
  readonly at: number;
  /** Nothing happened: somebody tries the actions out. */
  readonly isTest: boolean;
}

export function noticeOfAlert(change: AlertChange): Notice {
  const { id, job, kind, reason, state, isTest } = change;
  const at = new Date(change.at).toISOString();
  const isUrgent = state === 'alert';
  return {
    isUrgent,
    message: isUrgent ? 'job needs attention' : 'job is in order again',
    fields: { job, kind, reason, isTest },
    title: `${isTest ? 'Test: ' : ''}${job}: ${isUrgent ? 'needs attention' : 'in order again'}`,
    body: `${kind}: ${reason}`,
    variables: {
      HOLDFAST_ALERT_ID: id,
      HOLDFAST_ALERT_JOB: job,
      HOLDFAST_ALERT_KIND: kind,
      HOLDFAST_ALERT_STATE: state,
      HOLDFAST_ALERT_REASON: reason,
      HOLDFAST_ALERT_AT: at,
      HOLDFAST_ALERT_TEST: isTest ? '1' : '0',
    },
    document: { id, at, job, kind, state, reason, test: isTest },
  };
}
