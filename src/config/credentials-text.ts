/** An access key as files and programs have it: JSON of ours or of the aws tools, or variables for a shell. */

import { z } from 'zod';

import { defined } from '../base/defined.ts';

const text = z.string().min(1).max(256);
/** Of one or two kilobytes, usually. It is a header, of which services take 8 KiB. */
const token = z.string().regex(/^[\x21-\x7e]{1,4096}$/);

export const credentialsSchema = z
  .strictObject({ accessKeyId: text, secretAccessKey: text, sessionToken: token.optional() })
  .transform((key) => defined(key));

export interface Credentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  /** Of a key that ends with a session, by which the service knows that. */
  readonly sessionToken?: string;
}

/** As a `credential_process` of the aws tools prints it. When it ends is told by the service's refusal. */
const processSchema = z
  .object({ AccessKeyId: text, SecretAccessKey: text, SessionToken: token.optional() })
  .transform(({ AccessKeyId, SecretAccessKey, SessionToken }) =>
    defined({
      accessKeyId: AccessKeyId,
      secretAccessKey: SecretAccessKey,
      sessionToken: SessionToken,
    }),
  );

/** What settings files for shells call them: those of Holdfast, of the aws tools and of cloud consoles. */
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

/** Undefined for what is none of them. Never throws: the parsers' own words could quote the secret. */
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

/** Undefined where the id or the secret is missing, or something is not what it should be. */
export function keyOf(members: {
  readonly [K in keyof Credentials]-?: string | undefined;
}): Credentials | undefined {
  // An empty one is none, as `export AWS_SESSION_TOKEN=` makes it.
  const sessionToken = members.sessionToken || undefined;
  return credentialsSchema.safeParse({ ...members, sessionToken }).data;
}

/** `export NAME='value'` and `NAME=value`, each on a line; nothing in them is expanded. */
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
