/** Replaces a small file atomically and durably. */

import { randomBytes } from 'node:crypto';
import { open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';

import { failureReason } from '../base/disk-error.ts';
import { errorCode } from '../base/errors.ts';
import { ConfigError } from './config-error.ts';

/**
 * Writes a file with mode 0600. Rejects with `ConfigError` if the operating system reports an error. If `beforeRename`
 * rejects, the existing file is left unchanged.
 */
export async function writeAtomically(
  file: string,
  text: string,
  beforeRename?: () => Promise<void>,
): Promise<void> {
  try {
    await replace(file, text, beforeRename);
  } catch (error) {
    if (errorCode(error) === undefined) throw error;
    throw new ConfigError(file, [{ message: failureReason(error) }], {
      verb: 'cannot write',
      cause: error,
    });
  }
}

async function replace(
  file: string,
  text: string,
  beforeRename: (() => Promise<void>) | undefined,
): Promise<void> {
  const temporary = `${file}.${randomBytes(6).toString('hex')}.tmp`;
  try {
    await writeDurably(temporary, text);
    await beforeRename?.();
    await rename(temporary, file);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
  await syncFolder(dirname(file));
}

async function writeDurably(file: string, text: string): Promise<void> {
  const handle = await open(file, 'wx', 0o600);
  try {
    await handle.writeFile(text);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Syncs a folder. A renamed file is durable only afterwards. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
