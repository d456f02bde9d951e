/**
 * Copies objects to files for `holdfast s3 cp`. Keys are untrusted, so no key may lead to a file outside the target
 * folder.
 */

import { lstat, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

import { defined } from '../../../base/defined.ts';
import { diskErrorFix, failureReason } from '../../../base/disk-error.ts';
import { errorCode } from '../../../base/errors.ts';
import type { ControlClient } from '../../../control/client.ts';
import { isControlError } from '../../../control/control-error.ts';
import { type HeldFolder, openFolderBelow } from '../../../mirror/local/held-folder.ts';
import { CommandError } from '../../output/command-error.ts';
import type { Context } from '../../context.ts';
import type { Copying } from './cp.ts';
import { eachPiece, type ObjectPiece, piecesBelow, type UnderWay } from './each-object.ts';
import { folderPrefix, type Place, requireKey } from '../../arguments/thing.ts';
import { counted, replaceFile, writeFileWhole } from './transfer.ts';
import type { Transfer } from './transfer-report.ts';

interface FilePiece extends ObjectPiece {
  /**
   * The path segments below the target folder. The last segment is the file name. It is empty if the key ends in a
   * slash.
   */
  readonly names: readonly string[];
}

interface Down {
  readonly place: Place;
  readonly path: string;
  readonly typed: string;
}

export async function copyDown(context: Context, down: Down, copying: Copying): Promise<Transfer> {
  const { recursive, dryRun } = copying;
  const target = recursive ? down.path : dirname(await fileFor(down));
  return context.withDaemon((daemon) =>
    eachPiece<FilePiece>(context, {
      title: 'copying',
      movesBytes: true,
      pieces: recursive ? filesBelow(daemon, down) : onePiece(daemon, down, copying),
      dryRun,
      work: (piece, underWay) =>
        fetchObject(daemon, { piece, target, bucket: down.place.bucket, copying }, underWay),
    }),
  );
}

async function* onePiece(
  daemon: ControlClient,
  down: Down,
  { versionId, customerKey }: Copying,
): AsyncGenerator<FilePiece, void> {
  const { bucket, key } = requireKey(down.place);
  const file = await fileFor(down);
  // This request makes the whole command fail if the object does not exist. Otherwise the object would be listed as
  // failed.
  const { sizeBytes } = await daemon.call(
    'objects.describe',
    defined({ bucket, key, versionId, customerKey }),
  );
  yield {
    from: `${bucket}/${key}`,
    to: file,
    key,
    sizeBytes,
    names: [basename(file)],
  };
}

async function* filesBelow(
  daemon: ControlClient,
  { place: { bucket, key }, path }: Down,
): AsyncGenerator<FilePiece, void> {
  const prefix = folderPrefix(key);
  for await (const piece of piecesBelow(daemon, { bucket, key: prefix })) {
    const names = piece.key.slice(prefix.length).split('/');
    yield { ...piece, to: join(path, ...names), names };
  }
}

/**
 * Returns the path of the file to write. If `path` is a folder or was typed with a trailing slash, the last segment of
 * the key is appended. Throws CommandError `FileNotUsable` if that segment is not a valid file name.
 */
async function fileFor({ place: { key }, path, typed }: Down): Promise<string> {
  const name = key.slice(key.lastIndexOf('/') + 1);
  const isFolder = typed.endsWith('/') || (await isFolderThere(path));
  if (!isFolder) return path;
  checkName(name);
  return join(path, name);
}

interface Fetching {
  readonly piece: FilePiece;
  readonly target: string;
  readonly bucket: string;
  readonly copying: Copying;
}

async function fetchObject(
  daemon: ControlClient,
  fetching: Fetching,
  underWay: UnderWay,
): Promise<void> {
  const { names, sizeBytes } = fetching.piece;
  const folders = names.slice(0, -1);
  const [name = ''] = names.slice(-1);
  for (const each of folders) checkName(each);
  const folder = hold(fetching.target, folders.join('/'));
  try {
    // Other tools store a folder as an empty object with a key that ends in a slash.
    if (name === '' && sizeBytes === 0) return;
    checkName(name);
    await checkTarget(folder.at(name), fetching);
    await writeInto(folder, name, { daemon, fetching, underWay });
  } catch (error) {
    const isOfFile = errorCode(error) !== undefined && !(error instanceof CommandError);
    if (!isOfFile || isControlError(error)) throw error;
    throw notWritten(fetching.piece.to, error);
  } finally {
    folder.close();
  }
}

/**
 * Opens the folder at `path` below `target`, and creates missing folders. Throws CommandError `FileNotUsable` if that
 * fails. Also throws it for a symbolic link in `path`, because a link could lead outside `target`.
 */
function hold(target: string, path: string): HeldFolder {
  try {
    return openFolderBelow(target, path);
  } catch (error) {
    if (errorCode(error) !== 'ENOTDIR') throw notWritten(join(target, path), error);
    const message = `skipped: a link or a file is in the place of a folder in ${join(target, path)}`;
    throw new CommandError('FileNotUsable', message, undefined, error);
  }
}

function notWritten(path: string, error: unknown): CommandError {
  const message = `cannot write ${path}: ${failureReason(error)}`;
  return new CommandError('FileNotUsable', message, diskErrorFix(error), error);
}

/**
 * Throws CommandError `FileNotUsable` if the target exists and must not be overwritten. A recursive copy overwrites
 * only regular files, and never a link or a device.
 */
async function checkTarget(
  path: string,
  { piece: { to }, copying: { overwrite, recursive } }: Fetching,
): Promise<void> {
  const there = await unlessMissing(lstat(path));
  if (there !== undefined && !overwrite)
    throw new CommandError('FileNotUsable', `${to} already exists`);
  if (!recursive || !there || there.isFile()) return;
  const what = there.isSymbolicLink() ? 'a link' : 'not a regular file';
  throw new CommandError('FileNotUsable', `${to} is ${what}: skipped`);
}

async function writeInto(
  folder: HeldFolder,
  name: string,
  parts: {
    readonly daemon: ControlClient;
    readonly fetching: Fetching;
    readonly underWay: UnderWay;
  },
): Promise<void> {
  const { daemon, fetching, underWay } = parts;
  const { piece, bucket, copying } = fetching;
  const { versionId, customerKey, recursive } = copying;
  const { stream } = await daemon.call(
    'objects.get',
    defined({ bucket, key: piece.key, versionId, customerKey }),
  );
  const { signal, moved } = underWay;
  const bytes = counted(daemon.download(stream, { signal }), moved);
  if (!recursive) return writeFileWhole(folder.at(name), bytes, piece.to);
  await replaceFile(folder.at(name), bytes, async () => {
    folder.check();
    await checkTarget(folder.at(name), fetching);
  });
}

function checkName(name: string): void {
  if (!['', '.', '..'].includes(name) && !name.includes('\0')) return;
  throw new CommandError('FileNotUsable', 'skipped: the key is not a valid file path');
}

async function isFolderThere(path: string): Promise<boolean> {
  return (await unlessMissing(stat(path)))?.isDirectory() ?? false;
}

async function unlessMissing<T>(found: Promise<T>): Promise<T | undefined> {
  try {
    return await found;
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}
