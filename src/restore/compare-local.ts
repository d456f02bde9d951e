/** Checks whether a local file already equals the object to restore, so that it need not be downloaded. */

import { type BigIntStats, closeSync, fstatSync } from 'node:fs';
import { failureReason } from '../base/disk-error.ts';

import type { ObjectInfo } from '../object-store/object-store.ts';
import type { StoredAttributes } from '../mirror/objects/object-metadata.ts';
import { chunksOf, digestOf, openFile } from '../mirror/local/file-content.ts';
import { loadXattrs } from '../mirror/local/xattrs.ts';
import { sameState } from '../mirror/local/local-entry.ts';
import { mtimeOf } from '../mirror/transfer/write-file.ts';

/** Compares the SHA-256 if the object records one, since an attack can keep size and time; otherwise size and mtime. */
export async function isSameContent(
  path: string,
  stats: BigIntStats,
  { info, attributes }: { readonly info: ObjectInfo; readonly attributes: StoredAttributes },
  signal: AbortSignal,
): Promise<boolean> {
  if (!stats.isFile() || Number(stats.size) !== info.sizeBytes) return false;
  if (attributes.sha256 === undefined)
    return stats.mtimeNs === mtimeOf(attributes, info.lastModifiedAt);
  return (await sha256Of(path, stats, signal)) === attributes.sha256;
}

/**
 * Whether an existing file has its object's extended attributes. Sets them if the file has none. Returns false if the
 * file has different ones: then it is not the same file. Objects of other tools record none, so any file matches.
 * Throws a system error.
 */
export async function takesXattrs(
  path: string,
  { sha256, xattrs }: StoredAttributes,
  onLoss: (reason: string) => void,
): Promise<boolean> {
  if (sha256 === undefined) return true;
  const calls = await loadXattrs();
  const descriptor = openFile(path);
  try {
    const found = calls.read(descriptor)?.text;
    if (found === xattrs) return true;
    if (found !== undefined || xattrs === undefined) return false;
    calls.write(descriptor, xattrs);
    return true;
  } catch (error) {
    onLoss(failureReason(error));
    return true;
  } finally {
    closeSync(descriptor);
  }
}

/** Whether `takesXattrs` would find different extended attributes. Writes nothing. */
export async function hasOtherXattrs(
  path: string,
  { sha256, xattrs }: StoredAttributes,
): Promise<boolean> {
  if (sha256 === undefined) return false;
  const calls = await loadXattrs();
  const descriptor = openFile(path);
  try {
    const found = calls.read(descriptor)?.text;
    return found !== undefined && found !== xattrs;
  } finally {
    closeSync(descriptor);
  }
}

/** Returns undefined if the file is not the one that `stats` describes, or changes while it is read. */
async function sha256Of(
  path: string,
  stats: BigIntStats,
  signal: AbortSignal,
): Promise<string | undefined> {
  const descriptor = openFile(path);
  try {
    const span = { first: 0, endExclusive: Number(stats.size) };
    const { sha256 } = await digestOf(chunksOf(descriptor, span), signal);
    const isSame = sameState(fstatSync(descriptor, { bigint: true }), stats);
    return isSame ? sha256 : undefined;
  } finally {
    closeSync(descriptor);
  }
}
