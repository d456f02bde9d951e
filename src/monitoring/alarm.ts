/** An alarm: the metric that it watches, the condition that changes its state, and the actions of each state. */

import type { Metric, Statistic } from './metric.ts';

export const COMPARISONS = [
  'GreaterThanOrEqualToThreshold',
  'GreaterThanThreshold',
  'LessThanThreshold',
  'LessThanOrEqualToThreshold',
] as const;
export type Comparison = (typeof COMPARISONS)[number];

/** How an alarm counts a period without a sample. */
export const MISSING_DATA = ['missing', 'breaching', 'notBreaching', 'ignore'] as const;
export type TreatMissingData = (typeof MISSING_DATA)[number];

export const ALARM_STATES = ['OK', 'ALARM', 'INSUFFICIENT_DATA'] as const;
export type AlarmState = (typeof ALARM_STATES)[number];

export type AlarmAction =
  | { readonly type: 'log' }
  /** A program on this machine and its arguments. It runs without a shell. */
  | { readonly type: 'command'; readonly argv: readonly string[]; readonly timeoutMs?: number }
  /** A POST request with a JSON body. The file contains one header, `Name: value`, which is sent with the request. */
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
  /** How many of the last periods are evaluated. */
  readonly evaluationPeriods: number;
  /** How many of the evaluated periods must breach the threshold. */
  readonly datapointsToAlarm: number;
  readonly treatMissingData: TreatMissingData;
  /** The actions that run when the alarm enters a state; at most five for each state. */
  readonly actions: Readonly<Record<AlarmState, readonly AlarmAction[]>>;
}

/** An alarm and its current state. */
export interface Alarm extends AlarmDefinition {
  /** The state. While monitoring is off, the alarm keeps its last state. */
  readonly state: AlarmState;
  readonly reason: string;
  /** When the alarm entered the state, in milliseconds since 1970. */
  readonly changedAt: number;
  /** When a user acknowledged the alarm in its current state, in milliseconds since 1970. */
  readonly acknowledgedAt?: number;
  /** Whether the bucket is monitored. Otherwise the alarm is not evaluated. */
  readonly monitored: boolean;
}

/** One change of state, as reported to its actions. */
export interface Transition {
  /** Stays the same when an action is retried. */
  readonly id: string;
  readonly alarm: AlarmDefinition;
  readonly from: AlarmState;
  readonly to: AlarmState;
  readonly reason: string;
  readonly at: number;
  /** Whether a user tests the actions. The state of the alarm does not change then. */
  readonly isTest: boolean;
}

/** The kinds of entries in the history of an alarm. */
export type HistoryKind = 'configuration' | 'state' | 'action';

export interface HistoryEntry {
  readonly id: number;
  readonly at: number;
  readonly kind: HistoryKind;
  readonly summary: string;
}
