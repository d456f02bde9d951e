/** Files with secrets, or with the names of programs that have them: who else may touch one is looked at before it is believed. */

import { readFileSync, realpathSync, statSync } from 'node:fs';
import { resolve } from 'node:path';

import { controlledByOthers } from '../base/controlled-by-others.ts';
import { failureReason } from '../base/disk-error.ts';
import { ConfigError } from './config-error.ts';

/** A settings file has a few lines, a file of profiles hundreds. */
const MAX_FILE_BYTES = 1024 * 1024;

/** What others must not be able to do with it. */
export type Privacy = 'read' | 'write';

const MASKS: Readonly<Record<Privacy, number>> = { read: 0o077, write: 0o022 };

/** Throws `ConfigError` where it is not there, too large, or not private. */
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

/** Throws `ConfigError` where other users may do that, or can put another file in its place. */
export function checkPrivate(file: string, from: Privacy): void {
  const reason = attempt(file, () => whyNotPrivate(file, from));
  if (reason !== undefined) throw refused(file, reason);
}

/** In words, with the command that fixes it. Throws a system error. */
export function whyNotPrivate(file: string, from: Privacy): string | undefined {
  const foreign = controlledByOthers(resolve(file), { realpathSync, statSync });
  if (foreign !== undefined) return foreign;
  if ((statSync(file).mode & MASKS[from]) === 0) return undefined;
  return `others may ${from} it; run: chmod 600 '${file}'`;
}

/** `message` never quotes what a file or a program says. */
export function refused(place: string, message: string, cause?: unknown): ConfigError {
  return new ConfigError(place, [{ message }], { verb: 'read credentials', cause });
}

function attempt<T>(file: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw refused(file, failureReason(error, 'file'), error);
  }
}
