/**
 * Decides whether the folder at a job's root is still the mirrored folder, and not the empty mount point of an
 * unmounted disk.
 */

import { lstatSync, readdirSync, readFileSync, realpathSync, statSync } from 'node:fs';

import { defined } from '../../base/defined.ts';
import { errorCode } from '../../base/errors.ts';

export interface RootIdentity {
  /** UUID of the file system, if the system provides one. Unlike the device number, the UUID survives a restart. */
  readonly fileSystemId?: string;
  readonly dev: number;
  readonly ino: number;
  /** Up to 32 names from the root folder, in sorted order. */
  readonly sample: readonly string[];
}

export type RootComparison =
  | 'same'
  | { readonly kind: 'missing' | 'empty' | 'different'; readonly reason: string };

/** Information about the mirrored files, from the baseline. */
export interface KnownFiles {
  readonly files: number;
  /**
   * Returns whether at least half of a sample of mirrored files exist unchanged below the root. Called only if the
   * result matters.
   */
  readonly holdsFiles: () => boolean;
}

/**
 * Maximum number of mirrored files for which an empty root with the same identity counts as emptied by the user. An
 * unmounted disk would show another device or inode. If more files are missing, the user must confirm the loss.
 */
const FILES_EMPTIED_AT_ONCE = 10;

/** Number of names in the sample. It is large enough to distinguish two folders, and small enough to store. */
const SAMPLE_NAMES = 32;
const MOUNTS = '/proc/self/mountinfo';
const DISKS_BY_UUID = '/dev/disk/by-uuid';

/**
 * Returns whether the folder certainly is the known root and is not empty. Does not list the folder. May return false
 * for the right root if it has changed.
 */
export function isCertainlyRoot(path: string, known: RootIdentity): boolean {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (!stats) return false;
  const { dev, ino } = stats;
  const isNamed = (name: string) => lstatSync(`${path}/${name}`, { throwIfNoEntry: false });
  return isSameRoot(known, identityOf({ dev, ino, sample: [] })) && known.sample.some(isNamed);
}

/**
 * Returns a folder's identity; undefined if `path` does not exist or is not a folder. Throws a system error if the
 * folder cannot be read.
 */
export function identifyRoot(path: string): RootIdentity | undefined {
  try {
    const { dev, ino } = statSync(path);
    const sample = readdirSync(path).sort().slice(0, SAMPLE_NAMES);
    return identityOf({ dev, ino, sample });
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(errorCode(error) ?? '')) return undefined;
    throw error;
  }
}

/**
 * Decides whether the root is still the same folder, so that missing files may count as deleted. `known` is the
 * identity after the last complete round, and undefined before the first one.
 *
 * A root with the same file system and inode is the same folder. Both numbers can change after a copy, after a restart,
 * or on a file system that assigns new inode numbers. In that case, a root with half of the known names and half of the
 * files unchanged is the same folder. A root that became empty is the same folder only if both numbers are equal and it
 * had few files.
 */
export function compareRoot(
  known: RootIdentity | undefined,
  now: RootIdentity | undefined,
  { files, holdsFiles }: KnownFiles,
): RootComparison {
  if (!now) return { kind: 'missing', reason: 'the folder does not exist' };
  if (!known) return 'same';
  const isEmptied = now.sample.length === 0 && known.sample.length > 0;
  if (isEmptied && !(isSameRoot(known, now) && files <= FILES_EMPTIED_AT_ONCE))
    return { kind: 'empty', reason: emptied(files) };
  if (isSameRoot(known, now)) return 'same';
  if (isOtherFileSystem(known, now))
    return { kind: 'different', reason: 'another file system is mounted there' };
  const present = new Set(now.sample);
  const holdsNames =
    known.sample.length > 0 && holdsHalf(known.sample, (name) => present.has(name));
  if (holdsNames && holdsFiles()) return 'same';
  return {
    kind: 'different',
    reason: 'a different folder with different contents is at this path',
  };
}

function isSameRoot(known: RootIdentity, now: RootIdentity): boolean {
  const hasIds = known.fileSystemId !== undefined && now.fileSystemId !== undefined;
  const isSameDisk = hasIds ? known.fileSystemId === now.fileSystemId : known.dev === now.dev;
  return isSameDisk && known.ino === now.ino;
}

function isOtherFileSystem(known: RootIdentity, now: RootIdentity): boolean {
  if (known.fileSystemId === undefined || now.fileSystemId === undefined) return false;
  return known.fileSystemId !== now.fileSystemId;
}

function emptied(files: number): string {
  return `it is empty, but contained ${files} files before; is its disk mounted?`;
}

export function holdsHalf<T>(sample: readonly T[], isPresent: (each: T) => boolean): boolean {
  return sample.filter(isPresent).length * 2 >= sample.length;
}

function identityOf(root: Omit<RootIdentity, 'fileSystemId'>): RootIdentity {
  return { ...defined({ fileSystemId: uuidOf(root.dev) }), ...root };
}

/**
 * Returns the UUID of a file system on Linux: device number → mounted device → name in by-uuid. Undefined on other
 * systems and in containers.
 */
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

/**
 * Returns the path of a mounted device. Line format in proc(5): `36 35 98:0 /root /mount options - type /dev/source …`.
 */
function mountedDevice(dev: number): string | undefined {
  const number = `${majorOf(dev)}:${minorOf(dev)}`;
  const line = readFileSync(MOUNTS, 'utf8')
    .split('\n')
    .find((mount) => mount.split(' ')[2] === number);
  const source = line?.split(' - ')[1]?.split(' ')[1];
  return source?.startsWith('/dev/') ? realpathSync(source) : undefined;
}

/**
 * Returns the major number of a device number in glibc's layout. Node returns the lower 53 bits of the device number.
 */
function majorOf(dev: number): number {
  return Math.floor(dev / 0x100) & 0xfff;
}

function minorOf(dev: number): number {
  return (dev & 0xff) | (Math.floor(dev / 0x1000) & 0xfff00);
}
