/** `holdfast put`: a file or standard input as an object; returns when it is durable. */

import { open } from 'node:fs/promises';
import { basename } from 'node:path';

import { defined } from '../base/defined.ts';
import { errorCode, errorMessage } from '../base/errors.ts';
import type { ControlClient } from '../control/client.ts';
import { CommandError, usageError } from './command-error.ts';
import type { Context } from './context.ts';
import { parsePlace } from './place.ts';
import type { Place } from './place.ts';
import { visible } from './text.ts';
import { shown } from './transfer.ts';

export interface PutOptions {
  readonly contentType?: string;
}

interface Source {
  readonly bytes: AsyncIterable<Uint8Array>;
  /** Absent when only the end of the stream tells. */
  readonly sizeBytes?: number;
  close(): Promise<void>;
}

export async function put(
  context: Context,
  { file, object, contentType }: PutOptions & { readonly file: string; readonly object: string },
): Promise<void> {
  const place = placeFor(file, object);
  const source = await openSource(context, file);
  try {
    const outcome = await context.withDaemon((daemon) =>
      send(context, daemon, { place, source, contentType }),
    );
    if (context.json) return await context.out.json(outcome);
    const version = outcome.versionId === undefined ? '' : `, version ${outcome.versionId}`;
    const name = visible(`${place.bucket}/${place.key}`);
    await context.out.lines(`stored ${name}${version}`);
  } finally {
    await source.close();
  }
}

/** `photos/2026/` means: under the file's own name. */
function placeFor(file: string, object: string): Place {
  const { bucket, key } = parsePlace(object);
  if (key !== '' && !key.endsWith('/')) return { bucket, key };
  if (file === '-') {
    throw usageError(`put - ${object}: standard input has no name`, 'write the whole key');
  }
  return { bucket, key: key + basename(file) };
}

async function openSource(context: Context, file: string): Promise<Source> {
  if (file === '-') return { bytes: context.io.stdin, close: async () => undefined };
  const path = context.path(file);
  try {
    const handle = await open(path);
    const found = await handle.stat();
    if (found.isDirectory()) {
      await handle.close();
      throw new CommandError(
        'FileNotUsable',
        `put ${path}: it is a folder`,
        'mirror it with `holdfast up`',
      );
    }
    const bytes = handle.createReadStream({ autoClose: false });
    const close = () => handle.close();
    return found.isFile() ? { bytes, sizeBytes: found.size, close } : { bytes, close };
  } catch (error) {
    if (error instanceof CommandError) throw error;
    const reason = errorCode(error) === 'ENOENT' ? 'there is no such file' : errorMessage(error);
    throw new CommandError('FileNotUsable', `put ${path}: ${reason}`, undefined, error);
  }
}

interface Sending {
  readonly place: Place;
  readonly source: Source;
  readonly contentType: string | undefined;
}

async function send(context: Context, daemon: ControlClient, sending: Sending) {
  const { place, source, contentType } = sending;
  const { sizeBytes } = source;
  const { stream } = await daemon.call(
    'objects.put',
    defined({
      ...place,
      sizeBytes,
      attributes: contentType === undefined ? undefined : { contentType },
    }),
  );
  await daemon.upload(stream, shown(context, visible(place.key), source.bytes, sizeBytes));
  return daemon.call('objects.put.wait', { stream });
}
