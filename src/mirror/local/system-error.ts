/** What the C library says went wrong, as Node itself would throw it. */

import { constants } from 'node:os';

import { failureReason } from '../../base/disk-error.ts';
import { errorCode } from '../../base/errors.ts';

/** `ENOENT`, …; the number itself for one that this system does not name. */
export function codeOf(errno: number): string {
  return Object.entries(constants.errno).find(([, number]) => number === errno)?.[0] ?? `${errno}`;
}

/** Why a path of a job's folder cannot be read, with what the user can do about it. */
export function unreadableReason(error: unknown): string {
  const reason = failureReason(error);
  return ['EACCES', 'EPERM'].includes(errorCode(error) ?? '')
    ? `${reason}; let the user that Holdfast runs as read it, or exclude it`
    : reason;
}

export function systemError(what: string, code: string): Error {
  return Object.assign(new Error(`${what}: ${code}`), { code });
}
