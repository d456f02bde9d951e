/** Formats alarms as text, and parses the parts of an alarm that the user can type. */

import type {
  AlarmActionShape,
  AlarmDefinitionShape,
  AlarmShape,
} from '../../../src/control/methods/monitoring.ts';
import { bytesText, numberText } from '../../../src/text/amounts.ts';
import type { Tone } from '../../theme/look.ts';

export const STATE_TONES: Readonly<Record<AlarmShape['state'], Tone>> = {
  OK: 'good',
  ALARM: 'bad',
  INSUFFICIENT_DATA: 'attention',
  DISABLED: 'dim',
};

export const SIGNS: Readonly<Record<AlarmShape['comparison'], string>> = {
  GreaterThanOrEqualToThreshold: '>=',
  GreaterThanThreshold: '>',
  LessThanThreshold: '<',
  LessThanOrEqualToThreshold: '<=',
};

/** The metrics in plain English. `NumberOfObjects` also counts the delete markers, and the parts of open uploads. */
export const METRIC_TEXTS: Readonly<Record<AlarmShape['metric'], string>> = {
  BucketSizeBytes: 'size of the bucket',
  NumberOfObjects: 'number of versions, markers and parts',
};

const STATISTIC_TEXTS: Readonly<Record<AlarmShape['statistic'], string>> = {
  Average: 'average',
  Maximum: 'maximum',
  Minimum: 'minimum',
  SampleCount: 'number of samples of the',
  Sum: 'sum of the',
};

/** Returns an alarm's condition, such as `average size of the bucket > 1 TB`. */
export function conditionText(alarm: AlarmDefinitionShape): string {
  const { statistic, metric, comparison, threshold } = alarm;
  return `${STATISTIC_TEXTS[statistic]} ${METRIC_TEXTS[metric]} ${SIGNS[comparison]} ${valueText(metric, threshold)}`;
}

export function valueText(metric: AlarmShape['metric'], value: number): string {
  return metric === 'BucketSizeBytes' ? bytesText(value) : numberText(value);
}

/**
 * Returns the action as the user types it: `log`, `notification`, `webhook:URL`,
 * `command:["PROGRAM","ARGUMENT"]`.
 */
export function actionText(action: AlarmActionShape): string {
  if (action.type === 'webhook') return `webhook:${action.url}`;
  if (action.type === 'command') return `command:${JSON.stringify(action.argv)}`;
  return action.type;
}

/**
 * Parses a typed action. If the text is invalid, throws an error that describes the valid forms.
 */
export function actionOf(text: string, before: readonly AlarmActionShape[]): AlarmActionShape {
  // An unchanged action keeps its secrets and timeouts, which the text does not contain.
  const same = before.find((action) => actionText(action) === text);
  if (same) return same;
  if (text === 'log' || text === 'notification') return { type: text };
  if (/^webhook:./.test(text)) return { type: 'webhook', url: text.slice('webhook:'.length) };
  if (/^command:./.test(text))
    return { type: 'command', argv: argvOf(text.slice('command:'.length)) };
  throw new Error(`"${text}": ${ACTION_HELP}`);
}

export const ACTION_HELP =
  'write log, notification, webhook:URL or command:["PROGRAM","ARGUMENT"]; separate several by ;';

function argvOf(text: string): string[] {
  if (!text.startsWith('[')) return [text];
  const argv: unknown = parsed(text);
  if (Array.isArray(argv) && argv.every((each) => typeof each === 'string')) return argv;
  throw new Error(`"${text}" is not a JSON list of words`);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export function actionsText(actions: readonly AlarmActionShape[]): string {
  return actions.map(actionText).join('; ');
}

export function actionsOf(
  text: string,
  before: readonly AlarmActionShape[] = [],
): AlarmActionShape[] {
  const words = text.split(';').map((word) => word.trim());
  return words.filter(Boolean).map((word) => actionOf(word, before));
}
