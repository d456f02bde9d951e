/**
 * Reads files that contain secrets, or that specify programs that print secrets. Throws if other users can read, change
 * or replace such a file.
 */

import { readFileSync, realpathSync, statSync } from 'node:fs';
import { resolve } from 'node:path';

import { controlledByOthers } from '../base/controlled-by-others.ts';
import { failureReason } from '../base/disk-error.ts';
import { ConfigError } from './config-error.ts';

/** The maximum file size. A settings file has a few lines, and a file with profiles has hundreds of lines. */
const MAX_FILE_BYTES = 1024 * 1024;

/** The access that other users must not have. */
export type Privacy = 'read' | 'write';

const MASKS: Readonly<Record<Privacy, number>> = { read: 0o077, write: 0o022 };

/** Returns the text of a private file. Throws `ConfigError` if the file is missing, too large or not private. */
export function readPrivate(file: string): string {
  const text = readText(file);
  checkPrivate(file, 'read');
  return text;
}

/** Returns the text of a file. Throws `ConfigError` if the file is missing or too large. */
export function readText(file: string): string {
  const { size } = attempt(file, () => statSync(file));
  if (size > MAX_FILE_BYTES) throw refused(file, `it is larger than ${MAX_FILE_BYTES} bytes`);
  return attempt(file, () => readFileSync(file, 'utf8'));
}

/** Throws `ConfigError` if other users have this access to the file or can replace it. */
export function checkPrivate(file: string, from: Privacy): void {
  const reason = attempt(file, () => whyNotPrivate(file, from));
  if (reason !== undefined) throw refused(file, reason);
}

/**
 * Returns why the file is not private, with the command that fixes it. Returns undefined if it is private. Throws
 * system errors.
 */
export function whyNotPrivate(file: string, from: Privacy): string | undefined {
  const foreign = controlledByOthers(resolve(file), { realpathSync, statSync });
  if (foreign !== undefined) return foreign;
  if ((statSync(file).mode & MASKS[from]) === 0) return undefined;
  return `other users may ${from} it; run: chmod 600 '${file}'`;
}

/** Creates the error of this module. `message` must not quote the content of a file or the output of a program. */
export function refused(place: string, message: string, cause?: unknown): ConfigError {
  return new ConfigError(place, [{ message }], { verb: 'cannot read credentials', cause });
}

function attempt<T>(file: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw refused(file, failureReason(error, 'file'), error);
  }
}
