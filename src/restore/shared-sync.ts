/**
 * Syncs many files at a time. Where syncfs() syncs all data of a file system, callers that arrive during a sync share
 * the next sync. It takes a third of the CPU time of one fsync() per file.
 */

import { fsync, statfsSync } from 'node:fs';
import { release } from 'node:os';
import { promisify } from 'node:util';

import { shareSyncs, type SyncFile } from '../base/share-syncs.ts';

/**
 * Magic numbers of ext4, XFS and Btrfs. On other file systems (such as FUSE), syncfs may return before the data is
 * durable.
 */
const SYNCED_AS_A_WHOLE: ReadonlySet<number> = new Set([0xef53, 0x58465342, 0x9123683e]);
/** The first Linux version in which syncfs reports failed writes. */
const OF_ONE_PATH = { major: 5, minor: 8 };

const syncOne = promisify(fsync);

/**
 * Returns a function that syncs open files on the same file system as `folder`. The function rejects with a system
 * error.
 */
export async function loadSyncFile(folder: string): Promise<SyncFile> {
  return syncsAsWhole(folder) ? shareSyncs(await loadSyncfs()) : syncOne;
}

function syncsAsWhole(folder: string): boolean {
  if (process.platform !== 'linux') return false;
  const [major = 0, minor = 0] = release().split('.').map(Number);
  const { major: leastMajor, minor: leastMinor } = OF_ONE_PATH;
  if (major < leastMajor || (major === leastMajor && minor < leastMinor)) return false;
  return SYNCED_AS_A_WHOLE.has(statfsSync(folder).type);
}

async function loadSyncfs(): Promise<SyncFile> {
  const { default: koffi } = await import('koffi');
  const syncfs = koffi.load(null).func('int syncfs(int descriptor)');
  return async (descriptor) => {
    const result = await promisify<number, number>((fd, done) => syncfs.async(fd, done))(
      descriptor,
    );
    if (result !== 0) throw new Error('cannot sync the file system: not all data could be written');
  };
}
