/**
 * Defines the methods that most connections call first, and the notifications of the daemon. A short command such as
 * `holdfast status` loads only these schemas. messages.ts defines all other methods.
 */

import { z } from 'zod';

import { ACTIVITY_LEVELS, HELLO } from './handshake.ts';
import { lifecycleRunSchema } from './lifecycle-shapes.ts';
import { alarmSchema } from './methods/monitoring.ts';
import { empty } from './methods/people.ts';
import {
  amountsSchema,
  inFlightSchema,
  progressSchema,
  transferRowSchema,
} from './methods/throughput.ts';
import { jobStatusSchema, statusSchema } from './shapes.ts';

/**
 * A notification of the daemon. `seq` is the sequence number. It increases by one with each event. `at` is in
 * milliseconds since 1970.
 */
export const eventSchema = z.object({
  seq: z.number().int(),
  at: z.number(),
  event: z.discriminatedUnion('type', [
    z.object({ type: z.literal('job.changed'), job: jobStatusSchema }),
    z.object({ type: z.literal('job.removed'), name: z.string() }),
    z.object({
      type: z.literal('job.transfers'),
      job: z.string(),
      transfers: z.array(transferRowSchema),
      count: z.number().int(),
      progress: progressSchema.optional(),
      /** The number of files that the running scan has found. Absent if no scan is running. */
      scanned: z.number().int().optional(),
      /** The approximate number of files that the running scan will find. Absent during the first scan of a job. */
      expected: z.number().int().optional(),
      /** The largest file that is being read before its upload. Absent if no large file is being read. */
      reading: inFlightSchema.optional(),
    }),
    z.object({
      type: z.literal('activity'),
      job: z.string(),
      level: z.enum(ACTIVITY_LEVELS),
      action: z.string(),
      path: z.string().optional(),
      message: z.string(),
    }),
    z.object({
      type: z.literal('restore.progress'),
      id: z.string(),
      ...amountsSchema.shape,
      /** The number of paths found so far. Present while paths are being listed. */
      listed: z.number().int().optional(),
    }),
    z.object({ type: z.literal('drill.progress'), id: z.string(), ...amountsSchema.shape }),
    z.object({
      type: z.literal('store.progress'),
      id: z.string(),
      step: z.string(),
      done: z.number(),
      total: z.number().optional(),
    }),
    z.object({
      type: z.literal('copy.progress'),
      id: z.string(),
      objects: z.number().int(),
      /** The number of bytes processed, including the copied parts of large objects. */
      bytes: z.number(),
      /** The total number of bytes. Present if a single object is copied. */
      totalBytes: z.number().optional(),
    }),
    z.object({ type: z.literal('alarm.changed'), alarm: alarmSchema }),
    z.object({ type: z.literal('alarm.removed'), name: z.string() }),
    z.object({ type: z.literal('lifecycle.finished'), run: lifecycleRunSchema }),
    z.object({ type: z.literal('log'), line: z.string() }),
    z.object({ type: z.literal('stopping') }),
  ]),
});

export type DaemonEvent = z.infer<typeof eventSchema>;
export type EventType = DaemonEvent['event']['type'];

/** The types of events that the daemon sends to subscribed clients. */
export const EVENT_TYPES = [
  'job.changed',
  'job.removed',
  'job.transfers',
  'activity',
  'restore.progress',
  'drill.progress',
  'store.progress',
  'copy.progress',
  'alarm.changed',
  'alarm.removed',
  'lifecycle.finished',
  'log',
  'stopping',
] as const satisfies readonly EventType[];

export const FIRST_METHODS = {
  hello: HELLO,
  status: {
    summary: 'return the state of the daemon, its jobs and alarms',
    danger: 'reads',
    params: empty,
    result: statusSchema,
  },
  shutdown: {
    summary: 'stop the daemon',
    danger: 'changes',
    params: empty,
    result: empty,
  },
  /**
   * Subscribes to events. The daemon first sends stored events with a sequence number above `after`, and then new
   * events. `types` selects the event types. If it is absent, all types except `job.transfers` are selected.
   * `activityLevel` is the minimum level of `activity` events. A new subscription replaces the earlier subscription of
   * the same connection. Without `after`, the new subscription continues after the last event that the earlier
   * subscription sent. So events that both subscriptions select are not lost.
   */
  'events.subscribe': {
    summary: 'subscribe to events, replacing an earlier subscription of the connection',
    danger: 'reads',

    params: z.object({
      after: z.number().int().optional(),
      types: z.array(z.enum(EVENT_TYPES)).optional(),
      activityLevel: z.enum(ACTIVITY_LEVELS).optional(),
    }),
    result: z.object({ seq: z.number().int(), missed: z.boolean() }),
  },
  'log.tail': {
    summary: 'return the last lines of the log',
    danger: 'reads',

    params: z.object({ lines: z.number().int().min(0).max(10_000) }),
    result: z.object({ lines: z.array(z.string()) }),
  },
} as const;

/** Notifications that the daemon sends to a client that has subscribed. */
export const NOTIFICATIONS = {
  event: eventSchema,
  /**
   * Sent if the client reads too slowly. The events with sequence numbers between `after` and `next` are lost, so the
   * client must request the status again.
   */
  'events.missed': z.object({ after: z.number().int(), next: z.number().int() }),
} as const;

export type MissedEvents = z.infer<(typeof NOTIFICATIONS)['events.missed']>;
