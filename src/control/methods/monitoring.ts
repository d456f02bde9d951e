/** Methods on metrics of buckets of the embedded store, and on the alarms that watch them. */

import { z } from 'zod';

import { empty } from './people.ts';

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
/** What it may be is the alarms' to say. */
const name = z.string().max(4096);
const alarmState = z.enum(ALARM_STATES);

export const bucketMetricsSchema = z.object({
  bucket: z.string(),
  createdAt: z.number(),
  monitored: z.boolean(),
  /** The metric `BucketSizeBytes`: all versions, and the parts of open uploads. */
  sizeBytes: z.number(),
  /** The metric `NumberOfObjects`: all versions, delete markers, and the parts of open uploads. */
  objects: z.number().int(),
  versions: z.number().int(),
  versionBytes: z.number(),
  deleteMarkers: z.number().int(),
  parts: z.number().int(),
  partBytes: z.number(),
});

/** Keys whose current version is an object, up to some number of them. */
const headCountSchema = z.object({ count: z.number().int(), isAll: z.boolean() });

/** `command`: a program and its arguments, which no shell reads. `secretFile`: an absolute path, one line `Name: value`. */
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
  /** `DISABLED` while monitoring of the bucket is off; then `frozenState` is what it goes on from. */
  state: z.enum([...ALARM_STATES, 'DISABLED']),
  frozenState: alarmState.optional(),
  reason: z.string(),
  changedAt: z.number(),
  /** When somebody said that they know of its being raised; gone with the next change of its state. */
  acknowledgedAt: z.number().optional(),
});

export const MONITORING_METHODS = {
  /** Of all buckets of the store, as they are now. */
  'metrics.list': { params: empty, result: z.object({ buckets: z.array(bucketMetricsSchema) }) },
  'metrics.get': {
    params: z.object({ bucket }),
    result: bucketMetricsSchema.extend({ heads: headCountSchema.optional() }),
  },
  /** One value for each period with a sample between the instants `from` and `to`. */
  'metrics.series': {
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
  'metrics.monitor': {
    params: z.object({ bucket, on: z.boolean() }),
    result: bucketMetricsSchema,
  },
  /** All numbers of the daemon, in the text format of Prometheus. */
  'metrics.prometheus': { params: empty, result: z.object({ text: z.string() }) },
  'alarms.list': { params: empty, result: z.object({ alarms: z.array(alarmSchema) }) },
  'alarms.get': { params: z.object({ name }), result: alarmSchema },
  /** With `replace` it may take the place of one of its name, whose state it keeps. */
  'alarms.put': {
    params: z.object({ alarm: alarmDefinitionSchema, replace: z.boolean() }),
    result: alarmSchema,
  },
  'alarms.remove': { params: z.object({ name }), result: empty },
  /** Does the actions of that state once; resolves when they have ended. */
  'alarms.test': {
    params: z.object({ name, state: alarmState }),
    result: z.object({
      actions: z.array(z.object({ action: z.string(), ok: z.boolean(), said: z.string() })),
    }),
  },
  /** Until the end of the alarm's period puts it right. */
  'alarms.setState': {
    params: z.object({ name, state: alarmState, reason: z.string() }),
    result: alarmSchema,
  },
  /** Of one that is in the state ALARM: somebody knows of it. */
  'alarms.acknowledge': { params: z.object({ name }), result: alarmSchema },
  /** The newest first; those before the entry `before`. */
  'alarms.history': {
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
