/**
 * Defines notices, and creates the notice of a state transition. A notice describes an event in the formats that
 * programs, webhooks, desktop notifications and the log need.
 */

import type { LogFields } from '../../base/logger.ts';
import type { Transition } from '../alarm.ts';

export interface Notice {
  /**
   * Whether the user must act, for example because an alarm has entered the state ALARM. This determines the log level
   * and the urgency of the desktop notification.
   */
  readonly isUrgent: boolean;
  /** The message of the log line. `fields` contains its structured fields. */
  readonly message: string;
  readonly fields: LogFields;
  /** The title and body of the desktop notification, one line each. */
  readonly title: string;
  readonly body: string;
  /** The environment variables for a program. Each value is a single line. */
  readonly variables: Readonly<Record<string, string>>;
  /**
   * The JSON body of a webhook request. The names of its fields are stable. `id` stays the same when the request is
   * retried.
   */
  readonly document: { readonly id: string; readonly [member: string]: unknown };
}

export function noticeOf({ id, alarm, from, to, reason, at, isTest }: Transition): Notice {
  const { actions: _, ...definition } = alarm;
  const { name, bucket } = alarm;
  return {
    isUrgent: to === 'ALARM',
    message: 'alarm changed its state',
    fields: { alarm: name, bucket, from, to, reason, isTest },
    title: `${isTest ? 'Test: ' : ''}${name}: ${to}`,
    body: `${bucket}, was ${from}: ${reason}`,
    variables: {
      HOLDFAST_ALARM_NAME: name,
      HOLDFAST_ALARM_DESCRIPTION: alarm.description ?? '',
      HOLDFAST_ALARM_STATE: to,
      HOLDFAST_ALARM_OLD_STATE: from,
      HOLDFAST_ALARM_REASON: reason,
      HOLDFAST_ALARM_AT: new Date(at).toISOString(),
      HOLDFAST_ALARM_BUCKET: bucket,
      HOLDFAST_ALARM_METRIC: alarm.metric,
      HOLDFAST_ALARM_STATISTIC: alarm.statistic,
      HOLDFAST_ALARM_COMPARISON: alarm.comparison,
      HOLDFAST_ALARM_THRESHOLD: String(alarm.threshold),
      HOLDFAST_ALARM_TRANSITION: id,
      HOLDFAST_ALARM_TEST: isTest ? '1' : '0',
    },
    document: {
      id,
      at: new Date(at).toISOString(),
      state: to,
      oldState: from,
      reason,
      test: isTest,
      alarm: definition,
    },
  };
}
