/** Methods that prove that what was mirrored can be got back. */

import { z } from 'zod';

const countsShape = {
  entries: z.number().int(),
  bytes: z.number(),
  findings: z.number().int(),
  changedMeanwhile: z.number().int(),
  readBack: z.number().int(),
  readBackBytes: z.number(),
  toBeLocked: z.number().int(),
};

/** The last row is `done`; one of `progress` comes each second. */
export const verifyRowSchema = z.discriminatedUnion('is', [
  z.object({
    is: z.literal('finding'),
    path: z.string(),
    code: z.string(),
    message: z.string(),
    /** Of a damaged version. */
    versionId: z.string().optional(),
  }),
  z.object({ is: z.literal('progress'), ...countsShape }),
  z.object({ is: z.literal('done'), ...countsShape }),
]);

export type VerifyRow = Readonly<z.infer<typeof verifyRowSchema>>;

const drillReportSchema = z.object({
  at: z.number(),
  /** Restored whole. */
  files: z.number().int(),
  bytes: z.number(),
  /** Of large files, compared with the folder; absent where none was tested. */
  ranges: z
    .object({ count: z.number().int(), files: z.number().int(), bytes: z.number() })
    .optional(),
  failures: z.array(z.object({ path: z.string(), reason: z.string() })),
  /** When a restore test last found everything that it tested as it was stored. */
  provenAt: z.number().optional(),
});

export type DrillReport = Readonly<z.infer<typeof drillReportSchema>>;

export const PROOF_METHODS = {
  /** What changed before is mirrored first, as `jobs.settled` has it; then a stream of rows. */
  'proof.verify': {
    params: z.object({
      name: z.string().min(1),
      /** Bytes to read again from the service at most; absent: none are. */
      readBackBytes: z.number().positive().optional(),
    }),
    result: z.object({ stream: z.string() }),
  },
  /** A restore test now. */
  'proof.drill': {
    params: z.object({ name: z.string().min(1) }),
    result: drillReportSchema,
  },
} as const;
