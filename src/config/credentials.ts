/** A target's credentials: a JSON file of its own that only its owner may read. */

import { readFileSync, statSync } from 'node:fs';

import { z } from 'zod';

import { errorCode, errorMessage } from '../base/errors.ts';
import { ConfigError } from './config-error.ts';
import { writeAtomically } from './write-atomically.ts';

const credentialsSchema = z.strictObject({
  accessKeyId: z.string().min(1).max(256),
  secretAccessKey: z.string().min(1).max(256),
});

export type Credentials = z.infer<typeof credentialsSchema>;

/** Throws `ConfigError` when the file is missing, open to others, or not what it should be. */
export function readCredentials(file: string): Credentials {
  const text = readPrivate(file);
  const parsed = credentialsSchema.safeParse(jsonOf(text));
  if (parsed.success) return parsed.data;
  // Never the parser's words: they could quote the secret.
  throw refused(file, 'must be JSON with accessKeyId and secretAccessKey, both texts');
}

export async function writeCredentials(file: string, credentials: Credentials): Promise<void> {
  await writeAtomically(file, `${JSON.stringify(credentialsSchema.parse(credentials))}\n`);
}

function readPrivate(file: string): string {
  try {
    if ((statSync(file).mode & 0o077) === 0) return readFileSync(file, 'utf8');
  } catch (error) {
    const missing = errorCode(error) === 'ENOENT' ? 'there is no such file' : errorMessage(error);
    throw refused(file, missing, error);
  }
  throw refused(file, `others may read it; run: chmod 600 '${file}'`);
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function refused(file: string, message: string, cause?: unknown): ConfigError {
  return new ConfigError(file, [{ message }], { verb: 'read credentials', cause });
}
