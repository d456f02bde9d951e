/**
 * Declares the source of the customer key that a job's objects are encrypted with: a file, or the output of a command.
 */

import { z } from 'zod';

import { hasNoNul, pathSchema } from './schema-words.ts';

const MAX_ARGUMENTS = 64;
const MAX_ARGUMENT_CHARACTERS = 4_096;
/** Maximum number of earlier keys. To read an object, each key may take a request. */
const MAX_EARLIER = 8;

export interface CustomerKeySource {
  /** Absolute path of a file that only its owner can read. */
  readonly file?: string | undefined;
  /** A program and its arguments, run without a shell. */
  readonly command?: readonly string[] | undefined;
}

/** The customer key for new objects, and earlier keys. */
export interface JobKeySource extends CustomerKeySource {
  /** Keys of existing objects. They are used only to read. */
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
