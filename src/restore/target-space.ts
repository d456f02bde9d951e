/** Checks whether a restore fits on the target folder's disk, and explains errors from that disk. */

import { existsSync, lstatSync, statfsSync } from 'node:fs';
import { dirname } from 'node:path';

import { defined } from '../base/defined.ts';
import { diskErrorMeaning, isOutOfRoom } from '../base/disk-error.ts';
import { errorCode } from '../base/errors.ts';
import { decodeAttributes } from '../mirror/objects/object-metadata.ts';
import { MirrorError } from '../mirror/model/mirror-error.ts';
import { partialPathOf } from './partial-files.ts';
import type { RestoreOptions } from './restore-options.ts';
import type { FileTarget, RestoreTable } from './restore-table.ts';
import { bytesText } from '../text/amounts.ts';

/**
 * Minimum size in bytes of a file whose metadata is read to determine whether it is sparse. Smaller files count with
 * their full size.
 */
const MAY_BE_SPARSE_BYTES = 64 * 2 ** 20;

type Target = Pick<RestoreOptions, 'to'>;

const OTHER_FOLDER = 'restore into another folder (--to DIR)';

/** Hints by error code, for errors that would occur again if the command were repeated. */
const STEPS: Readonly<Record<string, string>> = {
  EACCES: OTHER_FOLDER,
  ELOOP: OTHER_FOLDER,
  ENAMETOOLONG: OTHER_FOLDER,
  EPERM: OTHER_FOLDER,
  EROFS: 'mount it writable, or restore into another folder (--to DIR)',
};

/**
 * Rejects with MirrorError `NoRoom` if the restore does not fit on the disk. Must be called before anything is written.
 * Existing files with the same size count as restored.
 */
export async function checkSpace(options: RestoreOptions, table: RestoreTable): Promise<void> {
  const free = freeBytesAt(options.to);
  if (free === undefined || table.totals().totalBytes <= free) return;
  if (missingBytes(options, table) <= free) return;
  const needed = await neededBytes(options, table, free);
  if (needed > free) throw noSpace(options.to, missingBytes(options, table));
}

/**
 * Converts an error that would be the same for every path to an error for the user. Returns any other error unchanged.
 */
export function explained(error: unknown, options: Target, table?: RestoreTable): unknown {
  if (errorCode(error) === undefined || error instanceof MirrorError) return error;
  if (isOutOfRoom(error)) return noSpace(options.to, table && missingBytes(options, table), error);
  const meaning = diskErrorMeaning(error);
  if (meaning === undefined) return error;
  const step = STEPS[errorCode(error) ?? ''] ?? 'then repeat the command: it continues';
  return new MirrorError('TargetFailed', `cannot restore into ${options.to}: ${meaning}`, {
    hint: step,
    cause: error,
  });
}

function noSpace(to: string, missing: number | undefined, cause?: unknown): MirrorError {
  const free = freeBytesAt(to);
  const amounts =
    missing === undefined || free === undefined
      ? ''
      : `: it needs ${bytesText(missing)} more, but only ${bytesText(free)} are free`;
  const why =
    errorCode(cause) === 'EDQUOT'
      ? 'the disk quota is exhausted'
      : 'the disk has too little free space';
  return new MirrorError('NoRoom', `cannot restore into ${to}: ${why}${amounts}`, {
    hint: 'free up disk space, then repeat the command: it continues with the missing files',
    cause,
  });
}

/**
 * Returns the number of bytes that the restore needs on the disk. Large sparse files count as 0; their metadata shows
 * that they are sparse.
 */
async function neededBytes(
  options: RestoreOptions,
  table: RestoreTable,
  free: number,
): Promise<number> {
  let needed = 0;
  for (const target of table.files()) {
    const missing = missingBytesOf(options, target);
    if (missing === 0 || (await isSparse(options, target))) continue;
    needed += missing;
    if (needed > free) break;
  }
  return needed;
}

async function isSparse(
  { store, bucket, signal }: RestoreOptions,
  { key, versionId, sizeBytes }: FileTarget,
): Promise<boolean> {
  if (sizeBytes < MAY_BE_SPARSE_BYTES) return false;
  const { info } = await store.headObject(
    { bucket, key, ...defined({ versionId }) },
    defined({ signal }),
  );
  return decodeAttributes(info.metadata).isSparse === true;
}

function missingBytes(options: Target, table: RestoreTable): number {
  let bytes = 0;
  for (const target of table.files()) bytes += missingBytesOf(options, target);
  return bytes;
}

/**
 * Returns the number of bytes that are still missing. An existing file with the same size counts as restored, and a
 * partial file from an interrupted restore counts in part.
 */
function missingBytesOf({ to }: Target, target: FileTarget): number {
  const { path, sizeBytes } = target;
  if (sizeOf(`${to}/${path}`) === sizeBytes) return 0;
  const begun = partialPathOf(target);
  return sizeBytes - Math.min(sizeBytes, begun === undefined ? 0 : (sizeOf(`${to}/${begun}`) ?? 0));
}

function sizeOf(path: string): number | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false })?.size;
  } catch (error) {
    if (errorCode(error) === undefined) throw error;
    return undefined;
  }
}

/**
 * Returns the number of free bytes on the disk that contains, or will contain, the folder; undefined if the file system
 * does not report it.
 */
function freeBytesAt(folder: string): number | undefined {
  if (!existsSync(folder) && dirname(folder) !== folder) return freeBytesAt(dirname(folder));
  const { bavail, blocks, bsize } = statfsSync(folder);
  return blocks === 0 ? undefined : bavail * bsize;
}
