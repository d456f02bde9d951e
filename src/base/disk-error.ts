/** Translates system errors about disks and paths to messages. Commands, the daemon and jobs all use this table. */

import { errorCode, errorMessage, isDamagedDatabase } from './errors.ts';

interface Meaning {
  readonly why: string;
  /** A command or an action that fixes the problem. */
  readonly fix?: string;
}

const FREE_SPACE = 'free disk space, then repeat the command';

const MEANINGS: Readonly<Record<string, Meaning>> = {
  EACCES: {
    why: 'permission denied',
    fix: 'choose another path, change the permissions of the file or its folder, or run the command as a user that has permission',
  },
  EBUSY: { why: 'another program uses it', fix: 'end that program, then repeat the command' },
  EDQUOT: { why: 'the disk quota of this user is used up', fix: FREE_SPACE },
  EEXIST: { why: 'a file or folder with this name exists already' },
  EFBIG: { why: 'the file is too large for the file system' },
  EIO: { why: 'the disk reports an error; check the disk' },
  EISDIR: { why: 'it is a folder' },
  ELOOP: {
    why: 'the path has too many symbolic links, or a link that points to itself',
    fix: 'specify the folder that the links should point to',
  },
  EMFILE: { why: 'too many files are open; raise the limit (ulimit -n)' },
  ENAMETOOLONG: {
    why: 'the path is too long for the file system',
    fix: 'choose a shorter path, or a shorter name',
  },
  ENFILE: { why: 'too many files are open on this machine' },
  ENODEV: { why: 'the device was removed' },
  ENOENT: { why: 'a file or folder does not exist' },
  ENOMEM: { why: 'this machine has too little memory' },
  ENOSPC: { why: 'the disk is full', fix: FREE_SPACE },
  ENOTDIR: { why: 'a part of the path is not a folder' },
  ENOTEMPTY: { why: 'the folder is not empty' },
  ENXIO: { why: 'the device was removed' },
  EPERM: {
    why: 'the operation is not permitted',
    fix: 'run the command as the owner of the file; an immutable flag (lsattr) forbids writing, too',
  },
  EROFS: {
    why: 'the disk is mounted read-only',
    fix: 'mount it writable, or choose a folder on another disk',
  },
  ESTALE: { why: 'the network file system has lost the file', fix: 'mount it again' },
  ETXTBSY: { why: 'the program is running', fix: 'end that program, then repeat the command' },
};

const OF_SQLITE: readonly (readonly [RegExp, string])[] = [
  // SQLite reports an I/O error when it cannot extend the index of its log on a full disk.
  [/^SQLITE_FULL|^SQLITE_IOERR_SHMSIZE/, 'ENOSPC'],
  [/^SQLITE_IOERR_NOMEM|^SQLITE_NOMEM/, 'ENOMEM'],
  [/^SQLITE_IOERR/, 'EIO'],
  [/^SQLITE_READONLY/, 'EROFS'],
  [/^SQLITE_CANTOPEN/, 'EACCES'],
];

/** Returns the meaning of a system or disk error. Returns undefined for any other error. */
export function diskErrorMeaning(error: unknown): string | undefined {
  if (isDamagedDatabase(error)) return 'pages of a database are damaged';
  return meaningOf(error)?.why ?? systemText(error);
}

/** Returns how to fix the error, if the error code alone determines the fix. */
export function diskErrorFix(error: unknown): string | undefined {
  return meaningOf(error)?.fix;
}

/**
 * Returns the meaning of a system error, or the message of any other error. `named` is the type of file that the path
 * should name.
 */
export function failureReason(error: unknown, named?: 'file' | 'folder' | 'program'): string {
  if (named !== undefined && errorCode(error) === 'ENOENT') return `the ${named} does not exist`;
  return (isOfSystem(error) ? diskErrorMeaning(error) : undefined) ?? errorMessage(error);
}

/**
 * Returns a message with the operation, the path and the reason for a system error. Used for errors that no other code
 * has described.
 */
export function diskErrorLine(error: unknown): string | undefined {
  const why = diskErrorMeaning(error);
  if (why === undefined || !(error instanceof Error)) return undefined;
  const { syscall, path } = error as NodeJS.ErrnoException;
  return path === undefined
    ? `the command failed: ${why}`
    : `cannot ${verbOf(syscall)} ${path}: ${why}`;
}

/** Returns whether the error means that the disk or a disk quota is full. */
export function isOutOfRoom(error: unknown): boolean {
  return ['ENOSPC', 'EDQUOT'].includes(codeOf(error));
}

function meaningOf(error: unknown): Meaning | undefined {
  const code = codeOf(error);
  return Object.hasOwn(MEANINGS, code) ? MEANINGS[code] : undefined;
}

function codeOf(error: unknown): string {
  const code = errorCode(error) ?? '';
  const [, same = code] = OF_SQLITE.find(([pattern]) => pattern.test(code)) ?? [];
  return same;
}

/**
 * Returns whether the operating system or SQLite reported the error. All other errors already have a message of
 * Holdfast.
 */
function isOfSystem(error: unknown): boolean {
  return errnoOf(error) !== undefined || (errorCode(error) ?? '').startsWith('SQLITE_');
}

function errnoOf(error: unknown): number | undefined {
  if (!(error instanceof Error)) return undefined;
  const { errno } = error as NodeJS.ErrnoException;
  return typeof errno === 'number' ? errno : undefined;
}

/**
 * Returns the text of the operating system without the error code and the path, for example `cross-device link not
 * permitted`.
 */
function systemText(error: unknown): string | undefined {
  if (errnoOf(error) === undefined) return undefined;
  const [, text] = /^E[A-Z0-9]+: ([^,]+)/.exec(errorMessage(error)) ?? [];
  return `the operating system reports: ${text ?? errorCode(error)}`;
}

const READS = new Set([
  'access',
  'lstat',
  'opendir',
  'read',
  'readlink',
  'realpath',
  'scandir',
  'stat',
]);

function verbOf(syscall = 'open'): string {
  if (syscall === 'open') return 'open';
  return READS.has(syscall) ? 'read' : 'write';
}
