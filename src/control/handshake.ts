/** What the daemon knows of its protocol before the first request; the schemas of requests are loaded when they are needed. */

import { z } from 'zod';

/** The first request of each connection. */
export const HELLO = {
  params: z.object({ protocol: z.number().int(), client: z.string() }),
  result: z.object({ protocol: z.number().int(), version: z.string(), pid: z.number().int() }),
} as const;

/** From the least on. */
export const ACTIVITY_LEVELS = ['info', 'warn', 'error'] as const;
export type ActivityLevel = (typeof ACTIVITY_LEVELS)[number];
