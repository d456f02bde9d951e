/**
 * Declares the schema of `keep`: which earlier versions a job keeps, such as `keep: {all: 7d, daily: 30d, weekly: 1y}`.
 */

import { z } from 'zod';

import { DAY_MS } from '../base/durations.ts';

const PERIOD = /^([1-9]\d{0,4})(d|w|y)$/;
const PERIOD_MS = { d: DAY_MS, w: 7 * DAY_MS, y: 365 * DAY_MS };
/** Maximum period, the same as for locks. */
const MAX_KEEP_MS = 100 * PERIOD_MS.y;

const REASON = 'must be a period such as 7d, 4w or 1y, of at most 100y';

/** A period, parsed to milliseconds. The shortest is one day, because less would leave no time to notice a mistake. */
const periodSchema = z
  .string(REASON)
  .refine((text) => parsePeriod(text) <= MAX_KEEP_MS, REASON)
  .transform(parsePeriod);

export const keepShape = z.strictObject({
  all: periodSchema,
  daily: periodSchema.optional(),
  weekly: periodSchema.optional(),
  monthly: periodSchema.optional(),
});

function parsePeriod(text: string): number {
  const [, count, unit] = PERIOD.exec(text) ?? [];
  return unit === undefined ? Infinity : Number(count) * PERIOD_MS[unit as keyof typeof PERIOD_MS];
}
