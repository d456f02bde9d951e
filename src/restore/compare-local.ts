/** Whether a file that stands at the target is the object that would be restored: then nothing is fetched. */

import { type BigIntStats, closeSync, fstatSync } from 'node:fs';
import { failureReason } from '../base/disk-error.ts';

import type { ObjectInfo } from '../object-store/object-store.ts';
import type { StoredAttributes } from '../mirror/objects/object-metadata.ts';
import { chunksOf, digestOf, openFile } from '../mirror/local/file-content.ts';
import { loadXattrs } from '../mirror/local/xattrs.ts';
import { sameState } from '../mirror/local/local-entry.ts';
import { mtimeOf } from '../mirror/transfer/write-file.ts';

/** By content, where the object tells its SHA-256: what an attack left behind may well have the old size and time. Else by those. */
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
 * Whether a kept file has the extended attributes of its object, after it was given them where it had none. Others are
 * somebody's: then it is not the same file. Objects of other tools say nothing of any. Throws a system error.
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
    onLoss(`its extended attributes are missing: ${failureReason(error)}`);
    return true;
  } finally {
    closeSync(descriptor);
  }
}

/** As `takesXattrs` decides, with nothing written: whether the file has such as are somebody's. */
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

/** Undefined when it is not the file that `stats` saw, or changed meanwhile. */
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
