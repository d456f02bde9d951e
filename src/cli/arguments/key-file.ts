/**
 * Reads and writes files with customer-provided encryption keys. No command takes a key as an argument, because all
 * users of the machine can see command-line arguments.
 */

import { randomBytes } from 'node:crypto';
import { open } from 'node:fs/promises';
import { dirname } from 'node:path';

import { diskErrorFix, failureReason } from '../../base/disk-error.ts';
import { errorCode } from '../../base/errors.ts';
import { CommandError } from '../output/command-error.ts';
import type { Context } from '../context.ts';

const KEY_BYTES = 32;

/** The option that specifies the key file of a command. */
export interface KeyOptions {
  readonly keyFile?: string;
}

/**
 * Returns the key in base64, as the control protocol requires it. Returns undefined if `typed` is undefined. Throws
 * CommandError `FileNotUsable`.
 */
export async function readKeyFile(
  context: Context,
  typed: string | undefined,
): Promise<string | undefined> {
  return typed === undefined ? undefined : keyText(context.path(typed));
}

/** Returns the keys of several files in base64, in file order. Throws CommandError `FileNotUsable`. */
export async function readKeyFiles(
  context: Context,
  typed: readonly string[],
): Promise<readonly string[]> {
  return Promise.all(typed.map((each) => keyText(context.path(each))));
}

async function keyText(path: string): Promise<string> {
  const key = await readKeyBytes(path);
  const text = key.toString('base64');
  key.fill(0);
  return text;
}

/** Returns the bytes of the key. The caller must zero them. Throws CommandError `FileNotUsable`. */
async function readKeyBytes(path: string): Promise<Buffer> {
  const reader = await import('../../config/read-customer-key.ts');
  try {
    return await reader.readKeyFile(path);
  } catch (error) {
    if (!(error instanceof reader.KeySourceError)) throw error;
    throw new CommandError('FileNotUsable', error.message, error.hint);
  }
}

/**
 * Writes a new random key to a new file with mode 0600. Resolves when the file is durable. Throws CommandError
 * `FileNotUsable`, for example if the file already exists.
 */
export async function writeNewKey(path: string): Promise<void> {
  try {
    const handle = await open(path, 'wx', 0o600);
    try {
      await handle.writeFile(`${randomBytes(KEY_BYTES).toString('base64')}\n`);
      await handle.sync();
    } finally {
      await handle.close();
    }
    const folder = await open(dirname(path));
    try {
      await folder.sync();
    } finally {
      await folder.close();
    }
  } catch (error) {
    if (errorCode(error) !== 'EEXIST')
      throw notUsable(path, failureReason(error), diskErrorFix(error));
    throw notUsable(
      path,
      'it already exists',
      'name another file: an overwritten key cannot be recovered',
    );
  }
}

function notUsable(path: string, reason: string, hint?: string): CommandError {
  return new CommandError('FileNotUsable', `cannot use key file ${path}: ${reason}`, hint);
}
