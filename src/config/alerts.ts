/**
 * Defines the schema of alerts in `config.yaml`: the conditions of a job that trigger an alert, and the actions of
 * alerts.
 */

import { z } from 'zod';

export type AlertAction =
  | { readonly type: 'log' }
  | { readonly type: 'notification' }
  /** Runs a program with arguments, without a shell. */
  | { readonly type: 'command'; readonly argv: readonly string[] }
  /**
   * Sends a POST request. `secretFile` is a file that contains one header, `Name: value`. The request includes this
   * header.
   */
  | { readonly type: 'webhook'; readonly url: string; readonly secretFile?: string };

export interface AlertsConfig {
  /** The age in minutes at which a change that is not durable yet triggers an alert. */
  readonly lagMinutes: number;
  /** The hours without a finished sync round after which a job triggers an alert. */
  readonly freshnessHours: number;
  /**
   * The days without a passed restore test after which a job triggers an alert. If possible, restore tests cover all
   * bytes of large files within this time. 0 disables the alert.
   */
  readonly provenDays: number;
  readonly actions: readonly AlertAction[];
}

const MAX_ACTIONS = 5;
const MAX_ARGUMENTS = 64;
const MAX_CHARACTERS = 4_096;
const MAX_MINUTES = 365 * 24 * 60;

const between = (least: number, most: number) =>
  z.number().min(least, `must be at least ${least}`).max(most, `must be at most ${most}`);

const text = z
  .string()
  .min(1, 'must not be empty')
  .max(MAX_CHARACTERS, `must have at most ${MAX_CHARACTERS} characters`)
  .refine((value) => !value.includes('\0'), 'must not contain NUL');

const urlSchema = text.refine(isHook, 'must be an http:// or https:// address without a password');

/**
 * The URL that a job requests periodically while it works correctly. An external monitor can detect that the requests
 * stop.
 */
export const heartbeatSchema = urlSchema.optional();

const actionSchema = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('log') }),
  z.strictObject({ type: z.literal('notification') }),
  z.strictObject({
    type: z.literal('command'),
    argv: z.array(text).min(1, 'must name a program').max(MAX_ARGUMENTS),
  }),
  z.strictObject({
    type: z.literal('webhook'),
    url: urlSchema,
    secretFile: text.startsWith('/', 'must be an absolute path').exactOptional(),
  }),
]);

export const alertsShape = z.strictObject({
  lagMinutes: between(1, MAX_MINUTES).default(60),
  freshnessHours: between(1, MAX_MINUTES / 60).default(48),
  provenDays: between(0, MAX_MINUTES / 60 / 24).default(0),
  actions: z
    .array(actionSchema)
    .max(MAX_ACTIONS, `must have at most ${MAX_ACTIONS} items`)
    .default([{ type: 'log' }]),
});

function isHook(address: string): boolean {
  const url = URL.parse(address);
  return url !== null && /^https?:$/.test(url.protocol) && !url.username && !url.password;
}
