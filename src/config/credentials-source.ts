/**
 * Declares the source of the access key of a remote service, such as `credentials: {command: [pass, show, offsite]}`.
 * The source is one of several kinds, and never the key itself.
 */

import { z } from 'zod';

import { hasNoNul, pathSchema } from './schema-words.ts';

const MAX_ARGUMENTS = 64;
const MAX_ARGUMENT_CHARACTERS = 4_096;
const MAX_NAME_CHARACTERS = 256;

export interface CredentialsSource {
  /** Absolute path of a file that only its owner can read: JSON, or variable assignments for a shell. */
  readonly file?: string | undefined;
  /** `X` stands for `X_ACCESS_KEY_ID` and `X_SECRET_ACCESS_KEY` in the environment of the daemon. */
  readonly environment?: string | undefined;
  /** A program and its arguments, run without a shell. Its output has one of the formats of `file`. */
  readonly command?: readonly string[] | undefined;
  /** Name of an entry in the desktop's keyring, whose content has one of the formats of `file`. */
  readonly keyring?: string | undefined;
  /** Name of a profile of the AWS CLI. */
  readonly profile?: string | undefined;
  /** Absolute path of the file with the profile, instead of the default files of the AWS CLI. */
  readonly profileFile?: string | undefined;
}

const nameSchema = z
  .string()
  .min(1, 'must not be empty')
  .max(MAX_NAME_CHARACTERS)
  .refine((name) => !/[\p{Cc}[\]]/u.test(name), 'must be a plain name');

const credentialsShape = z
  .strictObject({
    file: pathSchema.optional(),
    environment: z
      .string()
      .regex(/^[A-Z][A-Z0-9_]{0,63}$/, 'must be the prefix of the variable names, such as OFFSITE')
      .optional(),
    command: z
      .array(z.string().max(MAX_ARGUMENT_CHARACTERS).refine(hasNoNul, 'must not contain NUL'))
      .min(1, 'must have a program')
      .max(MAX_ARGUMENTS, `must have at most ${MAX_ARGUMENTS} arguments`)
      .readonly()
      .optional(),
    keyring: nameSchema.optional(),
    profile: nameSchema.optional(),
    profileFile: pathSchema.optional(),
  })
  .refine(
    ({ file, environment, command, keyring, profile }) =>
      [file, environment, command, keyring, profile].filter((each) => each !== undefined).length ===
      1,
    'must have one of file, environment, command, keyring and profile',
  )
  .refine(
    ({ profile, profileFile }) => profile !== undefined || profileFile === undefined,
    'profileFile requires profile',
  );

/** Members of every remote service, both of storage and of clusters. */
export const credentialsMembers = {
  credentials: credentialsShape.optional(),
  /** Short form of `credentials: {file: …}`. */
  credentialsFile: z.string().min(1, 'must not be empty').optional(),
};
