/** Methods on `config.yaml` as a whole. */

import { z } from 'zod';

import { empty } from './people.ts';

export const CONFIG_METHODS = {
  /**
   * Reads `config.yaml`, certificates and the keys of targets again, and applies what differs. `warnings`: what is used from
   * the next start on. Rejects with `Config` for a file with mistakes; what it said before goes on.
   */
  'config.reload': {
    params: empty,
    result: z.object({
      /** Lines of the file that differ from what was used, with two around them. */
      diff: z.array(z.object({ is: z.enum(['added', 'removed', 'same']), text: z.string() })),
      /** Jobs that are not mentioned go on as they were. */
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
