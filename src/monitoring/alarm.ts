/**
 * Defines alarms. An alarm consists of a metric of a bucket, a condition on the metric that determines the alarm's
 * state, and the actions for each state.
 */

import type { Metric, Statistic } from './metric.ts';

export const COMPARISONS = [
  'GreaterThanOrEqualToThreshold',
  'GreaterThanThreshold',
  'LessThanThreshold',
  'LessThanOrEqualToThreshold',
] as const;
export type Comparison = (typeof COMPARISONS)[number];

/** How an alarm treats a period without a sample. */
export const MISSING_DATA = ['missing', 'breaching', 'notBreaching', 'ignore'] as const;
export type TreatMissingData = (typeof MISSING_DATA)[number];

export const ALARM_STATES = ['OK', 'ALARM', 'INSUFFICIENT_DATA'] as const;
export type AlarmState = (typeof ALARM_STATES)[number];

export type AlarmAction =
  | { readonly type: 'log' }
  /** Runs a program on this machine with arguments, without a shell. */
  | { readonly type: 'command'; readonly argv: readonly string[]; readonly timeoutMs?: number }
  /**
   * Sends a POST request with a JSON body. `secretFile` is a file that contains one header,
   * `Name: value`. The request includes this header.
   */
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
  /** The number of most recent periods that are evaluated. */
  readonly evaluationPeriods: number;
  /** The number of evaluated periods that must breach the threshold. */
  readonly datapointsToAlarm: number;
  readonly treatMissingData: TreatMissingData;
  /** The actions that run when the alarm enters each state. There are at most five per state. */
  readonly actions: Readonly<Record<AlarmState, readonly AlarmAction[]>>;
}

/** An alarm and its current state. */
export interface Alarm extends AlarmDefinition {
  /** The current state. While monitoring of the bucket is off, the alarm keeps its last state. */
  readonly state: AlarmState;
  readonly reason: string;
  /** When the alarm entered this state, in milliseconds since 1970. */
  readonly changedAt: number;
  /**
   * When a user acknowledged the alarm in its current state, in milliseconds since 1970. Absent if
   * no user has.
   */
  readonly acknowledgedAt?: number;
  /** Whether the bucket is monitored. If not, the alarm is not evaluated. */
  readonly monitored: boolean;
}

/** A state change, as passed to the alarm's actions. */
export interface Transition {
  /** The ID of the transition. It stays the same when an action is retried. */
  readonly id: string;
  readonly alarm: AlarmDefinition;
  readonly from: AlarmState;
  readonly to: AlarmState;
  readonly reason: string;
  readonly at: number;
  /** Whether a user is testing the actions. A test does not change the state of the alarm. */
  readonly isTest: boolean;
}

/** The kinds of entries in an alarm's history. */
export type HistoryKind = 'configuration' | 'state' | 'action';

export interface HistoryEntry {
  readonly id: number;
  readonly at: number;
  readonly kind: HistoryKind;
  readonly summary: string;
}
