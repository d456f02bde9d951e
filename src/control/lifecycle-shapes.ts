/** Defines the schema of a lifecycle run's record. */

import { z } from 'zod';

export const lifecycleRunSchema = z.object({
  runId: z.number().int(),
  /** Whether the daily schedule or a user started the run. */
  cause: z.enum(['daily', 'asked']),
  startedAt: z.number(),
  /** When the run finished, in milliseconds since 1970. Absent while the run is in progress. */
  finishedAt: z.number().optional(),
  /** The trusted time that the run uses to calculate ages, in milliseconds since 1970. */
  judgedAt: z.number(),
  looked: z.number().int(),
  expired: z.number().int(),
  removedVersions: z.number().int(),
  removedMarkers: z.number().int(),
  abortedUploads: z.number().int(),
  bytes: z.number(),
  /** The number of expired versions that were not removed because they are locked. */
  held: z.number().int(),
});
