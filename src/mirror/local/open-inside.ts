/**
 * Opens a file below a root. Fails if another program replaced a parent folder with a symbolic link to another place.
 */

import { closeSync, fstatSync, lstatSync, readlinkSync, realpathSync } from 'node:fs';
import { basename, join } from 'node:path';

import { errorCode } from '../../base/errors.ts';
import { once } from '../../base/once.ts';
import { openFile, READ_FLAGS } from './file-content.ts';
import { DESCRIPTORS, hasDescriptors } from './held-folder.ts';
import { parentOf } from '../model/local-path.ts';

/**
 * Opens a file for reading and returns its descriptor. Throws a system error, such as ELOOP if the path is or contains
 * a symbolic link.
 */
export function openInside(root: string, path: string): number {
  const descriptor = openFile(`${root}/${path}`);
  if (isAtPath(descriptor, root, path)) return descriptor;
  closeSync(descriptor);
  const message = `cannot open ${path}: it is not in its folder any more`;
  throw Object.assign(new Error(message), { code: 'ELOOP' });
}

/** Opens an absolute path for reading. Returns undefined if it contains a symbolic link or cannot be opened. */
type OpenWithoutLinks = (path: string) => number | undefined;

/** Number of the Linux system call openat2(2). It is the same on all processors. */
const OPENAT2 = 437;
/** The folder argument of openat2. It is ignored, because the path is absolute. */
const AT_FDCWD = -100;
const RESOLVE_NO_SYMLINKS = 4;
/** Node sets this flag itself and therefore has no constant for it. */
const O_CLOEXEC = 0o2000000;

/**
 * Loads the system call that opens a path and checks it for symbolic links in one step. `openInside` needs two calls,
 * but reports why it failed.
 */
export const loadOpenWithoutLinks = once(async (): Promise<OpenWithoutLinks> => {
  if (process.platform !== 'linux') return () => undefined;
  const { default: koffi } = await import('koffi');
  const call = koffi
    .load(null)
    .func('long syscall(long number, int folder, const char *path, const void *how, size_t size)');
  const flags = READ_FLAGS | O_CLOEXEC;
  const how = Buffer.from(BigUint64Array.of(BigInt(flags), 0n, BigInt(RESOLVE_NO_SYMLINKS)).buffer);
  return (path) => {
    const descriptor = Number(call(OPENAT2, AT_FDCWD, path, how, how.byteLength));
    return descriptor < 0 ? undefined : descriptor;
  };
});

function isAtPath(descriptor: number, root: string, path: string): boolean {
  if (hasDescriptors() && readlinkSync(`${DESCRIPTORS}/${descriptor}`) === `${root}/${path}`)
    return true;
  try {
    // The path to the root may contain symbolic links, and names may differ in case.
    const parent = join(realpathSync(root), parentOf(path));
    if (realpathSync(parent) !== parent) return false;
    const opened = fstatSync(descriptor, { bigint: true });
    const seen = lstatSync(join(parent, basename(path)), { bigint: true });
    return seen.ino === opened.ino && seen.dev === opened.dev;
  } catch (error) {
    if (errorCode(error) === undefined) throw error;
    return false;
  }
}
