/**
 * Reads a file's content for its next version. If the file keeps changing, so that no stable read succeeds, uploads a
 * snapshot instead.
 */

import { defined } from '../../base/defined.ts';
import { extraAttributesOf, readXattrs } from '../local/extra-attributes.ts';
import { type FileReading, MEMORY_BODY_BYTES, readFileStable } from '../local/read-file.ts';
import { toExactEntry } from '../local/local-entry.ts';
import { type FileInside, takeSnapshot } from '../local/snapshot.ts';
import type { PerformContext } from './step-types.ts';
import type { LocalEntry, Problem } from '../model/types.ts';

export async function readEntry(entry: LocalEntry, context: PerformContext): Promise<FileReading> {
  const { root, signal, reads, retries, snapshotFolder } = context;
  reads.begin(entry.path);
  const reading = await readShown(entry, context);
  const isUnstable = reading.status === 'busy' && entry.kind === 'file';
  if (!isUnstable || !retries.needsSnapshot(entry.path)) return reading;
  const taken = await take({ root, path: entry.path }, snapshotFolder, signal);
  // The snapshot failed for lack of disk space, or because the file is missing. The next attempt reports the reason.
  if (!taken) return reading;
  const { stats, body, isConsistent, release, xattrs } = taken;
  const { sizeBytes, sha256 } = body;
  return {
    status: 'read',
    // The baseline gets the stored size, so that later writes count as a change.
    entry: {
      ...toExactEntry(entry.path, 'file', stats),
      sizeBytes,
      ...defined({ xattrs: xattrs?.digest }),
    },
    mtimeNs: stats.mtimeNs,
    sha256,
    body,
    extras: {
      ...extraAttributesOf(stats, xattrs),
      ...(!isConsistent && { isInconsistent: true as const }),
    },
    release,
  };
}

/** Reads a file. While a file that does not fit in memory is being read, it is listed in `filesRead`. */
async function readShown(
  entry: LocalEntry,
  { root, tree, clock, signal, filesRead }: PerformContext,
): Promise<FileReading> {
  const options = { clock, signal, digests: tree.digests() };
  if (entry.sizeBytes <= MEMORY_BODY_BYTES) return readFileStable(root, entry, options);
  const file = filesRead.begin(entry.path, entry.sizeBytes);
  const onBytes = (count: number) => {
    file.bytes += count;
  };
  try {
    return await readFileStable(root, entry, { ...options, onBytes });
  } finally {
    filesRead.end(file);
  }
}

async function take(file: FileInside, folder: string, signal: AbortSignal) {
  try {
    const xattrs = await readXattrs(`${file.root}/${file.path}`);
    const snapshot = await takeSnapshot(file, folder, signal);
    return snapshot && { ...snapshot, xattrs };
  } catch {
    signal.throwIfAborted();
    return undefined;
  }
}

export function inconsistent(path: string): Problem {
  const message =
    `the backup of ${path} may be inconsistent, because a program kept writing to it for minutes while it was read; ` +
    'the job retries; stop that program, or keep the file on a file system with reflinks (btrfs, XFS) ' +
    "together with Holdfast's home";
  return { path, code: 'inconsistent', message };
}
