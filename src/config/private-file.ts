/** Files with secrets, or with the names of programs that have them: who else may touch one is looked at before it is believed. */

import { readFileSync, statSync } from 'node:fs';

import { errorCode, errorMessage } from '../base/errors.ts';
import { ConfigError } from './config-error.ts';

/** A settings file has a few lines, a file of profiles hundreds. */
const MAX_FILE_BYTES = 1024 * 1024;

/** What others must not be able to do with it. */
export type Privacy = 'read' | 'write';

const MASKS: Readonly<Record<Privacy, number>> = { read: 0o077, write: 0o022 };

/** Throws `ConfigError` where it is not there, too large, or others may read it. */
export function readPrivate(file: string): string {
  const text = readText(file);
  checkPrivate(file, 'read');
  return text;
}

/** Throws `ConfigError` where it is not there, or too large. */
export function readText(file: string): string {
  const { size } = attempt(file, () => statSync(file));
  if (size > MAX_FILE_BYTES) throw refused(file, `it is larger than ${MAX_FILE_BYTES} bytes`);
  return attempt(file, () => readFileSync(file, 'utf8'));
}

export function checkPrivate(file: string, from: Privacy): void {
  const { mode } = attempt(file, () => statSync(file));
  if ((mode & MASKS[from]) === 0) return;
  throw refused(file, `others may ${from} it; run: chmod 600 '${file}'`);
}

/** `message` never quotes what a file or a program says. */
export function refused(place: string, message: string, cause?: unknown): ConfigError {
  return new ConfigError(place, [{ message }], { verb: 'read credentials', cause });
}

function attempt<T>(file: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    const missing = errorCode(error) === 'ENOENT' ? 'there is no such file' : errorMessage(error);
    throw refused(file, missing, error);
  }
}
