/**
 * Defines the control methods for bucket metrics of the embedded store, and for the alarms that watch these metrics.
 */

import { z } from 'zod';

import { empty } from './people.ts';
import { recentSchema, recentSpanSchema } from './throughput.ts';

export const METRICS = ['BucketSizeBytes', 'NumberOfObjects'] as const;
export const STATISTICS = ['SampleCount', 'Average', 'Sum', 'Minimum', 'Maximum'] as const;
export const COMPARISONS = [
  'GreaterThanOrEqualToThreshold',
  'GreaterThanThreshold',
  'LessThanThreshold',
  'LessThanOrEqualToThreshold',
] as const;
export const MISSING_DATA = ['missing', 'breaching', 'notBreaching', 'ignore'] as const;
export const ALARM_STATES = ['OK', 'ALARM', 'INSUFFICIENT_DATA'] as const;

const bucket = z.string().min(1).max(255);
/** The name of an alarm. This schema checks only the length. `alarms.put` validates the name. */
const name = z.string().max(4096);
const alarmState = z.enum(ALARM_STATES);

export const bucketMetricsSchema = z.object({
  bucket: z.string(),
  createdAt: z.number(),
  monitored: z.boolean(),
  /** The metric `BucketSizeBytes`: the size of all versions, and of the parts of multipart uploads in progress. */
  sizeBytes: z.number(),
  /**
   * The metric `NumberOfObjects`: the number of versions, delete markers, and parts of multipart uploads in progress.
   */
  objects: z.number().int(),
  versions: z.number().int(),
  versionBytes: z.number(),
  deleteMarkers: z.number().int(),
  parts: z.number().int(),
  partBytes: z.number(),
});

/**
 * The number of keys whose current version is an object, counted up to a limit. `isAll` is false if there are more
 * keys.
 */
const headCountSchema = z.object({ count: z.number().int(), isAll: z.boolean() });

/**
 * An action of an alarm. `command` runs a program with arguments, without a shell. `secretFile` is the absolute path of
 * a file that contains one header, `Name: value`. The webhook request includes this header.
 */
export const alarmActionSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('log') }),
  z.object({
    type: z.literal('command'),
    argv: z.array(z.string()).max(1000),
    timeoutMs: z.number().optional(),
  }),
  z.object({
    type: z.literal('webhook'),
    url: z.string(),
    secretFile: z.string().startsWith('/', 'must be an absolute path').optional(),
  }),
  z.object({ type: z.literal('notification') }),
]);

const actions = z.array(alarmActionSchema).max(1000);

export const alarmDefinitionSchema = z.object({
  name,
  description: z.string().optional(),
  bucket,
  metric: z.enum(METRICS),
  statistic: z.enum(STATISTICS),
  comparison: z.enum(COMPARISONS),
  threshold: z.number(),
  periodMs: z.number(),
  evaluationPeriods: z.number(),
  datapointsToAlarm: z.number(),
  treatMissingData: z.enum(MISSING_DATA),
  actions: z.object({ OK: actions, ALARM: actions, INSUFFICIENT_DATA: actions }),
});

export const alarmSchema = alarmDefinitionSchema.extend({
  /**
   * The state of the alarm. While monitoring of the bucket is off, it is `DISABLED`, and `frozenState` is the state
   * that the alarm has when monitoring is turned on again.
   */
  state: z.enum([...ALARM_STATES, 'DISABLED']),
  frozenState: alarmState.optional(),
  reason: z.string(),
  changedAt: z.number(),
  /**
   * When a user acknowledged the alarm, in milliseconds since 1970. Absent if no user has acknowledged it since its
   * last state change.
   */
  acknowledgedAt: z.number().optional(),
});

export const MONITORING_METHODS = {
  /** Returns the current metrics of all buckets of the embedded store. */
  'metrics.list': {
    summary: 'return the current metrics of all buckets',
    danger: 'reads',
    params: empty,
    result: z.object({ buckets: z.array(bucketMetricsSchema) }),
  },
  'metrics.get': {
    summary: 'return the current metrics of a bucket',
    danger: 'reads',

    params: z.object({ bucket }),
    result: bucketMetricsSchema.extend({ heads: headCountSchema.optional() }),
  },
  /**
   * Returns the values of a metric: one value for each period that contains a sample. `from` and `to` are in
   * milliseconds since 1970.
   */
  'metrics.series': {
    summary: 'return the values of a metric in a period of time',
    danger: 'reads',

    params: z.object({
      bucket,
      metric: z.enum(METRICS),
      statistic: z.enum(STATISTICS),
      periodMs: z.number(),
      from: z.number(),
      to: z.number(),
    }),
    result: z.object({
      points: z.array(z.object({ at: z.number(), value: z.number(), samples: z.number().int() })),
    }),
  },
  /** Returns recent sizes of a bucket in bytes (the metric `BucketSizeBytes`), even if the bucket is not monitored. */
  'metrics.recent': {
    summary: 'return the size of a bucket over an hour, a day, a week or 30 days',
    danger: 'reads',

    params: z.object({ bucket, span: recentSpanSchema }),
    result: recentSchema,
  },
  'metrics.monitor': {
    summary: 'start or stop monitoring of a bucket',
    danger: 'changes',
    commands: [
      {
        usage: 'monitor metrics on <bucket>',
        summary: 'start monitoring a bucket: record its metrics and evaluate its alarms',
        examples: ['holdfast monitor metrics on photos'],
        set: { on: true },
      },
      {
        usage: 'monitor metrics off <bucket>',
        summary: 'stop monitoring a bucket: disable its alarms; recorded metrics remain',
        examples: ['holdfast monitor metrics off photos'],
        set: { on: false },
      },
    ],

    params: z.object({ bucket, on: z.boolean() }),
    result: bucketMetricsSchema,
  },
  /** Returns all metrics of the daemon in the Prometheus text format. */
  'metrics.prometheus': {
    summary: 'return all metrics of the daemon in the Prometheus text format',
    danger: 'reads',
    params: empty,
    result: z.object({ text: z.string() }),
  },
  'alarms.list': {
    summary: 'list the alarms',
    danger: 'reads',
    commands: [
      {
        usage: 'monitor alarms list',
        summary: 'list the alarms and their states',
        examples: [
          'holdfast monitor alarms list',
          'holdfast monitor alarms list --json | jq .result.alarms[]',
        ],
        options: { bucket: 'list only the alarms of this bucket' },
        none: 'no alarms: see `holdfast monitor alarms add --help`',
      },
    ],
    params: z.object({ bucket: bucket.optional() }),
    result: z.object({ alarms: z.array(alarmSchema) }),
  },
  'alarms.get': {
    summary: 'return an alarm',
    danger: 'reads',
    commands: [
      {
        usage: 'monitor alarms get <name>',
        summary: 'show an alarm with all its fields',
        examples: ['holdfast monitor alarms get too-full'],
      },
    ],
    params: z.object({ name }),
    result: alarmSchema,
  },
  /** Creates an alarm. With `replace`, replaces an existing alarm of the same name and preserves its state. */
  'alarms.put': {
    summary: 'create or replace an alarm',
    danger: 'changes',

    params: z.object({ alarm: alarmDefinitionSchema, replace: z.boolean() }),
    result: alarmSchema,
  },
  'alarms.remove': {
    summary: 'remove an alarm',
    danger: 'destroys',
    commands: [
      {
        usage: 'monitor alarms remove <name>',
        examples: ['holdfast monitor alarms remove too-full'],
        destroys: 'remove alarm {name} with its history',
        done: 'removed alarm {name}',
      },
    ],
    params: z.object({ name }),
    result: empty,
  },
  /** Runs the actions of an alarm state once. Resolves when the actions have finished. */
  'alarms.test': {
    summary: 'run the actions of an alarm once',
    danger: 'reads',
    commands: [
      {
        usage: 'monitor alarms test <name>',
        summary: 'run the actions of a state once, to see whether they work',
        more: 'The state of the alarm does not change. Exit code 1 if an action failed.',
        examples: [
          'holdfast monitor alarms test too-full',
          'holdfast monitor alarms test too-full --state OK',
        ],
        options: { state: { summary: 'OK, ALARM or INSUFFICIENT_DATA', default: 'ALARM' } },
      },
    ],

    params: z.object({ name, state: alarmState }),
    result: z.object({
      actions: z.array(z.object({ action: z.string(), ok: z.boolean(), said: z.string() })),
    }),
  },
  /** Sets the state of an alarm. The next evaluation of the alarm, at the end of its period, overwrites this state. */
  'alarms.setState': {
    summary: 'set the state of an alarm until its next evaluation',
    danger: 'changes',
    commands: [
      {
        usage: 'monitor alarms set-state <name> <state>',
        summary:
          'set the state of an alarm and run its actions; the next evaluation may change it again',
        examples: ['holdfast monitor alarms set-state too-full ALARM --reason "a trial"'],
        options: {
          reason: {
            value: 'text',
            summary: 'reason for the history and the actions',
            default: 'set by hand',
          },
        },
      },
    ],

    params: z.object({ name, state: alarmState, reason: z.string() }),
    result: alarmSchema,
  },
  /** Acknowledges an alarm in the state `ALARM`. */
  'alarms.acknowledge': {
    summary: 'acknowledge an alarm that is in the state ALARM',
    danger: 'changes',
    commands: [
      {
        usage: 'monitor alarms acknowledge <name>',
        more: 'The dashboard no longer counts it, until its state changes.',
        examples: ['holdfast monitor alarms acknowledge too-full'],
      },
    ],
    params: z.object({ name }),
    result: alarmSchema,
  },
  /** Returns the history of an alarm, newest first. With `before`, returns only entries with a lower ID. */
  'alarms.history': {
    summary: 'return the history of an alarm, newest first',
    danger: 'reads',
    commands: [
      {
        usage: 'monitor alarms history <name>',
        summary: 'show the history of an alarm: its states and the outcomes of its actions',
        examples: ['holdfast monitor alarms history too-full'],
        options: { limit: { summary: 'maximum number of entries, newest first', default: '20' } },
      },
    ],

    params: z.object({
      name,
      limit: z.number().int().min(1).max(1000),
      before: z.number().int().optional(),
    }),
    result: z.object({
      entries: z.array(
        z.object({
          id: z.number().int(),
          at: z.number(),
          kind: z.enum(['configuration', 'state', 'action']),
          summary: z.string(),
        }),
      ),
    }),
  },
} as const;

export type AlarmShape = z.infer<typeof alarmSchema>;
export type AlarmDefinitionShape = z.infer<typeof alarmDefinitionSchema>;
export type AlarmActionShape = z.infer<typeof alarmActionSchema>;
export type BucketMetricsShape = z.infer<typeof bucketMetricsSchema>;
