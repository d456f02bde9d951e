/** Bytes on their way between a file and the daemon: counted for the progress bar, files written whole or not at all. */

import { randomBytes } from 'node:crypto';
import { open, realpath, rename, rm, stat } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

import { diskErrorFix, diskErrorMeaning } from '../../../base/disk-error.ts';
import { errorCode } from '../../../base/errors.ts';
import { CommandError } from '../../output/command-error.ts';
import type { Context } from '../../context.ts';
import { Progress } from '../../output/progress.ts';
import { bytesText } from '../../output/text.ts';

/** The same bytes, shown on the way. */
export async function* shown(
  context: Context,
  title: string,
  bytes: AsyncIterable<Uint8Array>,
  totalBytes: number | undefined,
): AsyncGenerator<Uint8Array, number> {
  const progress = new Progress(context.io);
  let done = 0;
  try {
    for await (const chunk of bytes) {
      yield chunk;
      done += chunk.byteLength;
      progress.show(title, { bytes: done, ...(totalBytes !== undefined && { totalBytes }) });
    }
  } finally {
    progress.clear();
  }
  return done;
}

/** The same bytes, told as they go by. */
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
 * Replaces `file` in one step once all bytes are on the disk; a device or a pipe is written as it is. Throws `FileNotUsable`
 * for a system error, which names the file `shownAs`.
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

/** A system error of the file, with how far it got; any other error as it is. */
function writeFailure(error: unknown, file: string, progress: string): unknown {
  const why = diskErrorMeaning(error);
  if (why === undefined) return error;
  const message = `cannot write ${file}: ${why}${progress}`;
  return new CommandError('FileNotUsable', message, diskErrorFix(error), error);
}

/** `before` runs when all bytes are on the disk and the file is about to get its name; it rejects to keep that from happening. */
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

/** A device or a pipe must not be replaced by a file, nor a link by what it leads to. */
async function targetOf(file: string): Promise<{ path: string; replaceable: boolean }> {
  try {
    const replaceable = (await stat(file)).isFile();
    return { path: await realpath(file), replaceable };
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return { path: file, replaceable: true };
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
    // Pipes and devices know no sync.
    if ((await handle.stat()).isFile()) await handle.sync();
  } finally {
    await handle.close();
  }
}
