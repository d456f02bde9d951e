/** Declares the record of a lifecycle run. */

import { z } from 'zod';

export const lifecycleRunSchema = z.object({
  runId: z.number().int(),
  /** Whether the run was scheduled or requested by a user. */
  cause: z.enum(['daily', 'asked']),
  startedAt: z.number(),
  /** Absent while the run is in progress. */
  finishedAt: z.number().optional(),
  /** The trusted time by which ages are calculated, in milliseconds since 1970. */
  judgedAt: z.number(),
  looked: z.number().int(),
  expired: z.number().int(),
  removedVersions: z.number().int(),
  removedMarkers: z.number().int(),
  abortedUploads: z.number().int(),
  bytes: z.number(),
  /** Number of expired versions that are locked. */
  held: z.number().int(),
});
