/** Defines the control methods for alerts about jobs. */

import { z } from 'zod';

export const ALERT_METHODS = {
  /** Returns the active alerts of all jobs. */
  'alerts.list': {
    summary: 'list the active alerts of all jobs',
    danger: 'reads',
    commands: [
      {
        usage: 'monitor alerts list',
        summary: 'list the active alerts',
        more: 'Exit code 3 if there is one.',
        examples: ['holdfast monitor alerts list'],
        none: 'no alerts: all jobs are in order',
      },
    ],

    params: z.object({}),
    result: z.object({
      alerts: z.array(
        z.object({
          job: z.string(),
          /**
           * The kind of alert: `stopped`, `held`, `lag`, `freshness`, `locks`, `damaged` or
           * `unproven`.
           */
          kind: z.string(),
          reason: z.string(),
          /** When the alert started, in milliseconds since 1970. */
          since: z.number(),
        }),
      ),
    }),
  },
  /**
   * Runs all alert actions once, as if the job were late. Resolves when the actions have finished.
   */
  'alerts.test': {
    summary: 'run all alert actions once, as if a job were late',
    danger: 'reads',
    commands: [
      {
        usage: 'monitor alerts test <job>',
        summary: 'run all alert actions once, as if the job were late',
        examples: ['holdfast monitor alerts test documents'],
        members: { job: 'name' },
        none: 'no actions: alerts.actions in config.yaml is empty',
      },
    ],

    params: z.object({ name: z.string() }),
    result: z.object({
      actions: z.array(z.object({ action: z.string(), ok: z.boolean(), said: z.string() })),
    }),
  },
} as const;
