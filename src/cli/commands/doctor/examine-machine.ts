/** What Holdfast needs of the machine: Node, room on the disk, and enough watches for the folders of its jobs. */

import { existsSync, opendirSync, readFileSync, statfsSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { good } from '../../../base/finding.ts';
import type { Finding } from '../../../base/finding.ts';
import type { Config } from '../../../config/config.ts';
import type { Home } from '../../../config/home.ts';
import { bytesText, countText, numberText } from '../../output/text.ts';

/** Of the system: package.json asks for it. */
const NEEDED_NODE = [22, 22] as const;
/** What writes of a store and its log need to come to an end in good order. */
const LEAST_FREE_BYTES = 500e6;
/** Where the kernel tells how many folders one user may watch. */
const INOTIFY = '/proc/sys/fs/inotify';
/** Others of this user watch folders, too. */
const OUR_SHARE = 0.8;
/** A doctor that counts for minutes is none: more folders than this need the highest limit anyway. */
const MOST_COUNTED = 1_000_000;
const HIGHEST_WATCHES = 1_048_576;

export function examineNode(version = process.versions.node): Finding {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const isOld = major < NEEDED_NODE[0] || (major === NEEDED_NODE[0] && minor < NEEDED_NODE[1]);
  if (!isOld) return good('node', version);
  const message = `Node ${version} is too old: ${NEEDED_NODE.join('.')} is needed`;
  return { check: 'node', severity: 'failed', message, fix: 'npm install --global node@24' };
}

/** `freeBytes` as the system tells it, unless a test does. */
export function examineDisk({ dataDir }: Home, freeBytes = freeAt(dataDir)): Finding {
  const check = 'disk';
  if (freeBytes >= LEAST_FREE_BYTES) return good(check, `${bytesText(freeBytes)} free`);
  const message = `${bytesText(freeBytes)} free where the store and the state are, below ${dataDir}`;
  return { check, severity: 'attention', message, fix: `du -xh ${dataDir} | sort -h | tail` };
}

/** Before the first start: where the folder will be. */
function freeAt(folder: string): number {
  if (!existsSync(folder) && dirname(folder) !== folder) return freeAt(dirname(folder));
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize;
}

/** Nothing on systems without inotify. */
export function examineWatches({ jobs }: Config, limits = INOTIFY): readonly Finding[] {
  const most = limitIn(limits, 'max_user_watches');
  if (most === undefined) return [];
  const check = 'watches';
  const folders = countFolders([...new Set(jobs.map(({ folder }) => folder))]);
  const counted = `${countText(folders, 'folder')} of jobs, ${numberText(most)} may be watched`;
  if (folders <= most * OUR_SHARE) return [good(check, counted)];
  const wanted = Math.max(HIGHEST_WATCHES, 2 ** Math.ceil(Math.log2(folders / OUR_SHARE)));
  const line = `fs.inotify.max_user_watches=${wanted}`;
  const fix = `echo ${line} | sudo tee /etc/sysctl.d/60-holdfast.conf && sudo sysctl ${line}`;
  const message = `${counted}: changes in the rest are seen only when all is scanned`;
  return [{ check, severity: 'attention', message, fix }];
}

function limitIn(folder: string, name: string): number | undefined {
  try {
    return Number(readFileSync(join(folder, name), 'utf8'));
  } catch {
    return undefined;
  }
}

/** Those that may not be read are told of elsewhere. */
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
    // Not there, or not ours to read.
  }
  return found;
}
