/** A target's key, read from where its configuration says: no word of it is in any error. */

import { execFile } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { errorCode, errorMessage } from '../base/errors.ts';
import { ConfigError } from './config-error.ts';
import type { CredentialsSource } from './credentials-source.ts';
import {
  type Credentials,
  credentialsSchema,
  pairOf,
  parseCredentials,
  parseProfile,
} from './credentials-text.ts';
import { writeAtomically } from './write-atomically.ts';

export type { Credentials };

/** A settings file has a few lines, a file of profiles hundreds. */
const MAX_FILE_BYTES = 1024 * 1024;
const MAX_OUTPUT_BYTES = 64 * 1024;
/** A password manager and a keyring may ask their user first. */
const ANSWER_WITHIN_MS = 60_000;

type Environment = Readonly<Record<string, string | undefined>>;

/** Whether a program has to be asked, which may take its time and ask its user. */
export function isAsked({ command, keyring }: CredentialsSource): boolean {
  return (command ?? keyring) !== undefined;
}

/** Rejects with `ConfigError` for what is missing, open to others, or not what it should be. */
export async function askCredentials(
  source: CredentialsSource,
  env: Environment,
): Promise<Credentials> {
  const { command, keyring } = source;
  if (command !== undefined) return fromProgram(command, 'it printed no access key');
  if (keyring !== undefined) return fromKeyring(keyring);
  return readCredentialsOf(source, env);
}

/** At once, of what needs no program. Throws as `askCredentials` rejects. */
export function readCredentialsOf(
  { file, environment, profile = 'default', profileFile }: CredentialsSource,
  env: Environment,
): Credentials {
  if (file !== undefined) return readCredentials(file);
  if (environment !== undefined) return fromEnvironment(environment, env);
  return fromProfile(profile, profileFile ?? usualProfiles(env));
}

/** Throws `ConfigError` when the file is missing, open to others, or not what it should be. */
export function readCredentials(file: string): Credentials {
  const credentials = parseCredentials(readPrivate(file));
  if (credentials) return credentials;
  throw refused(
    file,
    'must be JSON with accessKeyId and secretAccessKey, both texts, or a settings file for a shell',
  );
}

export async function writeCredentials(file: string, credentials: Credentials): Promise<void> {
  await writeAtomically(file, `${JSON.stringify(credentialsSchema.parse(credentials))}\n`);
}

function fromEnvironment(prefix: string, env: Environment): Credentials {
  const [id, secret] = [`${prefix}_ACCESS_KEY_ID`, `${prefix}_SECRET_ACCESS_KEY`];
  const credentials = pairOf(env[id], env[secret]);
  if (credentials) return credentials;
  throw refused(`${id} and ${secret}`, 'the environment of the daemon has none');
}

function fromProfile(profile: string, file: string): Credentials {
  const found = parseProfile(readPrivate(file), profile);
  if (typeof found === 'object') return found;
  const why = {
    absent: `there is no [${profile}]`,
    'for a session': `the key of [${profile}] is for a session, and ends with it`,
    incomplete: `[${profile}] has no aws_access_key_id with its aws_secret_access_key`,
  };
  throw refused(file, why[found]);
}

function usualProfiles(env: Environment): string {
  return env['AWS_SHARED_CREDENTIALS_FILE'] || join(homedir(), '.aws/credentials');
}

/** The Secret Service of a Linux desktop, or the keychain of macOS, by the tools that come with them. */
function fromKeyring(name: string): Promise<Credentials> {
  const command =
    process.platform === 'darwin'
      ? ['security', 'find-generic-password', '-s', 'holdfast', '-a', name, '-w']
      : ['secret-tool', 'lookup', 'service', 'holdfast', 'account', name];
  return fromProgram(command, `the keyring has no access key under holdfast, ${name}`);
}

async function fromProgram(command: readonly string[], absent: string): Promise<Credentials> {
  const [program = '', ...args] = command;
  const limits = { timeout: ANSWER_WITHIN_MS, maxBuffer: MAX_OUTPUT_BYTES };
  const running = promisify(execFile)(program, args, limits);
  running.child.stdin?.end();
  // Never the error's own words: they quote what the program said.
  const { stdout } = await running.catch((error: unknown) => {
    throw refused(program, whyFailed(error));
  });
  const credentials = parseCredentials(stdout);
  if (credentials) return credentials;
  throw refused(program, absent);
}

function whyFailed(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'ENOENT') return 'there is no such program';
  if (typeof code === 'string') return code;
  if (typeof code === 'number') return `it ended with exit code ${code}`;
  return `it was ended, or gave no answer within ${ANSWER_WITHIN_MS / 1_000} s`;
}

function readPrivate(file: string): string {
  try {
    const { mode, size } = statSync(file);
    if (size > MAX_FILE_BYTES) throw refused(file, `it is larger than ${MAX_FILE_BYTES} bytes`);
    if ((mode & 0o077) === 0) return readFileSync(file, 'utf8');
  } catch (error) {
    if (error instanceof ConfigError) throw error;
    const missing = errorCode(error) === 'ENOENT' ? 'there is no such file' : errorMessage(error);
    throw refused(file, missing, error);
  }
  throw refused(file, `others may read it; run: chmod 600 '${file}'`);
}

function refused(place: string, message: string, cause?: unknown): ConfigError {
  return new ConfigError(place, [{ message }], { verb: 'read credentials', cause });
}
