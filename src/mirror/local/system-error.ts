/** Converts C library errors to errors like those that Node throws. */

import { constants } from 'node:os';

import { failureReason } from '../../base/disk-error.ts';
import { errorCode } from '../../base/errors.ts';

/** Returns the name of an error number, such as `ENOENT`; the number itself if the system has no name for it. */
export function codeOf(errno: number): string {
  return Object.entries(constants.errno).find(([, number]) => number === errno)?.[0] ?? `${errno}`;
}

/** Returns why a path in a job's folder is unreadable, and what the user can do. */
export function unreadableReason(error: unknown): string {
  const reason = failureReason(error);
  return ['EACCES', 'EPERM'].includes(errorCode(error) ?? '')
    ? `${reason}; give the user that Holdfast runs as read permission, or exclude it`
    : reason;
}

export function systemError(what: string, code: string): Error {
  return Object.assign(new Error(`${what}: ${code}`), { code });
}
