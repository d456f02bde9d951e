/** What `config.yaml` says of alerts: when a job is not as it should be, and what is done then. */

import { z } from 'zod';

export type AlertAction =
  | { readonly type: 'log' }
  | { readonly type: 'notification' }
  /** No shell reads them. */
  | { readonly type: 'command'; readonly argv: readonly string[] }
  /** The file holds one header, `Name: value`, which is sent along. */
  | { readonly type: 'webhook'; readonly url: string; readonly secretFile?: string };

export interface AlertsConfig {
  /** A change that is so old and not yet durable is one to be told of. */
  readonly lagMinutes: number;
  /** So is a job that has not looked at everything for so long. */
  readonly freshnessHours: number;
  /** And one that no restore test has proven for so long, which large files are tested whole within; 0: it does not matter. */
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

/** Of a job: asked for while it is in order, so that somebody else notices when it is not. */
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
