/** Checks the machine: the version of Node, the free disk space, and the inotify watches for the folders of jobs. */

import { existsSync, opendirSync, readFileSync, statfsSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { good } from '../../../base/finding.ts';
import type { Finding } from '../../../base/finding.ts';
import type { Config } from '../../../config/config.ts';
import type { Home } from '../../../config/home.ts';
import { bytesText, countText, numberText } from '../../../text/amounts.ts';

/** The minimum version of Node, as major and minor version. */
const NEEDED_NODE = [24, 21] as const;
/** The free space that a store and its log need to finish their writes. */
const LEAST_FREE_BYTES = 500e6;
/** The directory with the kernel's inotify limits per user. */
const INOTIFY = '/proc/sys/fs/inotify';
/** The share of the limit that Holdfast may use, because the user's other programs also need watches. */
const OUR_SHARE = 0.8;
/**
 * The maximum number of folders to count. Counting more would take minutes. The suggested limit is never above this
 * number.
 */
const MOST_COUNTED = 1_000_000;
const HIGHEST_WATCHES = 1_048_576;

/** Returns a finding about the version of Node. */
export function examineNode(version = process.versions.node): Finding {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const isOld = major < NEEDED_NODE[0] || (major === NEEDED_NODE[0] && minor < NEEDED_NODE[1]);
  if (!isOld) return good('node', version);
  const message = `Node ${version} is too old: ${NEEDED_NODE.join('.')} is needed`;
  return { check: 'node', severity: 'failed', message, fix: 'npm install --global node@24' };
}

/** Returns a finding about the free space on the disk of the data folder. Tests pass `freeBytes`. */
export function examineDisk({ dataDir }: Home, freeBytes = freeAt(dataDir)): Finding {
  const check = 'disk';
  if (freeBytes >= LEAST_FREE_BYTES) return good(check, `${bytesText(freeBytes)} free`);
  const message = `only ${bytesText(freeBytes)} free on the disk of ${dataDir}, which has the store and the state`;
  return { check, severity: 'attention', message, fix: `du -xh ${dataDir} | sort -h | tail` };
}

/** Returns the free bytes on the disk of the folder. Before the first start, uses its nearest existing parent. */
function freeAt(folder: string): number {
  if (!existsSync(folder) && dirname(folder) !== folder) return freeAt(dirname(folder));
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize;
}

/** Returns a finding about the number of inotify watches. Returns no finding on systems without inotify. */
export function examineWatches({ jobs }: Config, limits = INOTIFY): readonly Finding[] {
  const most = limitIn(limits, 'max_user_watches');
  if (most === undefined) return [];
  const check = 'watches';
  const folders = countFolders([...new Set(jobs.map(({ folder }) => folder))]);
  const counted = `${countText(folders, 'folder')} to watch, and the limit is ${numberText(most)}`;
  if (folders <= most * OUR_SHARE) return [good(check, counted)];
  const wanted = Math.max(HIGHEST_WATCHES, 2 ** Math.ceil(Math.log2(folders / OUR_SHARE)));
  const line = `fs.inotify.max_user_watches=${wanted}`;
  const fix = `echo ${line} | sudo tee /etc/sysctl.d/60-holdfast.conf && sudo sysctl ${line}`;
  const message = `${counted}: changes in the other folders are detected only by full scans`;
  return [{ check, severity: 'attention', message, fix }];
}

function limitIn(folder: string, name: string): number | undefined {
  try {
    return Number(readFileSync(join(folder, name), 'utf8'));
  } catch {
    return undefined;
  }
}

/**
 * Counts the folders below the roots, up to `MOST_COUNTED`. Ignores folders that cannot be read, because another check
 * reports them.
 */
function countFolders(roots: readonly string[]): number {
  const open = [...roots];
  let count = 0;
  for (let folder = open.pop(); folder !== undefined && count < MOST_COUNTED; folder = open.pop()) {
    count += 1;
    open.push(...foldersIn(folder));
  }
  return count;
}

function foldersIn(folder: string): string[] {
  const found: string[] = [];
  try {
    const entries = opendirSync(folder);
    for (let entry = entries.readSync(); entry; entry = entries.readSync()) {
      if (entry.isDirectory()) found.push(join(folder, entry.name));
    }
    entries.closeSync();
  } catch {
    // The folder does not exist or cannot be read.
  }
  return found;
}
