/**
 * Sets modification times of files, folders and links with nanosecond precision, through the C library. Node's calls
 * take seconds as a double with steps of 238 ns, so a restored file's time would never be exact.
 */

import { codeOf, systemError } from './system-error.ts';

const NS_PER_S = 1_000_000_000n;

/**
 * Arguments of utimensat(2) from each system's headers. They resolve a path from the working directory, do not follow
 * links, and keep the access time.
 */
const { atFdcwd, symlinkNofollow, utimeOmit } =
  process.platform === 'darwin'
    ? { atFdcwd: -2, symlinkNofollow: 0x20, utimeOmit: -2n }
    : { atFdcwd: -100, symlinkNofollow: 0x100, utimeOmit: 0x3ffffffen };

/**
 * Sets the modification time of a path or an open file, in nanoseconds since 1970. Never follows a symbolic link.
 * Throws a system error.
 */
export type SetMtime = (file: string | number, mtimeNs: bigint) => void;

/** Loads the foreign function library on demand, because loading takes 1 ms and only restores need it. */
export async function loadSetMtime(): Promise<SetMtime> {
  const { default: koffi } = await import('koffi');
  const library = koffi.load(null);
  const utimensat = library.func(
    'int utimensat(int directory, const char *path, void *times, int flags)',
  );
  const futimens = library.func('int futimens(int descriptor, void *times)');
  return (file, mtimeNs) => {
    const ns = ((mtimeNs % NS_PER_S) + NS_PER_S) % NS_PER_S;
    const times = new BigInt64Array([0n, utimeOmit, (mtimeNs - ns) / NS_PER_S, ns]);
    const result =
      typeof file === 'number'
        ? futimens(file, times)
        : utimensat(atFdcwd, file, times, symlinkNofollow);
    if (result === 0) return;
    const name = typeof file === 'number' ? 'an open file' : file;
    throw systemError(`cannot set the modification time of ${name}`, codeOf(koffi.errno()));
  };
}
