/** An access key as files and programs have it: JSON of ours or of the aws tools, variables for a shell, or a profile. */

import { z } from 'zod';

const text = z.string().min(1).max(256);

export const credentialsSchema = z.strictObject({ accessKeyId: text, secretAccessKey: text });

export type Credentials = z.infer<typeof credentialsSchema>;

/** As a `credential_process` of the aws tools prints it. */
const processSchema = z
  .object({ AccessKeyId: text, SecretAccessKey: text, SessionToken: z.undefined().optional() })
  .transform(({ AccessKeyId, SecretAccessKey }) => ({
    accessKeyId: AccessKeyId,
    secretAccessKey: SecretAccessKey,
  }));

/** What settings files for shells call them: those of Holdfast, of the aws tools and of cloud consoles. */
const VARIABLES = [
  ['HOLDFAST_TARGET_ACCESS_KEY_ID', 'HOLDFAST_TARGET_SECRET_ACCESS_KEY'],
  ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY'],
  ['S3_ACCESS_KEY', 'S3_SECRET_KEY'],
  ['EC2_ACCESS_KEY', 'EC2_SECRET_KEY'],
] as const;

/** Undefined for what is none of them. Never throws: the parsers' own words could quote the secret. */
export function parseCredentials(said: string): Credentials | undefined {
  const known = z.union([credentialsSchema, processSchema]).safeParse(jsonOf(said));
  if (known.success) return known.data;
  const variables = variablesOf(said);
  for (const [id, secret] of VARIABLES) {
    const found = pairOf(variables.get(id), variables.get(secret));
    if (found) return found;
  }
  return undefined;
}

export function pairOf(
  accessKeyId: string | undefined,
  secretAccessKey: string | undefined,
): Credentials | undefined {
  return credentialsSchema.safeParse({ accessKeyId, secretAccessKey }).data;
}

/** Of an INI file: the section `[name]`. A key that ends by a session is none for a daemon. */
export function parseProfile(
  said: string,
  profile: string,
): Credentials | 'absent' | 'for a session' | 'incomplete' {
  const members = sectionOf(said, profile);
  if (members === undefined) return 'absent';
  if (members.has('aws_session_token')) return 'for a session';
  const found = pairOf(members.get('aws_access_key_id'), members.get('aws_secret_access_key'));
  return found ?? 'incomplete';
}

function sectionOf(said: string, wanted: string): Map<string, string> | undefined {
  let members: Map<string, string> | undefined;
  let isInside = false;
  for (const line of said.split(/\r?\n/)) {
    const [, section] = /^\s*\[\s*(.+?)\s*\]\s*(?:[#;].*)?$/.exec(line) ?? [];
    if (section !== undefined) {
      isInside = section === wanted;
      if (isInside) members ??= new Map();
    }
    const [, name, value] = /^\s*([a-z_]+)\s*=\s*(.*?)\s*$/i.exec(line) ?? [];
    if (isInside && name !== undefined) members?.set(name.toLowerCase(), value ?? '');
  }
  return members;
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
