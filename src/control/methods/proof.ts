/** Methods that prove that what was mirrored can be got back. */

import { z } from 'zod';

const countsShape = {
  entries: z.number().int(),
  bytes: z.number(),
  findings: z.number().int(),
  changedMeanwhile: z.number().int(),
  readBack: z.number().int(),
  readBackBytes: z.number(),
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
  /** A restore drill now. */
  'proof.drill': {
    params: z.object({ name: z.string().min(1) }),
    result: z.object({
      at: z.number(),
      files: z.number().int(),
      bytes: z.number(),
      failures: z.array(z.object({ path: z.string(), reason: z.string() })),
      /** When a drill last brought all of its sample back. */
      provenAt: z.number().optional(),
    }),
  },
} as const;
