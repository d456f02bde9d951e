/** Files that hold a customer's key. Keys are never in the arguments of a command: those everybody on a machine sees. */

import { randomBytes } from 'node:crypto';
import { open } from 'node:fs/promises';
import { dirname } from 'node:path';

import { diskErrorFix, failureReason } from '../../base/disk-error.ts';
import { errorCode } from '../../base/errors.ts';
import { CommandError } from '../output/command-error.ts';
import type { Context } from '../context.ts';

const KEY_BYTES = 32;

/** Options by which a command is given a key. */
export interface KeyOptions {
  readonly keyFile?: string;
}

/** The key as it crosses the control socket: base64. Undefined where no file was named. Throws `FileNotUsable`. */
export async function readKeyFile(
  context: Context,
  typed: string | undefined,
): Promise<string | undefined> {
  return typed === undefined ? undefined : keyText(context.path(typed));
}

/** As `readKeyFile`, of each. */
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

/** The caller zeroes the bytes. Throws `FileNotUsable`. */
async function readKeyBytes(path: string): Promise<Buffer> {
  const reader = await import('../../config/read-customer-key.ts');
  try {
    return await reader.readKeyFile(path);
  } catch (error) {
    if (!(error instanceof reader.KeySourceError)) throw error;
    throw new CommandError('FileNotUsable', error.message, error.hint);
  }
}

/** A key of its own in a file that only its owner may read. Durable when it resolves. Throws `FileNotUsable`. */
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
    throw notUsable(path, 'it is there already', 'a key that is written over is lost for good');
  }
}

function notUsable(path: string, reason: string, hint?: string): CommandError {
  return new CommandError('FileNotUsable', `use key file ${path}: ${reason}`, hint);
}
