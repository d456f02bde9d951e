/** Checks whether a local file still has exactly the stored content, regardless of its modification time. */

import type { Clock } from '../base/clock.ts';
import { errorCode } from '../base/errors.ts';
import { type Excluder, isExcluded } from '../mirror/local/exclude.ts';
import { readFileStable } from '../mirror/local/read-file.ts';
import { isFolderInside, statsAt } from '../mirror/local/path-exists.ts';
import { kindOf, toExactEntry } from '../mirror/local/local-entry.ts';
import { parentOf, pathOfKey } from '../mirror/model/local-path.ts';
import type { BaselineEntry } from '../mirror/model/types.ts';

export interface IntactOptions {
  readonly root: string;
  readonly excluder: Excluder;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

/**
 * Returns whether the local file has the stored content. Returns false for a file that is excluded, that cannot
 * be read, or that is being written to.
 */
export async function isIntact(
  key: string,
  { kind: expected, sizeBytes, sha256 }: BaselineEntry,
  { root, excluder, clock, signal }: IntactOptions,
): Promise<boolean> {
  const path = pathOfKey(key);
  const stats = isExcluded(key, excluder) ? undefined : statsIfReadable(root, path);
  const kind = stats && kindOf(stats);
  if (!stats || kind !== expected || Number(stats.size) !== sizeBytes) return false;
  const local = toExactEntry(path, kind, stats);
  const reading = await readFileStable(root, local, { clock, signal });
  if (reading.status !== 'read') return false;
  reading.release?.();
  return reading.sha256 === sha256;
}

function statsIfReadable(root: string, path: string): ReturnType<typeof statsAt> {
  try {
    return isFolderInside(root, parentOf(path)) ? statsAt(`${root}/${path}`) : undefined;
  } catch (error) {
    if (errorCode(error) === undefined) throw error;
    return undefined;
  }
}
