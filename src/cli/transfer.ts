/** Bytes on their way between a file and the daemon: counted for the progress bar, files written whole or not at all. */

import { randomBytes } from 'node:crypto';
import { open, realpath, rename, rm, stat } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

import { errorCode } from '../base/errors.ts';
import type { Context } from './context.ts';
import { Progress } from './progress.ts';

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

/** Replaces `file` in one step once all bytes are on the disk; what is no regular file is written as it is. */
export async function writeFileWhole(
  file: string,
  bytes: AsyncIterable<Uint8Array>,
): Promise<void> {
  const target = await targetOf(file);
  if (!target.replaceable) return writeTo(await open(file, 'w'), bytes);
  const name = `.${basename(target.path).slice(0, 200)}.holdfast-${randomBytes(6).toString('hex')}`;
  const temporary = join(dirname(target.path), name);
  try {
    await writeTo(await open(temporary, 'wx'), bytes);
    await rename(temporary, target.path);
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
