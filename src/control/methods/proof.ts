/** Declares the control methods that prove that backups can be restored. */

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

/** A row of `proof.verify`. A `progress` row arrives every second, and the last row is `done`. */
export const verifyRowSchema = z.discriminatedUnion('is', [
  z.object({
    is: z.literal('finding'),
    path: z.string(),
    code: z.string(),
    message: z.string(),
    /** ID of the damaged version; absent for other findings. */
    versionId: z.string().optional(),
  }),
  z.object({ is: z.literal('progress'), ...countsShape, amounts: amountsSchema }),
  z.object({ is: z.literal('done'), ...countsShape }),
]);

export type VerifyRow = Readonly<z.infer<typeof verifyRowSchema>>;

const drillReportSchema = z.object({
  at: z.number(),
  /** Number of files that were restored completely. */
  files: z.number().int(),
  bytes: z.number(),
  /** Byte ranges of large files that were compared with the folder; absent if none was tested. */
  ranges: z
    .object({ count: z.number().int(), files: z.number().int(), bytes: z.number() })
    .optional(),
  failures: z.array(z.object({ path: z.string(), reason: z.string() })),
  /**
   * When a restore test last found everything that it tested to be as stored, in milliseconds since 1970; absent if
   * none did.
   */
  provenAt: z.number().optional(),
});

export type DrillReport = Readonly<z.infer<typeof drillReportSchema>>;

export const PROOF_METHODS = {
  /**
   * Opens a stream of the differences between the folder and the bucket. Before that, waits until earlier changes are
   * mirrored, as `jobs.settled` does, unless the job is paused.
   */
  'proof.verify': {
    summary: 'compare the folder with the bucket, as a stream',
    danger: 'reads',

    params: z.object({
      name: z.string().min(1),
      /** Maximum number of bytes to download and verify; absent to download none. */
      readBackBytes: z.number().positive().optional(),
    }),
    result: z.object({ stream: z.string() }),
  },
  /** Runs a restore test and returns its report. */
  'proof.drill': {
    summary: 'run a restore test',
    danger: 'reads',

    /** `id` is chosen by the caller, and identifies the `drill.progress` events; without it, there are none. */
    params: z.object({ name: z.string().min(1), id: z.string().optional() }),
    result: drillReportSchema,
  },
} as const;
