/** Whether the folder at a job's root is still the one that was mirrored: an unmounted disk's is not. */

import { readdirSync, readFileSync, realpathSync, statSync } from 'node:fs';

import { errorCode } from '../../base/errors.ts';

export interface RootIdentity {
  /** UUID of the file system, where the system tells one: it outlives a boot, the device number does not. */
  readonly fileSystemId?: string;
  readonly dev: number;
  readonly ino: number;
  /** Some names of what is in the root, in a fixed order. */
  readonly sample: readonly string[];
}

export type RootComparison =
  | 'same'
  | { readonly kind: 'missing' | 'empty' | 'different'; readonly reason: string };

/** What the baseline tells. */
export interface KnownFiles {
  readonly files: number;
  /** Whether half of some files are below the root as they were. Asked only where it matters. */
  readonly holdsFiles: () => boolean;
}

/**
 * With fewer files in the baseline, a root that is empty now but otherwise the same was emptied by its owner:
 * an unmounted disk shows another device or inode. With more, so great a loss is not believed.
 */
const FILES_EMPTIED_AT_ONCE = 10;

/** So many names tell two folders apart, and cost little to keep. */
const SAMPLE_NAMES = 32;
const MOUNTS = '/proc/self/mountinfo';
const DISKS_BY_UUID = '/dev/disk/by-uuid';

/** Undefined when there is no folder at `path`. Throws a system error when it may not be looked at. */
export function identifyRoot(path: string): RootIdentity | undefined {
  try {
    const { dev, ino } = statSync(path);
    const sample = readdirSync(path).sort().slice(0, SAMPLE_NAMES);
    const fileSystemId = uuidOf(dev);
    return { ...(fileSystemId !== undefined && { fileSystemId }), dev, ino, sample };
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(errorCode(error) ?? '')) return undefined;
    throw error;
  }
}

/**
 * The one rule of when what is missing may count as deleted. `known` is of the last round that was in order,
 * undefined before the first.
 *
 * The same file system and inode are the same root. Where neither number can be relied upon, after a copy, a boot or on
 * a file system that numbers its files anew, it is one that has half of the known names and half of the files as they
 * were. A root that is empty and was not must be the same by its numbers, and its loss small.
 */
export function compareRoot(
  known: RootIdentity | undefined,
  now: RootIdentity | undefined,
  { files, holdsFiles }: KnownFiles,
): RootComparison {
  if (!now) return { kind: 'missing', reason: 'the folder does not exist' };
  if (!known) return 'same';
  const isEmptied = now.sample.length === 0 && known.sample.length > 0;
  if (isEmptied && !(isSamePlace(known, now) && files <= FILES_EMPTIED_AT_ONCE))
    return { kind: 'empty', reason: emptied(files) };
  if (isSamePlace(known, now)) return 'same';
  if (isOtherFileSystem(known, now))
    return { kind: 'different', reason: 'another file system is mounted there' };
  const present = new Set(now.sample);
  const holdsNames =
    known.sample.length > 0 && holdsHalf(known.sample, (name) => present.has(name));
  if (holdsNames && holdsFiles()) return 'same';
  return { kind: 'different', reason: 'another folder is at its path, with other contents' };
}

function isSamePlace(known: RootIdentity, now: RootIdentity): boolean {
  const hasIds = known.fileSystemId !== undefined && now.fileSystemId !== undefined;
  const isSameDisk = hasIds ? known.fileSystemId === now.fileSystemId : known.dev === now.dev;
  return isSameDisk && known.ino === now.ino;
}

function isOtherFileSystem(known: RootIdentity, now: RootIdentity): boolean {
  if (known.fileSystemId === undefined || now.fileSystemId === undefined) return false;
  return known.fileSystemId !== now.fileSystemId;
}

function emptied(files: number): string {
  return `it is empty and held ${files} files; is its disk mounted?`;
}

export function holdsHalf<T>(sample: readonly T[], isThere: (each: T) => boolean): boolean {
  return sample.filter(isThere).length * 2 >= sample.length;
}

/** Linux: device number → mounted device → its name below by-uuid. Undefined elsewhere, and in containers. */
function uuidOf(dev: number): string | undefined {
  try {
    const device = mountedDevice(dev);
    if (device === undefined) return undefined;
    return readdirSync(DISKS_BY_UUID).find(
      (uuid) => realpathSync(`${DISKS_BY_UUID}/${uuid}`) === device,
    );
  } catch (error) {
    if (['ENOENT', 'EACCES'].includes(errorCode(error) ?? '')) return undefined;
    throw error;
  }
}

/** proc(5): `36 35 98:0 /root /mount options - type /dev/source …`. */
function mountedDevice(dev: number): string | undefined {
  const number = `${majorOf(dev)}:${minorOf(dev)}`;
  const line = readFileSync(MOUNTS, 'utf8')
    .split('\n')
    .find((mount) => mount.split(' ')[2] === number);
  const source = line?.split(' - ')[1]?.split(' ')[1];
  return source?.startsWith('/dev/') ? realpathSync(source) : undefined;
}

/** glibc's layout of a device number, of which Node gives the lower 53 bits. */
function majorOf(dev: number): number {
  return Math.floor(dev / 0x100) & 0xfff;
}

function minorOf(dev: number): number {
  return (dev & 0xff) | (Math.floor(dev / 0x1000) & 0xfff00);
}
