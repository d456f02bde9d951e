/**
 * Parses access keys from files and program output. The formats are JSON of Holdfast or the AWS CLI, and shell
 * variable assignments.
 */

import { z } from 'zod';

import { defined } from '../base/defined.ts';

const text = z.string().min(1).max(256);
/**
 * A session token. It is usually one or two kilobytes long. It is sent as a header, and services accept 8 KiB of
 * headers.
 */
const token = z.string().regex(/^[\x21-\x7e]{1,4096}$/);

export const credentialsSchema = z
  .strictObject({ accessKeyId: text, secretAccessKey: text, sessionToken: token.optional() })
  .transform((key) => defined(key));

export interface Credentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  /** The session token of a temporary access key. The service accepts the key only together with this token. */
  readonly sessionToken?: string;
}

/**
 * The output of an AWS CLI `credential_process`. Its expiration is ignored, because the service rejects an expired
 * key.
 */
const processSchema = z
  .object({ AccessKeyId: text, SecretAccessKey: text, SessionToken: token.optional() })
  .transform(({ AccessKeyId, SecretAccessKey, SessionToken }) =>
    defined({
      accessKeyId: AccessKeyId,
      secretAccessKey: SecretAccessKey,
      sessionToken: SessionToken,
    }),
  );

/** The variable names in shell files of Holdfast, the AWS CLI and cloud consoles. */
const VARIABLES = [
  [
    'HOLDFAST_TARGET_ACCESS_KEY_ID',
    'HOLDFAST_TARGET_SECRET_ACCESS_KEY',
    'HOLDFAST_TARGET_SESSION_TOKEN',
  ],
  ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY', 'AWS_SESSION_TOKEN'],
  ['S3_ACCESS_KEY', 'S3_SECRET_KEY'],
  ['EC2_ACCESS_KEY', 'EC2_SECRET_KEY'],
] as const;

/**
 * Parses an access key. Returns undefined if the text has none of the formats. Never throws, because the parsers'
 * messages could quote the secret.
 */
export function parseCredentials(said: string): Credentials | undefined {
  const known = z.union([credentialsSchema, processSchema]).safeParse(jsonOf(said));
  if (known.success) return known.data;
  const variables = variablesOf(said);
  for (const [id, secret, session] of VARIABLES) {
    const found = keyOf({
      accessKeyId: variables.get(id),
      secretAccessKey: variables.get(secret),
      sessionToken: session && variables.get(session),
    });
    if (found) return found;
  }
  return undefined;
}

/** Returns the access key. Returns undefined if the ID or the secret is missing, or if a value is invalid. */
export function keyOf(members: {
  readonly [K in keyof Credentials]-?: string | undefined;
}): Credentials | undefined {
  // An empty token counts as absent, because `export AWS_SESSION_TOKEN=` sets an empty token.
  const sessionToken = members.sessionToken || undefined;
  return credentialsSchema.safeParse({ ...members, sessionToken }).data;
}

/**
 * Reads lines of the form `export NAME='value'` or `NAME=value`. Values are taken literally, without shell expansion.
 */
function variablesOf(said: string): Map<string, string> {
  const found = new Map<string, string>();
  for (const line of said.split(/\r?\n/)) {
    const [, name, value = ''] = /^\s*(?:export\s+)?([A-Z][A-Z0-9_]*)=(.*?)\s*$/.exec(line) ?? [];
    if (name !== undefined) found.set(name, unquoted(value));
  }
  return found;
}

function unquoted(value: string): string {
  const [, , inner] = /^(['"])(.*)\1$/.exec(value) ?? [];
  return inner ?? value;
}

function jsonOf(said: string): unknown {
  try {
    return JSON.parse(said);
  } catch {
    return undefined;
  }
}
