/**
 * Reads a customer-provided key from a file or a command. The key is 32 bytes, raw or in base64. No error
 * contains the key.
 */

import { execFile } from 'node:child_process';
import { realpathSync, statSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { resolve } from 'node:path';
import { promisify } from 'node:util';

import { controlledByOthers } from '../base/controlled-by-others.ts';
import { failureReason } from '../base/disk-error.ts';
import type { CustomerKeySource } from './customer-key.ts';
import { findProgram } from './find-program.ts';

const FILES = { realpathSync, statSync };
const KEY_BYTES = 32;
/** The maximum size: base64 of a key with whitespace around it. Longer text is not a key. */
const MAX_TEXT_BYTES = 1024;
/** The permission bits of the group and of other users. */
const OTHERS = 0o077;
/** The maximum run time of the command. A password manager may prompt the user first. */
const ANSWER_WITHIN_MS = 60_000;
const NO_KEY = 'it does not contain a key of 32 bytes, raw or in base64';

/** Says why the key could not be read. */
export class KeySourceError extends Error {
  override readonly name = 'KeySourceError';
  readonly hint: string | undefined;

  constructor(message: string, hint?: string) {
    super(message);
    this.hint = hint;
  }
}

/**
 * Reads the key. The caller must zero the returned bytes. Rejects with KeySourceError, or with the signal's
 * reason.
 */
export async function readCustomerKey(
  { file, command: [program, ...args] = [] }: CustomerKeySource,
  signal?: AbortSignal,
): Promise<Buffer> {
  if (program !== undefined) return keyOfCommand(program, args, signal);
  if (file !== undefined) return readKeyFile(file);
  throw new KeySourceError('cannot read the customer key: neither file nor command is set');
}

/** Reads the key from a file. The caller must zero the returned bytes. Rejects with KeySourceError. */
export async function readKeyFile(path: string): Promise<Buffer> {
  const text = await readSmallFile(path);
  const key = keyOf(text);
  if (key === undefined) throw notUsable(path, NO_KEY);
  return key;
}

async function keyOfCommand(
  program: string,
  args: readonly string[],
  signal: AbortSignal | undefined,
): Promise<Buffer> {
  const refused = (reason: string) =>
    new KeySourceError(`cannot run key command ${program}: ${reason}; run it yourself to see why`);
  const limits = { timeout: ANSWER_WITHIN_MS, maxBuffer: MAX_TEXT_BYTES };
  const { path, refusal } = findProgram(program);
  if (refusal !== undefined) throw refused(refusal);
  const running = promisify(execFile)(path, args, { encoding: 'buffer', signal, ...limits });
  running.child.stdin?.end();
  // The error message is not used, because it quotes the output of the command.
  const { stdout } = await running.catch((error: unknown) => {
    signal?.throwIfAborted();
    throw refused(whyFailed(error));
  });
  const key = keyOf(stdout);
  if (key === undefined) throw refused('its output is not a key of 32 bytes, raw or in base64');
  return key;
}

function whyFailed(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'ERR_CHILD_PROCESS_STDIO_MAXBUFFER') return 'its output is too large for a key';
  if (typeof code === 'string') return failureReason(error, 'program');
  if (typeof code === 'number') return `it exited with code ${code}`;
  return `it was killed or did not finish within ${ANSWER_WITHIN_MS / 1_000} s`;
}

/** Returns the key, raw or decoded from base64. Returns undefined if the text is not a key. Zeroes `text`. */
function keyOf(text: Buffer): Buffer | undefined {
  const key = text.byteLength === KEY_BYTES ? Buffer.from(text) : fromText(text.toString('latin1'));
  text.fill(0);
  return key;
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
      // Pipes are always private. Shells create them for `<(command)`.
      const foreign = found.isFile() ? controlledByOthers(resolve(path), FILES) : undefined;
      if (foreign !== undefined) throw notUsable(path, foreign);
      if (found.isFile() && process.platform !== 'win32' && (found.mode & OTHERS) !== 0)
        throw notUsable(path, 'other users may read or change it', `chmod 600 ${path}`);
      const buffer = Buffer.alloc(MAX_TEXT_BYTES);
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
    if (error instanceof KeySourceError) throw error;
    const reason = failureReason(error, 'file');
    throw notUsable(path, reason);
  }
}

function notUsable(path: string, reason: string, hint?: string): KeySourceError {
  return new KeySourceError(`cannot use key file ${path}: ${reason}`, hint);
}
