/** Defines the control methods that prove that backups can be restored. */

import { z } from 'zod';

import { amountsSchema } from './throughput.ts';

const countsShape = {
  entries: z.number().int(),
  bytes: z.number(),
  findings: z.number().int(),
  changedMeanwhile: z.number().int(),
  readBack: z.number().int(),
  readBackBytes: z.number(),
  toBeLocked: z.number().int(),
};

/** A row of `proof.verify`. A `progress` row is sent every second. The last row is `done`. */
export const verifyRowSchema = z.discriminatedUnion('is', [
  z.object({
    is: z.literal('finding'),
    path: z.string(),
    code: z.string(),
    message: z.string(),
    /** The ID of the damaged version. Absent for other findings. */
    versionId: z.string().optional(),
  }),
  z.object({ is: z.literal('progress'), ...countsShape, amounts: amountsSchema }),
  z.object({ is: z.literal('done'), ...countsShape }),
]);

export type VerifyRow = Readonly<z.infer<typeof verifyRowSchema>>;

const drillReportSchema = z.object({
  at: z.number(),
  /** The number of files that were restored completely. */
  files: z.number().int(),
  bytes: z.number(),
  /** The byte ranges of large files that were compared with the folder. Absent if no range was tested. */
  ranges: z
    .object({ count: z.number().int(), files: z.number().int(), bytes: z.number() })
    .optional(),
  failures: z.array(z.object({ path: z.string(), reason: z.string() })),
  /**
   * When a restore test last found that everything it tested matched, in milliseconds since 1970. Absent if no
   * restore test has passed.
   */
  provenAt: z.number().optional(),
});

export type DrillReport = Readonly<z.infer<typeof drillReportSchema>>;

export const PROOF_METHODS = {
  /**
   * Opens a stream of the differences between the folder and the bucket. First waits until earlier changes are
   * mirrored, like `jobs.settled`. If the job is paused, does not wait.
   */
  'proof.verify': {
    summary: 'compare the folder with the bucket, as a stream',
    danger: 'reads',

    params: z.object({
      name: z.string().min(1),
      /** The maximum number of bytes to download and verify. If absent, nothing is downloaded. */
      readBackBytes: z.number().positive().optional(),
    }),
    result: z.object({ stream: z.string() }),
  },
  /** Runs a restore test and returns its report. */
  'proof.drill': {
    summary: 'run a restore test',
    danger: 'reads',

    /** `id` is chosen by the caller and identifies the `drill.progress` events. Without `id`, no events are sent. */
    params: z.object({ name: z.string().min(1), id: z.string().optional() }),
    result: drillReportSchema,
  },
} as const;
