/** Where a job has the key that its objects are encrypted under: a file, or what a command prints. */

import { z } from 'zod';

import { hasNoNul, pathSchema } from './schema-words.ts';

const MAX_ARGUMENTS = 64;
const MAX_ARGUMENT_CHARACTERS = 4_096;

export interface CustomerKeySource {
  /** Absolute path of a file that only its owner may read. */
  readonly file?: string | undefined;
  /** A program and its arguments, run without a shell. */
  readonly command?: readonly string[] | undefined;
}

export const customerKeyShape = z
  .strictObject({
    file: pathSchema.optional(),
    command: z
      .array(z.string().max(MAX_ARGUMENT_CHARACTERS).refine(hasNoNul, 'must not contain NUL'))
      .min(1, 'must have a program')
      .max(MAX_ARGUMENTS, `must have at most ${MAX_ARGUMENTS} arguments`)
      .optional(),
  })
  .refine(
    ({ file, command }) => (file === undefined) !== (command === undefined),
    'must have a file or a command, one of them',
  );
