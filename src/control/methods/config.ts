/** Defines the control method that reloads `config.yaml`. */

import { z } from 'zod';

import { empty } from './people.ts';

export const CONFIG_METHODS = {
  /**
   * Reloads `config.yaml`, the certificates and the credentials of targets, and applies the changes. `warnings` lists
   * changes that require a restart of the daemon. If the file has errors, rejects with `Config`, and the previous
   * configuration stays in effect.
   */
  'config.reload': {
    summary: 'reload config.yaml, certificates and credentials, and apply the changes',
    danger: 'changes',
    commands: [
      {
        usage: 'config reload',
        summary: 'apply the changes of config.yaml without stopping any other job',
        examples: ['holdfast config reload'],
      },
    ],

    params: empty,
    result: z.object({
      /** The lines of the file that differ from the previous configuration, with two lines of context. */
      diff: z.array(z.object({ is: z.enum(['added', 'removed', 'same']), text: z.string() })),
      /** The jobs that the reload affected. All other jobs continue unchanged. */
      jobs: z.array(
        z.object({
          name: z.string(),
          did: z.enum(['started', 'restarted', 'stopped', 'paused', 'resumed']),
        }),
      ),
      warnings: z.array(z.string()),
    }),
  },
} as const;
