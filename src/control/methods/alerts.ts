/** Methods on what is told of jobs by themselves. */

import { z } from 'zod';

export const ALERT_METHODS = {
  /** Of what somebody was told, and is not over. */
  'alerts.list': {
    params: z.object({}),
    result: z.object({
      alerts: z.array(
        z.object({
          job: z.string(),
          /** stopped, held, lag, freshness, locks, damaged or unproven. */
          kind: z.string(),
          reason: z.string(),
          /** Milliseconds since 1970. */
          since: z.number(),
        }),
      ),
    }),
  },
  /** Does all actions once, as if the job were late; resolves when they have ended. */
  'alerts.test': {
    params: z.object({ name: z.string() }),
    result: z.object({
      actions: z.array(z.object({ action: z.string(), ok: z.boolean(), said: z.string() })),
    }),
  },
} as const;
