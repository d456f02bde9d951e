/**
 * Checks the fields of alarms against their limits. All functions throw MonitoringError
 * `BadRequest`.
 */

import {
  ALARM_STATES,
  type AlarmAction,
  type AlarmDefinition,
  COMPARISONS,
  MISSING_DATA,
} from './alarm.ts';
import { isPeriod } from './grid.ts';
import { METRICS, STATISTICS } from './metric.ts';
import { MonitoringError } from './monitoring-error.ts';

/** The limits of alarms in CloudWatch. Holdfast uses the same limits (semantics B.18). */
const MAX_NAME_CHARACTERS = 255;
const MAX_DESCRIPTION_CHARACTERS = 1024;
export const MAX_ACTIONS = 5;

/**
 * The longest time that the periods of a condition may cover: one week. A condition on a longer time would describe a
 * trend rather than an alarm.
 */
const MAX_LOOK_BACK_MS = 7 * 24 * 3600 * 1000;
/**
 * The maximum number of evaluated periods: one day of five-minute periods. Each evaluation reads the samples of all
 * these periods.
 */
const MAX_EVALUATION_PERIODS = 288;

/**
 * The limits of a command. They are enough for the arguments of a program, and far below the limits
 * of the operating system.
 */
const MAX_ARGUMENTS = 64;
const MAX_ARGUMENT_BYTES = 4096;
const MAX_URL_CHARACTERS = 2048;
export const MAX_COMMAND_TIMEOUT_MS = 3600 * 1000;

export function checkAlarm(alarm: AlarmDefinition): void {
  checkText('name', alarm.name, 1, MAX_NAME_CHARACTERS);
  checkText('description', alarm.description ?? '', 0, MAX_DESCRIPTION_CHARACTERS);
  checkChoice('metric', alarm.metric, METRICS);
  checkChoice('statistic', alarm.statistic, STATISTICS);
  checkChoice('comparison', alarm.comparison, COMPARISONS);
  checkChoice('treat missing data', alarm.treatMissingData, MISSING_DATA);
  if (!Number.isFinite(alarm.threshold)) throw refused('threshold', 'must be a number');
  checkPeriods(alarm);
  for (const state of ALARM_STATES) checkActions(alarm.actions[state], state);
}

/** Checks the reason that a user states when setting an alarm's state. */
export function checkReason(reason: string): void {
  checkText('reason', reason, 1, MAX_DESCRIPTION_CHARACTERS);
}

/** Checks the period of an alarm or of a metric query. */
export function checkPeriod(periodMs: number): void {
  if (isPeriod(periodMs) && periodMs <= MAX_LOOK_BACK_MS) return;
  throw refused(
    'period',
    'must be 1, 2, 3, 4, 5, 6, 10, 12, 15, 20 or 30 seconds, or whole minutes up to 7 days',
  );
}

function checkPeriods(alarm: AlarmDefinition): void {
  const { periodMs, evaluationPeriods, datapointsToAlarm } = alarm;
  checkPeriod(periodMs);
  checkCount('check periods', evaluationPeriods, MAX_EVALUATION_PERIODS);
  checkCount('datapoints to alarm', datapointsToAlarm, evaluationPeriods);
  const lookBackMs = periodMs * evaluationPeriods;
  if (lookBackMs > MAX_LOOK_BACK_MS) {
    throw refused('check periods', 'all periods together must not be longer than 7 days');
  }
}

function checkActions(actions: readonly AlarmAction[], state: string): void {
  if (actions.length > MAX_ACTIONS) {
    throw refused('actions', `${state} must have at most ${MAX_ACTIONS}`);
  }
  for (const action of actions) {
    if (action.type === 'command') checkCommand(action);
    if (action.type === 'webhook') checkUrl(action.url);
  }
}

function checkCommand({ argv, timeoutMs }: Extract<AlarmAction, { type: 'command' }>): void {
  if (argv.length < 1 || argv.length > MAX_ARGUMENTS || argv[0] === '') {
    throw refused('command', `must be a program and at most ${MAX_ARGUMENTS - 1} arguments`);
  }
  for (const argument of argv) {
    if (argument.includes('\0')) throw refused('command', 'must not contain NUL');
    if (Buffer.byteLength(argument) > MAX_ARGUMENT_BYTES) {
      throw refused('command', `an argument must have at most ${MAX_ARGUMENT_BYTES} bytes`);
    }
  }
  if (timeoutMs !== undefined)
    checkCount('timeout of a command in milliseconds', timeoutMs, MAX_COMMAND_TIMEOUT_MS);
}

function checkUrl(text: string): void {
  const url = text.length <= MAX_URL_CHARACTERS ? URL.parse(text) : null;
  if (!url || !/^https?:$/.test(url.protocol)) {
    throw refused('webhook', 'must be an http:// or https:// URL');
  }
  // A URL with credentials is rejected, because the credentials would be visible wherever the URL
  // is shown.
  if (url.username || url.password) {
    throw refused(
      'webhook',
      'must not contain a password; store an authorization header in a file',
    );
  }
}

function checkText(field: string, text: string, least: number, most: number): void {
  if (text.length < least || text.length > most) {
    throw refused(field, `must have ${least} to ${most} characters`);
  }
  if (/\p{Cc}|\p{Cs}/u.test(text)) throw refused(field, 'must not contain control characters');
}

function checkCount(field: string, count: number, most: number): void {
  if (Number.isInteger(count) && count >= 1 && count <= most) return;
  throw refused(field, `must be a whole number from 1 to ${most}`);
}

function checkChoice(field: string, value: string, choices: readonly string[]): void {
  if (choices.includes(value)) return;
  throw refused(field, `must be one of ${choices.join(', ')}`);
}

function refused(field: string, reason: string): MonitoringError {
  return new MonitoringError('BadRequest', `invalid alarm: ${field} ${reason}`);
}
