/**
 * Defines the messages that the daemon needs before it handles the first request of a client. The schemas of all other
 * requests are loaded on demand.
 */

import { z } from 'zod';

/** The `hello` method, which is the first request of each connection. */
export const HELLO = {
  summary: 'start a connection: exchange the versions of the protocol',
  danger: 'reads',
  params: z.object({ protocol: z.number().int(), client: z.string() }),
  result: z.object({
    protocol: z.number().int(),
    version: z.string(),
    pid: z.number().int(),
    /** The configuration file that the daemon uses. */
    configFile: z.string().optional(),
  }),
} as const;

/** The levels of activity events, from the least to the most severe. */
export const ACTIVITY_LEVELS = ['info', 'warn', 'error'] as const;
export type ActivityLevel = (typeof ACTIVITY_LEVELS)[number];
