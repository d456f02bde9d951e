/**
 * Reads the access key of a target. An option may specify a file, an AWS CLI profile or a command as the source.
 * Otherwise the key is read from the environment, or else from a hidden prompt. No option contains the key itself,
 * because `ps` shows command-line arguments.
 */

import { defined } from '../../base/defined.ts';
import { askCredentials, type Credentials } from '../../config/credentials.ts';
import type { CredentialsSource } from '../../config/credentials-source.ts';
import { wordsOf } from '../../config/profile-text.ts';
import type { Context } from '../context.ts';
import { CommandError, usageError } from '../output/command-error.ts';
import type { Answers } from './answers.ts';
import { type CredentialOptions, credentialsFrom, flagsOf, lasting } from './remote-target.ts';

interface Asked {
  readonly options: CredentialOptions;
  /** The start of error messages, such as `cannot add target offsite`. */
  readonly verb: string;
  /** Asks for the key if neither an option nor the environment provides it. Absent if the user cannot be asked. */
  readonly answers?: Answers | undefined;
}

type TargetKey = Omit<Credentials, 'sessionToken'>;

/**
 * Returns a long-term key. Rejects with CommandError `NoCredentials` or `KeyEnds`, and with ConfigError if the
 * specified source has no valid key. No error quotes the key.
 */
export async function readTargetKey(context: Context, asked: Asked): Promise<TargetKey> {
  const { verb, answers } = asked;
  try {
    return lasting(await readKey(context, asked), verb);
  } catch (error) {
    const isAbsent = error instanceof CommandError && error.code === 'NoCredentials';
    if (!isAbsent || answers === undefined) throw error;
    return await ask(answers);
  }
}

/**
 * Returns the key from the source that an option specifies, or else from the environment. The key may be temporary and
 * have a session token. Rejects with CommandError `NoCredentials` if the environment has no key, and with ConfigError
 * if the specified source has no valid key.
 */
export async function readKey(
  context: Context,
  { options, verb }: Omit<Asked, 'answers'>,
): Promise<Credentials> {
  const source = sourceOf(context, options);
  const { env } = context.io;
  return source ? askCredentials(source, env) : credentialsFrom(env, verb);
}

async function ask(answers: Answers): Promise<TargetKey> {
  const option = '--credentials FILE, or HOLDFAST_TARGET_ACCESS_KEY_ID and …_SECRET_ACCESS_KEY';
  const text = (answer: string) => answer;
  const accessKeyId = await answers.ask({ text: 'Access key ID', option }, text);
  const secret = { text: 'Secret access key (not shown)', option, isSecret: true };
  return { accessKeyId, secretAccessKey: await answers.ask(secret, text) };
}

/** Returns the source that an option specifies. Throws a usage error if several options specify a source. */
function sourceOf(context: Context, options: CredentialOptions): CredentialsSource | undefined {
  const { credentials, profile, credentialsCommand } = options;
  const given = defined({ credentials, profile, credentialsCommand });
  if (Object.keys(given).length > 1)
    throw usageError(`cannot use ${flagsOf(given)} together`, 'name one source of the key');
  if (credentials !== undefined) return { file: context.path(credentials) };
  if (profile !== undefined) return { profile };
  return credentialsCommand === undefined ? undefined : { command: commandOf(credentialsCommand) };
}

/** Splits a command line into words like a shell. No shell runs it, so nothing in it is expanded. */
function commandOf(line: string): readonly string[] {
  const words = wordsOf(line);
  if (words) return words;
  throw usageError(
    'cannot run --credentials-command: it is empty, or a quotation mark is not closed',
    "write the program and its arguments: --credentials-command 'pass show offsite'",
  );
}
