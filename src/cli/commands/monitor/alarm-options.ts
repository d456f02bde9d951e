/** Parses the options that define an alarm. */

import { defined } from '../../../base/defined.ts';
import {
  type AlarmActionShape,
  type AlarmDefinitionShape,
  COMPARISONS,
  MISSING_DATA,
  STATISTICS,
} from '../../../control/methods/monitoring.ts';
import { amount } from '../../arguments/amounts.ts';
import { choice } from '../../arguments/choices.ts';
import { usageError } from '../../output/command-error.ts';
import type { Context } from '../../context.ts';
import { metricOf } from './metrics.ts';
import { parseDuration } from '../../arguments/when.ts';

export interface AddAlarmOptions {
  readonly bucket: string;
  readonly description?: string;
  readonly metric: string;
  readonly statistic: string;
  readonly comparison: string;
  readonly threshold: string;
  readonly period: string;
  readonly periods: number;
  readonly datapoints?: number;
  readonly missing: string;
  readonly onAlarm?: readonly string[];
  readonly onOk?: readonly string[];
  readonly onInsufficientData?: readonly string[];
  readonly commandTimeout?: string;
  readonly secretFile?: string;
  readonly replace?: boolean;
}

const MAX_PERIOD_MS = 7 * 86_400_000;
const MAX_COMMAND_TIMEOUT_MS = 3_600_000;

const SIGNS = {
  '>=': 'GreaterThanOrEqualToThreshold',
  '>': 'GreaterThanThreshold',
  '<': 'LessThanThreshold',
  '<=': 'LessThanOrEqualToThreshold',
} as const;

/**
 * Returns the alarm that the options define. Throws a usage error for an option that cannot be parsed. The daemon
 * checks whether the alarm is valid.
 */
export function alarmOf(
  context: Context,
  name: string,
  options: AddAlarmOptions,
): AlarmDefinitionShape {
  const { bucket, description, periods, datapoints = periods } = options;
  const read = (actions: readonly string[] = []) =>
    actions.map((each) => actionOf(context, each, options));
  return {
    name,
    ...(description !== undefined && { description }),
    bucket,
    metric: metricOf(options.metric),
    statistic: choice('statistic', options.statistic, STATISTICS),
    comparison: choice('comparison', options.comparison, COMPARISONS, SIGNS),
    threshold: amount('threshold', options.threshold),
    periodMs: parseDuration(options.period, MAX_PERIOD_MS),
    evaluationPeriods: periods,
    datapointsToAlarm: datapoints,
    treatMissingData: choice('missing data', options.missing, MISSING_DATA),
    actions: {
      OK: read(options.onOk),
      ALARM: read(options.onAlarm),
      INSUFFICIENT_DATA: read(options.onInsufficientData),
    },
  };
}

const ACTIONS = `write log, notification, webhook:https://…, command:PROGRAM or command:'["PROGRAM", "ARGUMENT"]'`;

function actionOf(
  context: Context,
  text: string,
  { commandTimeout, secretFile }: AddAlarmOptions,
): AlarmActionShape {
  const [type, rest] = [text.replace(/:.*$/s, ''), text.replace(/^[^:]*:?/, '')];
  if (text === 'log' || text === 'notification') return { type: text };
  if (type === 'webhook' && rest !== '') {
    const secret = secretFile === undefined ? {} : { secretFile: context.path(secretFile) };
    return { type, url: rest, ...secret };
  }
  if (type === 'command' && rest !== '') {
    return { type, argv: argvOf(rest), ...defined({ timeoutMs: timeoutOf(commandTimeout) }) };
  }
  throw usageError(`unknown action "${text}"`, ACTIONS);
}

function timeoutOf(typed: string | undefined): number | undefined {
  const timeoutMs = typed === undefined ? undefined : parseDuration(typed, MAX_COMMAND_TIMEOUT_MS);
  if (timeoutMs !== 0) return timeoutMs;
  throw usageError(`invalid duration "${typed}": a command needs time to run`, 'write 30s or 5m');
}

/**
 * Parses a program, or a JSON list of a program and its arguments. Does not split the text at spaces, because no shell
 * is used.
 */
function argvOf(text: string): string[] {
  if (!text.startsWith('[')) return [text];
  const argv = jsonOf(text);
  if (Array.isArray(argv) && argv.every((each) => typeof each === 'string')) return argv;
  throw usageError(`invalid command ${text}: it is not a JSON list of strings`, ACTIONS);
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
