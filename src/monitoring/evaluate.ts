/**
 * Evaluates the state of an alarm from the values of its last periods, as a pure function.
 *
 * Samples are taken on this machine, so samples of past periods do not arrive late. Therefore only the configured
 * number of periods is evaluated, unlike in services whose samples can arrive late. If some periods have no sample and
 * the values of the others do not determine the state, the alarm keeps its state.
 */

import type { AlarmDefinition, AlarmState, Comparison } from './alarm.ts';

export interface Verdict {
  readonly state: AlarmState;
  readonly reason: string;
}

type Condition = Pick<
  AlarmDefinition,
  'comparison' | 'datapointsToAlarm' | 'metric' | 'statistic' | 'threshold' | 'treatMissingData'
>;

/** The value of each evaluated period, oldest first. Undefined for a period without a sample. */
export type Datapoints = readonly (number | undefined)[];

/** Returns the state that the values determine, or undefined if they do not determine a state. */
export function evaluate(condition: Condition, datapoints: Datapoints): Verdict | undefined {
  const { datapointsToAlarm: needed, treatMissingData } = condition;
  const known = datapoints.filter((value) => value !== undefined);
  const missing = datapoints.length - known.length;
  const breaching = known.filter((value) => isBreaching(condition, value)).length;
  const counted = breaching + (treatMissingData === 'breaching' ? missing : 0);
  const possible = breaching + (treatMissingData === 'notBreaching' ? 0 : missing);
  const reason = () => reasonFor(condition, datapoints, counted);
  if (known.length === 0 && treatMissingData === 'missing') {
    return {
      state: 'INSUFFICIENT_DATA',
      reason: `no sample in the last ${periods(datapoints.length)}`,
    };
  }
  if (counted >= needed) return { state: 'ALARM', reason: reason() };
  // Even if all missing periods breached the threshold, there would be too few.
  if (possible < needed) return { state: 'OK', reason: reason() };
  return undefined;
}

const COMPARE: Readonly<Record<Comparison, (value: number, threshold: number) => boolean>> = {
  GreaterThanOrEqualToThreshold: (value, threshold) => value >= threshold,
  GreaterThanThreshold: (value, threshold) => value > threshold,
  LessThanThreshold: (value, threshold) => value < threshold,
  LessThanOrEqualToThreshold: (value, threshold) => value <= threshold,
};

export const SIGNS: Readonly<Record<Comparison, string>> = {
  GreaterThanOrEqualToThreshold: '>=',
  GreaterThanThreshold: '>',
  LessThanThreshold: '<',
  LessThanOrEqualToThreshold: '<=',
};

function isBreaching({ comparison, threshold }: Condition, value: number): boolean {
  return COMPARE[comparison](value, threshold);
}

/** The maximum number of values in a reason. Users read the reason, and the history stores it. */
const MAX_SHOWN_VALUES = 5;

function reasonFor(condition: Condition, datapoints: Datapoints, counted: number): string {
  const { statistic, metric, comparison, threshold, datapointsToAlarm, treatMissingData } =
    condition;
  const newest = datapoints.slice(-MAX_SHOWN_VALUES);
  const shown = newest.map((value) => value ?? `none (${treatMissingData})`).join(', ');
  const more = datapoints.length > newest.length ? '…, ' : '';
  return (
    `${counted} of the last ${periods(datapoints.length)} with ${statistic} of ${metric} ` +
    `${SIGNS[comparison]} ${threshold}, ${datapointsToAlarm} needed for ALARM: ${more}${shown}`
  );
}

function periods(count: number): string {
  return `${count} period${count === 1 ? '' : 's'}`;
}
