/**
 * Defines the possible sources of the access key of a remote service, such as `credentials: {command: [pass, show,
 * offsite]}`. The configuration does not contain the key itself.
 */

import { z } from 'zod';

import { hasNoNul, pathSchema } from './schema-words.ts';

const MAX_ARGUMENTS = 64;
const MAX_ARGUMENT_CHARACTERS = 4_096;
const MAX_NAME_CHARACTERS = 256;

export interface CredentialsSource {
  /** The absolute path of a file that only its owner can read. It contains JSON or shell variable assignments. */
  readonly file?: string | undefined;
  /** A prefix `X` of environment variables. The daemon reads `X_ACCESS_KEY_ID` and `X_SECRET_ACCESS_KEY`. */
  readonly environment?: string | undefined;
  /** A program and its arguments. It runs without a shell. Its output has one of the formats of `file`. */
  readonly command?: readonly string[] | undefined;
  /** The name of an entry in the desktop's keyring. The entry has one of the formats of `file`. */
  readonly keyring?: string | undefined;
  /** The name of an AWS CLI profile. */
  readonly profile?: string | undefined;
  /** The absolute path of the file that contains the profile, instead of the default files of the AWS CLI. */
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

/** Configuration keys that every remote service has, both storage services and cluster services. */
export const credentialsMembers = {
  credentials: credentialsShape.optional(),
  /** A short form of `credentials: {file: …}`. */
  credentialsFile: z.string().min(1, 'must not be empty').optional(),
};
