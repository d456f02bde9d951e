/** Defines the possible sources of the customer-provided key of a job: a file, or the output of a command. */

import { z } from 'zod';

import { hasNoNul, pathSchema } from './schema-words.ts';

const MAX_ARGUMENTS = 64;
const MAX_ARGUMENT_CHARACTERS = 4_096;
/** The maximum number of earlier keys. Reading an object may take one request per key. */
const MAX_EARLIER = 8;

export interface CustomerKeySource {
  /** The absolute path of a file that only its owner can read. */
  readonly file?: string | undefined;
  /** A program and its arguments. It runs without a shell. */
  readonly command?: readonly string[] | undefined;
}

/** The customer-provided key for new objects, and the earlier keys. */
export interface JobKeySource extends CustomerKeySource {
  /** Keys of existing objects. They are only used to read. */
  readonly earlier?: readonly CustomerKeySource[] | undefined;
}

const sourceMembers = {
  file: pathSchema.optional(),
  command: z
    .array(z.string().max(MAX_ARGUMENT_CHARACTERS).refine(hasNoNul, 'must not contain NUL'))
    .min(1, 'must have a program')
    .max(MAX_ARGUMENTS, `must have at most ${MAX_ARGUMENTS} arguments`)
    .optional(),
};

const isOne = ({ file, command }: CustomerKeySource) =>
  (file === undefined) !== (command === undefined);
const ONE = 'must have either file or command';

export const customerKeyShape = z
  .strictObject({
    ...sourceMembers,
    earlier: z
      .array(z.strictObject(sourceMembers).refine(isOne, ONE))
      .max(MAX_EARLIER, `must have at most ${MAX_EARLIER} items`)
      .optional(),
  })
  .refine(isOne, ONE);
