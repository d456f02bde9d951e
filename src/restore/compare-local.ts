/** Checks whether a local file is already equal to the object to restore, so that the object need not be downloaded. */

import { type BigIntStats, closeSync, fstatSync } from 'node:fs';
import { failureReason } from '../base/disk-error.ts';

import type { ObjectInfo } from '../object-store/object-store.ts';
import type { StoredAttributes } from '../mirror/objects/object-metadata.ts';
import { chunksOf, digestOf, openFile } from '../mirror/local/file-content.ts';
import { loadXattrs } from '../mirror/local/xattrs.ts';
import { sameState } from '../mirror/local/local-entry.ts';
import { mtimeOf } from '../mirror/transfer/write-file.ts';

/**
 * Returns whether a local file has an object's content. Compares the SHA-256 if the object contains one, because an
 * attacker can preserve size and mtime. Otherwise compares size and mtime.
 */
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
 * Returns whether an existing file has its object's extended attributes. If the file has none, sets them and returns
 * true. If the file has different ones, returns false, because it is a different file. Objects of other tools contain
 * no extended attributes, so any file matches them. Throws a system error.
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

/** Returns whether the file's extended attributes differ from its object's. Writes nothing. */
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

/** Returns a file's SHA-256; undefined if `stats` describes another file, or if the file changes while it is read. */
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
