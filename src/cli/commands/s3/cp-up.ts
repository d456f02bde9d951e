/** Copies files to objects for `holdfast s3 cp`. */

import { lstat, readdir, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';

import { defined } from '../../../base/defined.ts';
import { diskErrorFix, failureReason } from '../../../base/disk-error.ts';
import { mediaTypeOf } from '../../../base/media-type.ts';
import type { ControlClient } from '../../../control/client.ts';
import { CommandError, usageError } from '../../output/command-error.ts';
import type { Context } from '../../context.ts';
import type { Copying } from './cp.ts';
import { eachPiece, type Piece, type UnderWay } from './each-object.ts';
import { folderPrefix, type Place, underOwnName } from '../../arguments/thing.ts';
import { visible } from '../../output/text.ts';
import { counted } from './transfer.ts';
import type { Transfer } from './transfer-report.ts';
import { openFile, send } from './upload.ts';

interface FilePiece extends Piece {
  readonly path: string;
  readonly key: string;
}

export async function copyUp(
  context: Context,
  { path, place }: { readonly path: string; readonly place: Place },
  copying: Copying,
): Promise<Transfer> {
  const pieces = await piecesOf(path, place, copying);
  return context.withDaemon((daemon) =>
    eachPiece<FilePiece>(context, {
      title: 'copying',
      movesBytes: true,
      pieces,
      dryRun: copying.dryRun,
      work: (piece, underWay) => sendFile(daemon, { ...piece, place, copying }, underWay),
    }),
  );
}

async function piecesOf(
  path: string,
  place: Place,
  { recursive }: Copying,
): Promise<AsyncIterable<FilePiece> | Iterable<FilePiece>> {
  const found = await statOf(path);
  if (found.isDirectory()) {
    if (recursive) return filesBelow(path, { ...place, key: folderPrefix(place.key) });
    throw usageError(
      `cannot copy ${visible(path)}: it is a folder`,
      'to copy all files in it, add --recursive',
    );
  }
  const { key } = underOwnName(place, basename(path));
  return [{ from: path, to: `${place.bucket}/${key}`, path, key, sizeBytes: found.size }];
}

async function statOf(path: string) {
  try {
    return await stat(path);
  } catch (error) {
    const reason = failureReason(error, 'file');
    throw new CommandError(
      'FileNotUsable',
      `cannot read ${path}: ${reason}`,
      diskErrorFix(error),
      error,
    );
  }
}

/**
 * Yields the files below a folder, sorted by name within each folder. Includes links and special files, so that they
 * are reported as failures.
 */
async function* filesBelow(
  folder: string,
  { bucket, key }: Place,
): AsyncGenerator<FilePiece, void> {
  const entries = await readdir(folder, { withFileTypes: true });
  entries.sort((one, other) => (one.name < other.name ? -1 : 1));
  for (const entry of entries) {
    const path = join(folder, entry.name);
    const named = key + entry.name;
    if (entry.isDirectory()) yield* filesBelow(path, { bucket, key: `${named}/` });
    else {
      const { size } = await lstat(path);
      yield { from: path, to: `${bucket}/${named}`, path, key: named, sizeBytes: size };
    }
  }
}

interface FileToSend extends FilePiece {
  readonly place: Place;
  readonly copying: Copying;
}

async function sendFile(
  daemon: ControlClient,
  { path, key, place: { bucket }, copying }: FileToSend,
  { moved, signal }: UnderWay,
): Promise<void> {
  const { overwrite, attributes, tags, customerKey, recursive } = copying;
  if (recursive && !(await lstat(path)).isFile()) {
    throw new CommandError('FileNotUsable', 'skipped: it is not a regular file');
  }
  const contentType = attributes?.contentType ?? mediaTypeOf(key) ?? mediaTypeOf(path);
  const described = defined({ ...attributes, contentType });
  const source = await openFile(path);
  try {
    const bytes = counted(source.bytes, moved);
    const sending = defined({ bucket, key, overwrite, attributes: described, tags, customerKey });
    await send(daemon, sending, { ...source, bytes }, signal);
  } finally {
    await source.close();
  }
}
