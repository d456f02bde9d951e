/**
 * Times to the nanosecond, for files, folders and links. Node's own calls take seconds as a double, whose
 * steps are 238 ns by now: a restored file would never equal its original. So the C library is asked.
 */

import { codeOf, systemError } from './system-error.ts';

const NS_PER_S = 1_000_000_000n;

/** From each system's headers: relative to the working directory, links themselves, keep the time of access. */
const { atFdcwd, symlinkNofollow, utimeOmit } =
  process.platform === 'darwin'
    ? { atFdcwd: -2, symlinkNofollow: 0x20, utimeOmit: -2n }
    : { atFdcwd: -100, symlinkNofollow: 0x100, utimeOmit: 0x3ffffffen };

/** Throws a system error. Never follows a link. */
export type SetMtime = (path: string, mtimeNs: bigint) => void;

/** Loads the library that calls C: 1 ms, and only for those who restore. */
export async function loadSetMtime(): Promise<SetMtime> {
  const { default: koffi } = await import('koffi');
  const utimensat = koffi
    .load(null)
    .func('int utimensat(int directory, const char *path, void *times, int flags)');
  return (path, mtimeNs) => {
    const ns = ((mtimeNs % NS_PER_S) + NS_PER_S) % NS_PER_S;
    const times = new BigInt64Array([0n, utimeOmit, (mtimeNs - ns) / NS_PER_S, ns]);
    if (utimensat(atFdcwd, path, times, symlinkNofollow) === 0) return;
    throw systemError(`set mtime of ${path}`, codeOf(koffi.errno()));
  };
}
