/** Checks before the first round of a job whether the folder fits on the disk of the destination. */

import type { Excluder } from '../local/exclude.ts';
import { scanTree } from '../local/scan.ts';
import type { Place } from '../objects/destination.ts';
import type { FreeSpace } from './free-space.ts';

export interface FirstRound {
  readonly root: string;
  readonly excluder: Excluder;
  readonly place: Place;
  readonly freeSpace: FreeSpace;
}

/**
 * If the folder does not fit, `freeSpace` reports it from then on. A destination that already holds objects is not
 * checked.
 */
export async function checkFirstRound(
  { root, excluder, place, freeSpace }: FirstRound,
  signal: AbortSignal,
): Promise<void> {
  if (await holdsObjects(place, signal)) return;
  let bytes = 0;
  for await (const { entries } of scanTree(root, '', excluder, { signal })) {
    for (const { kind, sizeBytes } of entries) if (kind === 'file') bytes += sizeBytes;
  }
  freeSpace.checkFolder(bytes);
}

/** Ignores the reserved folder: the ownership marker is written before the first round. */
async function holdsObjects(
  { store, bucket, prefix }: Place,
  signal: AbortSignal,
): Promise<boolean> {
  const { objects } = await store.listObjects(
    // In byte order, `0` follows `/`: this skips all keys below the reserved folder.
    { bucket, prefix, maxKeys: 1, startAfter: `${prefix}.holdfast0` },
    { signal },
  );
  return objects.length > 0;
}
