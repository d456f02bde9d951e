/** Formats a job's alert for commands, webhooks, desktop notifications and the log. */

import type { Notice } from '../../src/monitoring/actions/notice.ts';
import type { Alert } from './judge.ts';

export interface AlertChange extends Alert {
  /** The ID of the notice. It stays the same when an action is retried. */
  readonly id: string;
  readonly job: string;
  /** Whether the problem has started (`alert`) or has ended (`over`). */
  readonly state: 'alert' | 'over';
  readonly at: number;
  /** Whether this is a test message without a problem. */
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
