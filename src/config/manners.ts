/** Defines the schema of a job's run conditions: rate limits, schedule and priority. */

import { Cron } from 'croner';
import { z } from 'zod';

import { readSize } from '../text/amounts.ts';

/**
 * A daily time range, in minutes after local midnight. If `fromMinute` is greater than `toMinute`, the range spans
 * midnight.
 */
export interface DayPart {
  readonly fromMinute: number;
  readonly toMinute: number;
}

/** A rate limit. Without a time range, it always applies. */
export interface BandwidthPart extends Partial<DayPart> {
  readonly bytesPerSecond: number;
}

export interface MannersConfig {
  /**
   * Rate limits. The first limit whose time range includes the current time applies. If no limit applies, the rate is
   * unlimited.
   */
  readonly bandwidth?: readonly BandwidthPart[];
  /** When the job runs, as a cron expression. If absent, the job runs continuously. */
  readonly schedule?: string;
  /** The daily time range in which the job runs. If absent, the job runs all day. */
  readonly window?: DayPart;
  readonly onBattery: 'run' | 'pause';
  readonly onMetered: 'run' | 'pause';
  readonly priority: 'low' | 'normal' | 'high';
}

/** The minimum rate. At a lower rate, a part of 8 MiB would take hours, so a lower rate is considered a mistake. */
const LEAST_BYTES_PER_SECOND = 1_000;
/** The maximum number of rate limits. Each limit is checked for every chunk that is sent. */
const MAX_BANDWIDTH_PARTS = 24;
const MAX_SCHEDULE_CHARACTERS = 100;

const BANDWIDTH = 'must be a rate such as 5MB/s, at least 1kB/s';
const TIME = /^(\d{1,2}):(\d{2})$/;

const minuteSchema = z.string().transform((text, context) => {
  const [, hours, minutes] = TIME.exec(text) ?? [];
  const minute = Number(hours) * 60 + Number(minutes);
  if (Number(minutes) < 60 && minute <= 24 * 60) return minute;
  context.addIssue('must be a time of the day, such as 08:00');
  return z.NEVER;
});

const rateSchema = z.union([z.number(), z.string()], BANDWIDTH).transform((rate, context) => {
  const bytes = typeof rate === 'number' ? rate : readSize(rate.replace(/\/s$/, ''));
  if (bytes !== undefined && bytes >= LEAST_BYTES_PER_SECOND) return bytes;
  context.addIssue(BANDWIDTH);
  return z.NEVER;
});

const differ = ({ from, to }: { readonly from: number; readonly to: number }) => from !== to;
const NO_PART = 'from and to must differ';

const WINDOW = 'must be a time range, such as 22:00-06:00';

const windowSchema = z.string().transform((text, context): DayPart => {
  const [from, to, ...more] = text.split('-').map((each) => minuteSchema.safeParse(each.trim()));
  if (from?.success && to?.success && from.data !== to.data && more.length === 0) {
    return { fromMinute: from.data, toMinute: to.data };
  }
  context.addIssue(WINDOW);
  return z.NEVER;
});

const timetableSchema = z
  .array(
    z
      .strictObject({ from: minuteSchema, to: minuteSchema, limit: rateSchema })
      .refine(differ, NO_PART)
      .transform(({ from, to, limit }) => ({
        fromMinute: from,
        toMinute: to,
        bytesPerSecond: limit,
      })),
  )
  .min(1, 'must have at least one time range')
  .max(MAX_BANDWIDTH_PARTS, `must have at most ${MAX_BANDWIDTH_PARTS} time ranges`);

/** The configuration keys of a job's run conditions. */
export const MANNERS = {
  bandwidth: z
    .union(
      [
        rateSchema.transform((bytesPerSecond): readonly BandwidthPart[] => [{ bytesPerSecond }]),
        timetableSchema,
      ],
      `${BANDWIDTH}, or a list of entries such as {from: '08:00', to: '18:00', limit: 1MB/s}`,
    )
    .optional(),
  schedule: z
    .string()
    .max(MAX_SCHEDULE_CHARACTERS)
    .refine(
      isSchedule,
      'must be five fields as in cron that match a real date, such as "0 2 * * *"',
    )
    .optional(),
  window: windowSchema.optional(),
  onBattery: z.enum(['run', 'pause']).default('run'),
  onMetered: z.enum(['run', 'pause']).default('run'),
  priority: z.enum(['low', 'normal', 'high']).default('normal'),
};

/**
 * Returns whether the text is a cron expression with five fields. An expression that never matches, such as February
 * 30, is invalid.
 */
function isSchedule(text: string): boolean {
  if (text.trim().split(/\s+/).length !== 5) return false;
  try {
    return new Cron(text, { paused: true }).nextRun() !== null;
  } catch {
    return false;
  }
}
