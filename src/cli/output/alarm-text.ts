/** Formats alarms as text. */

import type { AlarmActionShape, AlarmShape } from '../../control/methods/monitoring.ts';
import type { Paint, Tone } from './output.ts';
import { shellWord, visible } from './text.ts';
import { durationText, timeText } from '../../text/time.ts';
import { numberText } from '../../text/amounts.ts';

const TONES: Readonly<Record<AlarmShape['state'], Tone>> = {
  OK: 'good',
  ALARM: 'bad',
  INSUFFICIENT_DATA: 'attention',
  DISABLED: 'dim',
};

const SIGNS: Readonly<Record<AlarmShape['comparison'], string>> = {
  GreaterThanOrEqualToThreshold: '>=',
  GreaterThanThreshold: '>',
  LessThanThreshold: '<',
  LessThanOrEqualToThreshold: '<=',
};

export function stateWord(state: AlarmShape['state'], paint: Paint): string {
  return paint(TONES[state], state);
}

/** Returns the condition of an alarm, such as `Average of BucketSizeBytes > 10,000,000,000`. */
export function conditionText(alarm: AlarmShape): string {
  const { statistic, metric, comparison, threshold } = alarm;
  return `${statistic} of ${metric} ${SIGNS[comparison]} ${numberText(threshold)}`;
}

/** Returns the lines that describe an alarm, with its state, condition and actions. */
export function alarmLines(alarm: AlarmShape, paint: Paint): string[] {
  const { name, bucket, description, state, frozenState, reason, changedAt } = alarm;
  const known = alarm.acknowledgedAt;
  const asleep =
    state === 'DISABLED' ? `  (monitoring of ${bucket} is off; was ${frozenState ?? ''})` : '';
  return [
    `${paint('strong', visible(name))}  ${stateWord(state, paint)}${asleep}`,
    ...(description ? [`  ${visible(description)}`] : []),
    `  bucket ${bucket}: ${conditionText(alarm)}`,
    `  ${periodsText(alarm)}`,
    `  since ${timeText(changedAt)}: ${visible(reason)}`,
    ...(known === undefined ? [] : [`  acknowledged ${timeText(known)}`]),
    ...Object.entries(alarm.actions).flatMap(([entered, actions]) =>
      actions.map((action) => `  on ${entered}: ${visible(actionText(action))}`),
    ),
  ];
}

function periodsText(alarm: AlarmShape): string {
  const { datapointsToAlarm, evaluationPeriods, periodMs, treatMissingData } = alarm;
  const length = durationText(periodMs);
  return `${datapointsToAlarm} of ${evaluationPeriods} periods of ${length}; missing data: ${treatMissingData}`;
}

function actionText(action: AlarmActionShape): string {
  switch (action.type) {
    case 'command':
      return `command ${action.argv.map(shellWord).join(' ')}`;
    case 'webhook':
      return `webhook ${action.url}${action.secretFile ? ` with ${action.secretFile}` : ''}`;
    default:
      return action.type;
  }
}

/**
 * Returns the lines of `holdfast status` for the alarms in the state ALARM. Returns no lines if no alarm is in
 * that state.
 */
export function alarmStatusLines(alarms: readonly AlarmShape[], paint: Paint): string[] {
  if (alarms.length === 0) return [];
  const lines = alarms.map(
    ({ name, bucket, reason, changedAt }) =>
      `  ${paint('attention', '!')} ${visible(name)} (${bucket}) since ${timeText(changedAt)}: ${visible(reason)}`,
  );
  return ['', paint('bad', alarms.length === 1 ? 'alarm' : `${alarms.length} alarms`), ...lines];
}
