/** What a system error says of a disk or a path, in words for a person. */

import { errorCode, isDamagedDatabase } from './errors.ts';

const MEANINGS: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EDQUOT: 'the disk quota of this user is used up',
  EFBIG: 'the file system takes no file of this size',
  EIO: 'the disk reports an error; check the disk',
  EMFILE: 'too many files are open; raise the limit (ulimit -n)',
  ENAMETOOLONG: 'the path is too long for the file system',
  ENOENT: 'a file or folder does not exist',
  ENOSPC: 'the disk is full',
  ENOTDIR: 'a part of the path is not a folder',
  EPERM: 'the operation is not permitted',
  EROFS: 'the disk is mounted read-only',
};

const OF_SQLITE: readonly (readonly [RegExp, string])[] = [
  [/^SQLITE_FULL/, 'ENOSPC'],
  [/^SQLITE_IOERR/, 'EIO'],
  [/^SQLITE_READONLY/, 'EROFS'],
  [/^SQLITE_CANTOPEN/, 'EACCES'],
];

/** Undefined for an error that is not of a disk. */
export function diskErrorMeaning(error: unknown): string | undefined {
  if (isDamagedDatabase(error)) return 'pages of a database are damaged';
  const code = errorCode(error) ?? '';
  const [, same = code] = OF_SQLITE.find(([pattern]) => pattern.test(code)) ?? [];
  return MEANINGS[same];
}

/** Whether there was no room, on the disk or within a quota. */
export function isOutOfRoom(error: unknown): boolean {
  const code = errorCode(error);
  return code === 'ENOSPC' || code === 'EDQUOT' || code === 'SQLITE_FULL';
}
