/**
 * What state an alarm should be in, from the last periods it looks at: pure.
 *
 * A state changes on evidence only. Samples are taken on this machine, so that a period that is over gets none any
 * more: no more periods are looked at than the alarm says, other than by services whose data comes late. Where
 * periods are missing and the others decide neither way, the alarm stays what it is.
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

/** Of each period that is looked at, the oldest first: its value, or undefined where there was no sample. */
export type Datapoints = readonly (number | undefined)[];

/** Undefined where what is known decides nothing. */
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
  // Even if all that is missing had breached the threshold.
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

/** A reason is read by people and kept in the history: the newest values say enough. */
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
