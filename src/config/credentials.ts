/** Reads the access key of a remote service from its configured source. No error contains any part of the key. */

import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

import { failureReason } from '../base/disk-error.ts';
import type { CredentialsSource } from './credentials-source.ts';
import {
  type Credentials,
  credentialsSchema,
  keyOf,
  parseCredentials,
} from './credentials-text.ts';
import { findProgram } from './find-program.ts';
import { readPrivate, refused } from './private-file.ts';
import { readProfile } from './profile.ts';
import { writeAtomically } from './write-atomically.ts';

export type { Credentials };

const MAX_OUTPUT_BYTES = 64 * 1024;
/** The maximum run time of the program. A password manager or keyring may prompt the user first. */
const ANSWER_WITHIN_MS = 60_000;

type Environment = Readonly<Record<string, string | undefined>>;

/** Reads an access key. Rejects with `ConfigError` if the source is missing, readable by other users, or invalid. */
export async function askCredentials(
  source: CredentialsSource,
  env: Environment,
): Promise<Credentials> {
  const found = readCredentialsOf(source, env);
  if (!('command' in found)) return found;
  return fromProgram(found);
}

/** A program that prints the access key. It may take some time and prompt the user. */
export interface KeyProgram {
  readonly command: readonly string[];
  /** The error message if the output contains no access key. */
  readonly absent?: string;
}

/** Reads an access key synchronously, or returns the program that prints it. Throws the errors of `askCredentials`. */
export function readCredentialsOf(
  { file, environment, command, keyring, profile = 'default', profileFile }: CredentialsSource,
  env: Environment,
): Credentials | KeyProgram {
  if (file !== undefined) return readCredentials(file);
  if (environment !== undefined) return fromEnvironment(environment, env);
  if (command !== undefined) return { command };
  if (keyring !== undefined) return programOfKeyring(keyring);
  return readProfile({ profile, profileFile }, env);
}

/**
 * Reads an access key from a file. Throws `ConfigError` if the file is missing, readable by other users, or invalid.
 */
export function readCredentials(file: string): Credentials {
  const credentials = parseCredentials(readPrivate(file));
  if (credentials) return credentials;
  throw refused(
    file,
    'it has no access key: write JSON, {"accessKeyId": "ID", "secretAccessKey": "SECRET"}, or the output of `holdfast admin credentials --env`',
  );
}

export async function writeCredentials(file: string, credentials: Credentials): Promise<void> {
  await writeAtomically(file, `${JSON.stringify(credentialsSchema.parse(credentials))}\n`);
}

function fromEnvironment(prefix: string, env: Environment): Credentials {
  const [id, secret] = [`${prefix}_ACCESS_KEY_ID`, `${prefix}_SECRET_ACCESS_KEY`];
  const credentials = keyOf({
    accessKeyId: env[id],
    secretAccessKey: env[secret],
    sessionToken: env[`${prefix}_SESSION_TOKEN`],
  });
  if (credentials) return credentials;
  throw refused(`${id} and ${secret}`, "they are not set in the daemon's environment");
}

/** Returns the program that reads the keyring: the Secret Service of a Linux desktop, or the macOS keychain. */
function programOfKeyring(name: string): KeyProgram {
  const command =
    process.platform === 'darwin'
      ? ['security', 'find-generic-password', '-s', 'holdfast', '-a', name, '-w']
      : ['secret-tool', 'lookup', 'service', 'holdfast', 'account', name];
  return { command, absent: `the keyring has no access key under holdfast, ${name}` };
}

async function fromProgram({
  command,
  absent = 'its output contains no access key',
}: KeyProgram): Promise<Credentials> {
  const [program = '', ...args] = command;
  const limits = { timeout: ANSWER_WITHIN_MS, maxBuffer: MAX_OUTPUT_BYTES };
  const { path, refusal } = findProgram(program);
  if (refusal !== undefined) throw refused(program, refusal);
  const running = promisify(execFile)(path, args, limits);
  running.child.stdin?.end();
  // The error message is not used, because it quotes the output of the program.
  const { stdout } = await running.catch((error: unknown) => {
    throw refused(program, whyFailed(error));
  });
  const credentials = parseCredentials(stdout);
  if (credentials) return credentials;
  throw refused(program, absent);
}

function whyFailed(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (typeof code === 'string') return failureReason(error, 'program');
  if (typeof code === 'number') return `it exited with code ${code}`;
  return `it was killed or did not finish within ${ANSWER_WITHIN_MS / 1_000} s`;
}
