/** Uploads a file or standard input to an object. */

import { open } from 'node:fs/promises';

import { defined } from '../../../base/defined.ts';
import { diskErrorFix, failureReason } from '../../../base/disk-error.ts';
import type { ControlClient } from '../../../control/client.ts';
import type { Params, Result } from '../../../control/messages.ts';
import { CommandError } from '../../output/command-error.ts';

export interface Source {
  readonly bytes: AsyncIterable<Uint8Array>;
  /** The size of the content. Absent if it is unknown before the end of the stream. */
  readonly sizeBytes?: number;
  close(): Promise<void>;
}

/** Opens a file for upload. Throws CommandError `FileNotUsable` if it is a folder or cannot be opened. */
export async function openFile(path: string): Promise<Source> {
  try {
    const handle = await open(path);
    const found = await handle.stat();
    if (found.isDirectory()) {
      await handle.close();
      throw new CommandError(
        'FileNotUsable',
        `cannot upload ${path}: it is a folder`,
        'mirror it with `holdfast up`, or copy it with `holdfast s3 cp --recursive`',
      );
    }
    const bytes = handle.createReadStream({ autoClose: false });
    const close = () => handle.close();
    return found.isFile() ? { bytes, sizeBytes: found.size, close } : { bytes, close };
  } catch (error) {
    if (error instanceof CommandError) throw error;
    const reason = failureReason(error, 'file');
    throw new CommandError(
      'FileNotUsable',
      `cannot read ${path}: ${reason}`,
      diskErrorFix(error),
      error,
    );
  }
}

export type Sending = Omit<Params<'objects.put'>, 'sizeBytes'>;

/** Uploads the bytes. Resolves when the object is durable. */
export async function send(
  daemon: ControlClient,
  sending: Sending,
  { bytes, sizeBytes }: Omit<Source, 'close'>,
  signal?: AbortSignal,
): Promise<Result<'objects.put.wait'>> {
  const { stream } = await daemon.call('objects.put', defined({ ...sending, sizeBytes }));
  await daemon.upload(stream, bytes, { signal });
  return daemon.call('objects.put.wait', { stream });
}
