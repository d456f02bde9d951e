/** An alarm: what it watches, when it changes its state, and what is done then. */

import type { Metric, Statistic } from './metric.ts';

export const COMPARISONS = [
  'GreaterThanOrEqualToThreshold',
  'GreaterThanThreshold',
  'LessThanThreshold',
  'LessThanOrEqualToThreshold',
] as const;
export type Comparison = (typeof COMPARISONS)[number];

/** What a period without a sample counts as. */
export const MISSING_DATA = ['missing', 'breaching', 'notBreaching', 'ignore'] as const;
export type TreatMissingData = (typeof MISSING_DATA)[number];

export const ALARM_STATES = ['OK', 'ALARM', 'INSUFFICIENT_DATA'] as const;
export type AlarmState = (typeof ALARM_STATES)[number];

export type AlarmAction =
  | { readonly type: 'log' }
  /** A program of this machine and its arguments: no shell reads them. */
  | { readonly type: 'command'; readonly argv: readonly string[]; readonly timeoutMs?: number }
  /** A POST of JSON. The file holds one header, `Name: value`, which is sent along. */
  | { readonly type: 'webhook'; readonly url: string; readonly secretFile?: string }
  | { readonly type: 'notification' };

export interface AlarmDefinition {
  readonly name: string;
  readonly description?: string;
  readonly bucket: string;
  readonly metric: Metric;
  readonly statistic: Statistic;
  readonly comparison: Comparison;
  readonly threshold: number;
  readonly periodMs: number;
  /** How many periods are looked at, and how many of them have to breach the threshold. */
  readonly evaluationPeriods: number;
  readonly datapointsToAlarm: number;
  readonly treatMissingData: TreatMissingData;
  /** What is done when the state is entered; at most five each. */
  readonly actions: Readonly<Record<AlarmState, readonly AlarmAction[]>>;
}

/** An alarm and how it stands. */
export interface Alarm extends AlarmDefinition {
  /** Where monitoring is off: the state it will go on from. */
  readonly state: AlarmState;
  readonly reason: string;
  /** Since when it is in that state. */
  readonly changedAt: number;
  /** When somebody said, of its being raised, that they know of it. */
  readonly acknowledgedAt?: number;
  /** Whether the bucket is monitored: an alarm of one that is not is asleep. */
  readonly monitored: boolean;
}

/** One change of state, as its actions are told. */
export interface Transition {
  /** The same each time an action is done again for it. */
  readonly id: string;
  readonly alarm: AlarmDefinition;
  readonly from: AlarmState;
  readonly to: AlarmState;
  readonly reason: string;
  readonly at: number;
  /** Nothing happened: somebody tries the actions out. */
  readonly isTest: boolean;
}

/** What is remembered of an alarm. */
export type HistoryKind = 'configuration' | 'state' | 'action';

export interface HistoryEntry {
  readonly id: number;
  readonly at: number;
  readonly kind: HistoryKind;
  readonly summary: string;
}
