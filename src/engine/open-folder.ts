/**
 * Opens a store's folder: creates missing folders, locks the store, opens the reserve file and migrates the database.
 */

import type { Faults } from './disk/faults.ts';
import { passPoint } from './disk/faults.ts';
import { createFolders, type Layout, layoutOf } from './disk/layout.ts';
import { whyNotOpened } from './disk/open-error.ts';
import { isOutOfSpace } from './disk/refusals.ts';
import { Reserve } from './writes/reserve.ts';
import { prepareMetadata } from './schema/schema.ts';
import { lockStore, type StoreLock } from './disk/store-lock.ts';

export interface OpenedFolder {
  readonly layout: Layout;
  readonly lock: StoreLock;
  readonly reserve: Reserve;
}

interface OpenFolderOptions {
  readonly dir: string;
  readonly acceptMetadata?: boolean;
  readonly faults?: Faults;
}

/**
 * Opens the store's folder. Returns its paths, its lock and its reserve of disk space.
 * Throws `OpenStoreError` if the store cannot be opened.
 */
export function openFolder(options: OpenFolderOptions): OpenedFolder {
  const layout = layoutOf(options.dir);
  let lock: StoreLock | undefined;
  try {
    createFolders(layout);
    lock = lockStore(layout);
    const reserve = Reserve.of(layout);
    prepareWithReserve(layout, reserve, options);
    return { layout, lock, reserve };
  } catch (error) {
    lock?.release();
    throw whyNotOpened(layout.root, error);
  }
}

/**
 * Migrates the database. If the disk is full, deletes the reserve file and tries again. The free space is not checked
 * first, because with a disk quota only a failed write shows that no space is left.
 */
function prepareWithReserve(
  layout: Layout,
  reserve: Reserve,
  { acceptMetadata = false, faults }: OpenFolderOptions,
): void {
  const how = { passPoint: passPoint(faults?.crash), acceptMetadata };
  try {
    prepareMetadata(layout, how);
  } catch (error) {
    if (!isOutOfSpace(error) || !reserve.spend()) throw error;
    prepareMetadata(layout, how);
  }
}
