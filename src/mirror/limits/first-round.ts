/** Before a job's first round: whether what the folder holds has room where it is to go. */

import type { Excluder } from '../local/exclude.ts';
import { scanTree } from '../local/scan.ts';
import type { Place } from '../objects/destination.ts';
import type { FreeSpace } from './free-space.ts';

export interface FirstRound {
  readonly root: string;
  readonly excluder: Excluder;
  readonly place: Place;
  readonly room: FreeSpace;
}

/** From then on the room says so, where there is too little. Nothing is asked of a place that holds something already. */
export async function checkFirstRound(
  { root, excluder, place, room }: FirstRound,
  signal: AbortSignal,
): Promise<void> {
  if (await holdsObjects(place, signal)) return;
  let bytes = 0;
  for await (const { entries } of scanTree(root, '', excluder, { signal })) {
    for (const { kind, sizeBytes } of entries) if (kind === 'file') bytes += sizeBytes;
  }
  room.checkFolder(bytes);
}

/** But for what lies under the job's own name: its claim is there before its first round. */
async function holdsObjects(
  { store, bucket, prefix }: Place,
  signal: AbortSignal,
): Promise<boolean> {
  const { objects } = await store.listObjects(
    // 0 comes behind /.
    { bucket, prefix, maxKeys: 1, startAfter: `${prefix}.holdfast0` },
    { signal },
  );
  return objects.length > 0;
}
