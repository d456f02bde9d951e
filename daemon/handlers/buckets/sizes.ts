/** Implements the control method that returns the sizes of folders. */

import { defined } from '../../../src/base/defined.ts';
import type { Result } from '../../../src/control/messages.ts';
import { MAX_SIZED_FOLDERS } from '../../../src/control/methods/sizes.ts';
import type { ChangeMonitor } from '../../../src/object-store/change-monitor.ts';
import type { BucketCount, BucketCounts } from '../../usage/bucket-counts.ts';
import type { FolderSizes } from '../../usage/folder-sizes.ts';
import type { TargetHandlers } from './at-target.ts';

/** Creates the handlers. `changes` reports changes of the embedded store. */
export function sizeHandlers(
  counts: BucketCounts<FolderSizes>,
  changes: ChangeMonitor | undefined,
): TargetHandlers<'folders.sizes'> {
  return {
    'folders.sizes': async ({ bucket, prefix, count }, { store, target }) => {
      const place = { store, changes: target ? undefined : changes };
      return resultOf(counts.read(place, bucket, count), prefix);
    },
  };
}

function resultOf(
  { isCounting, listed, last, error }: BucketCount<FolderSizes>,
  prefix: string,
): Result<'folders.sizes'> {
  const folders = last?.tally.in(prefix) ?? [];
  const { countedAt, hasChanged } = last ?? {};
  return {
    isCounting,
    listed,
    ...defined({ error, countedAt, hasChanged, folder: last?.tally.at(prefix) }),
    folders: folders.slice(0, MAX_SIZED_FOLDERS),
    moreFolders: Math.max(0, folders.length - MAX_SIZED_FOLDERS),
    isDeepest: last?.tally.isDeepest(prefix) ?? false,
  };
}
