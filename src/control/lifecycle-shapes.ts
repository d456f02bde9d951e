/** How a run of lifecycle rules stands, or went. */

import { z } from 'zod';

export const lifecycleRunSchema = z.object({
  runId: z.number().int(),
  /** Whether the day brought it, or somebody asked for it. */
  cause: z.enum(['daily', 'asked']),
  startedAt: z.number(),
  /** Absent while it is under way. */
  finishedAt: z.number().optional(),
  /** The instant by which ages are judged. */
  judgedAt: z.number(),
  looked: z.number().int(),
  expired: z.number().int(),
  removedVersions: z.number().int(),
  removedMarkers: z.number().int(),
  abortedUploads: z.number().int(),
  bytes: z.number(),
  /** Versions whose time has come, but which are locked. */
  held: z.number().int(),
});
