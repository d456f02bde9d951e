/**
 * Declares the first methods of each connection and the notifications of the daemon. A command as short as `holdfast
 * status` loads only these schemas; messages.ts has all others.
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
 * A notification of the daemon. `seq` increases by one with each event of a daemon process. `at` is in milliseconds
 * since 1970.
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
      /** Number of files that the running scan has found; absent if no scan is running. */
      scanned: z.number().int().optional(),
      /** About how many files the running scan will find; absent for the first scan of a job. */
      expected: z.number().int().optional(),
      /** The largest file that is read before its upload; absent if no large file is. */
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
      /** Number of paths found so far; present while paths are listed. */
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
      /** Includes the copied parts of large objects. */
      bytes: z.number(),
      /** Present for the copy of one object. */
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

/** All event types. */
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
   * Subscribes to events. Stored events with a number above `after` come first, then new ones. `types` selects the
   * event types; if absent, all except `job.transfers`. `activityLevel` is the minimum level of `activity` events. The
   * subscription replaces an earlier one of the same connection. Without `after`, it resumes where the earlier one
   * ended, so that no event is lost that both select.
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
   * The client reads too slowly: the events after `after` and before `next` are lost. The client must request the
   * status again.
   */
  'events.missed': z.object({ after: z.number().int(), next: z.number().int() }),
} as const;

export type MissedEvents = z.infer<(typeof NOTIFICATIONS)['events.missed']>;
