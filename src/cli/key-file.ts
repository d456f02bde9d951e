/** Files that hold a customer's key. Keys are never in the arguments of a command: those everybody on a machine sees. */

import { randomBytes } from 'node:crypto';
import { open } from 'node:fs/promises';
import { dirname } from 'node:path';

import { errorCode, errorMessage } from '../base/errors.ts';
import { CommandError } from './command-error.ts';
import type { Context } from './context.ts';

const KEY_BYTES = 32;
/** Room for base64 with blanks around it; what is longer is some other file. */
const MAX_FILE_BYTES = 1024;
/** What others than the owner may do with a file. */
const OTHERS = 0o077;

/** Options by which a command is given a key. */
export interface KeyOptions {
  readonly keyFile?: string;
}

/** The key as it crosses the control socket: base64. Undefined where no file was named. Throws `FileNotUsable`. */
export async function readKeyFile(
  context: Context,
  typed: string | undefined,
): Promise<string | undefined> {
  if (typed === undefined) return undefined;
  const path = context.path(typed);
  const bytes = await readSmallFile(path);
  const key = bytes.byteLength === KEY_BYTES ? bytes : fromText(bytes.toString('latin1'));
  if (key?.byteLength !== KEY_BYTES) {
    throw notUsable(path, 'it holds no key: 32 bytes, as they are or in base64');
  }
  const text = key.toString('base64');
  bytes.fill(0);
  key.fill(0);
  return text;
}

function fromText(text: string): Buffer | undefined {
  const trimmed = text.trim();
  return /^[A-Za-z0-9+/]{43}=$/.test(trimmed) ? Buffer.from(trimmed, 'base64') : undefined;
}

async function readSmallFile(path: string): Promise<Buffer> {
  try {
    const handle = await open(path);
    try {
      const found = await handle.stat();
      // Pipes, as shells make of `<(command)`, are private by themselves.
      if (found.isFile() && process.platform !== 'win32' && (found.mode & OTHERS) !== 0) {
        throw notUsable(path, 'others may read or change it', `chmod 600 ${path}`);
      }
      const buffer = Buffer.alloc(MAX_FILE_BYTES);
      let used = 0;
      for (;;) {
        const { bytesRead } = await handle.read(buffer, used, buffer.byteLength - used);
        if (bytesRead === 0) return buffer.subarray(0, used);
        used += bytesRead;
      }
    } finally {
      await handle.close();
    }
  } catch (error) {
    if (error instanceof CommandError) throw error;
    const reason = errorCode(error) === 'ENOENT' ? 'there is no such file' : errorMessage(error);
    throw notUsable(path, reason);
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
    if (errorCode(error) !== 'EEXIST') throw notUsable(path, errorMessage(error));
    throw notUsable(path, 'it is there already', 'a key that is written over is lost for good');
  }
}

function notUsable(path: string, reason: string, hint?: string): CommandError {
  return new CommandError('FileNotUsable', `use key file ${path}: ${reason}`, hint);
}
