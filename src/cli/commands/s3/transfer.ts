/** Counts bytes that are transferred between files and the daemon, and replaces files atomically. */

import { randomBytes } from 'node:crypto';
import { open, readlink, realpath, rename, rm, stat } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';

import { defined } from '../../../base/defined.ts';
import { diskErrorFix, diskErrorMeaning } from '../../../base/disk-error.ts';
import { errorCode } from '../../../base/errors.ts';
import { CommandError } from '../../output/command-error.ts';
import type { Progress } from '../../output/progress.ts';
import { bytesText } from '../../../text/amounts.ts';

/** Yields the chunks of `bytes` and shows their progress. The caller ends the progress. */
export async function* shown(
  progress: Progress,
  { title, totalBytes }: { readonly title: string; readonly totalBytes: number | undefined },
  bytes: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array, void> {
  let done = 0;
  const show = () => progress.show(title, { bytes: done, ...defined({ totalBytes }) });
  show();
  for await (const chunk of bytes) {
    yield chunk;
    done += chunk.byteLength;
    show();
  }
}

/** Yields the chunks of `bytes`. Calls `moved` with the size of each chunk after the chunk was consumed. */
export async function* counted(
  bytes: AsyncIterable<Uint8Array>,
  moved: (bytes: number) => void,
): AsyncGenerator<Uint8Array, void> {
  for await (const chunk of bytes) {
    yield chunk;
    moved(chunk.byteLength);
  }
}

/**
 * Replaces `file` atomically after all bytes have been synced to disk. Writes directly to a device or a pipe. Throws
 * CommandError `FileNotUsable` for a file system error. The message refers to the file as `shownAs`.
 */
export async function writeFileWhole(
  file: string,
  bytes: AsyncIterable<Uint8Array>,
  shownAs = file,
): Promise<void> {
  let written = 0;
  let isWhole = false;
  const tallied = counted(bytes, (more) => {
    written += more;
  });
  try {
    const target = await targetOf(file);
    isWhole = target.replaceable;
    if (!isWhole) return await writeTo(await open(file, 'w'), tallied);
    await replaceFile(target.path, tallied);
  } catch (error) {
    const removed = isWhole ? '; the incomplete file was removed' : '';
    const progress = written === 0 ? '' : ` after ${bytesText(written)}${removed}`;
    throw writeFailure(error, shownAs, progress);
  }
}

/**
 * Converts a file system error to a CommandError whose message says how much was written. Returns any other error
 * unchanged.
 */
function writeFailure(error: unknown, file: string, progress: string): unknown {
  const why = diskErrorMeaning(error);
  if (why === undefined) return error;
  const message = `cannot write ${file}: ${why}${progress}`;
  return new CommandError('FileNotUsable', message, diskErrorFix(error), error);
}

/**
 * Writes `bytes` to a temporary file, syncs it and renames it to `path`. Awaits `before` between the sync and the
 * rename. If a step rejects, removes the temporary file and leaves `path` unchanged.
 */
export async function replaceFile(
  path: string,
  bytes: AsyncIterable<Uint8Array>,
  before?: () => Promise<void>,
): Promise<void> {
  const name = `.${basename(path).slice(0, 200)}.holdfast-${randomBytes(6).toString('hex')}`;
  const temporary = join(dirname(path), name);
  try {
    await writeTo(await open(temporary, 'wx'), bytes);
    await before?.();
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

/**
 * Returns the path with symbolic links resolved. So a link is kept and its target is written, even if the target does
 * not exist yet. `replaceable` is false for a device or a pipe, because a file must not replace it.
 */
async function targetOf(file: string): Promise<{ path: string; replaceable: boolean }> {
  try {
    const replaceable = (await stat(file)).isFile();
    return { path: await realpath(file), replaceable };
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw error;
  }
  const link = await linkTarget(file);
  return link === undefined ? { path: file, replaceable: true } : targetOf(link);
}

/** Returns the absolute path that a dangling link points to. Returns undefined if the path is not a link. */
async function linkTarget(file: string): Promise<string | undefined> {
  try {
    return resolve(await realpath(dirname(file)), await readlink(file));
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}

async function writeTo(handle: FileHandle, bytes: AsyncIterable<Uint8Array>): Promise<void> {
  try {
    for await (const chunk of bytes) {
      for (let done = 0; done < chunk.byteLength;) {
        done += (await handle.write(chunk, done)).bytesWritten;
      }
    }
    // Pipes and devices do not support fsync.
    if ((await handle.stat()).isFile()) await handle.sync();
  } finally {
    await handle.close();
  }
}
