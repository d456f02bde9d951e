/** Objects to files. Keys come from anywhere: none may lead out of the folder that was named. */

import { lstat, mkdir, realpath, stat } from 'node:fs/promises';
import { basename, dirname, join, sep } from 'node:path';

import { defined } from '../base/defined.ts';
import { errorCode } from '../base/errors.ts';
import type { ControlClient } from '../control/client.ts';
import { CommandError } from './command-error.ts';
import type { Context } from './context.ts';
import type { Copying } from './cp.ts';
import { eachPiece, type ObjectPiece, piecesBelow, type UnderWay } from './each-object.ts';
import type { Place } from './place.ts';
import { folderPrefix, requireKey } from './sides.ts';
import { counted, writeFileWhole } from './transfer.ts';
import type { Transfer } from './transfer-report.ts';

interface FilePiece extends ObjectPiece {
  /** Names of folders and of the file; the last is empty for what stands for a folder. */
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
  // Whether it is there is worth an error of its own, and not a line among many.
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

/** In a folder: under the key's last name. */
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
  { piece: { key, names, sizeBytes }, target, bucket, copying }: Fetching,
  { moved, signal }: UnderWay,
): Promise<void> {
  const folders = names.slice(0, -1);
  const [name = ''] = names.slice(-1);
  for (const each of folders) checkName(each);
  const folder = await makeFolder(target, folders);
  // As other tools store a folder that is empty.
  if (name === '' && sizeBytes === 0) return;
  checkName(name);
  const file = join(folder, name);
  const there = await unlessMissing(lstat(file));
  if (there !== undefined && !copying.overwrite) {
    throw new CommandError('FileNotUsable', `${file} is there already`);
  }
  if (there?.isSymbolicLink() && copying.recursive) {
    throw new CommandError('FileNotUsable', `${file} is a link: left out`);
  }
  const { versionId, customerKey } = copying;
  const { stream } = await daemon.call(
    'objects.get',
    defined({ bucket, key, versionId, customerKey }),
  );
  await writeFileWhole(file, counted(daemon.download(stream, { signal }), moved));
}

function checkName(name: string): void {
  if (!['', '.', '..'].includes(name) && !name.includes('\0')) return;
  throw new CommandError('FileNotUsable', 'its key is no path of a file: left out');
}

/** A link that was put into the folder must not lead elsewhere. */
async function makeFolder(target: string, folders: readonly string[]): Promise<string> {
  const folder = join(target, ...folders);
  await mkdir(folder, { recursive: true });
  const [root, real] = await Promise.all([realpath(target), realpath(folder)]);
  if (real === root || real.startsWith(root.endsWith(sep) ? root : root + sep)) return real;
  throw new CommandError('FileNotUsable', `${folder} leads out of ${target}: left out`);
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
