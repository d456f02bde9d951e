/**
 * Defines the schema of `keep`: which older versions a job keeps, such as `keep: smart` or `keep: {all: 7d, daily: 30d,
 * weekly: 1y}`.
 */

import { z } from 'zod';

import { DAY_MS } from '../base/durations.ts';
import { readDuration } from '../text/time.ts';

/** The longest period in a `keep` rule: 100 years, as for locks. */
const MAX_KEEP_MS = 36_500 * DAY_MS;

const REASON = 'must be a period such as 7d, 4w or 1y, of at least 1d and at most 100y';

/**
 * A period, parsed to milliseconds. The minimum is one day. A shorter period would leave no time to notice a mistake.
 */
const periodSchema = z
  .string(REASON)
  .transform((text) => readDuration(text) ?? Infinity)
  .refine((ms) => ms >= DAY_MS && ms <= MAX_KEEP_MS, REASON);

const keepPeriodsShape = z.strictObject({
  all: periodSchema,
  hourly: periodSchema.optional(),
  daily: periodSchema.optional(),
  weekly: periodSchema.optional(),
  monthly: periodSchema.optional(),
});

/**
 * The rule `smart`. It keeps all versions for a day, hourly versions for a week, daily versions for a month, weekly
 * versions for a year, and then monthly versions.
 */
const smart = keepPeriodsShape.parse({
  all: '1d',
  hourly: '7d',
  daily: '30d',
  weekly: '1y',
  monthly: '100y',
});

export const keepShape = z.union(
  [z.literal('smart').transform(() => smart), keepPeriodsShape],
  'must be smart, or periods such as {all: 7d, daily: 30d, weekly: 1y}',
);

/** The rules that a preview compares with the rule of a job, by their notation in config.yaml. */
export const PREVIEWED_RULES: Readonly<Record<string, unknown>> = {
  smart: 'smart',
  '{all: 30d}': { all: '30d' },
  '{all: 1y}': { all: '1y' },
  '{all: 7d, daily: 30d, weekly: 1y}': { all: '7d', daily: '30d', weekly: '1y' },
};
