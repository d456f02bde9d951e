/** What the C library says went wrong, as Node itself would throw it. */

import { constants } from 'node:os';

/** `ENOENT`, …; the number itself for one that this system does not name. */
export function codeOf(errno: number): string {
  return Object.entries(constants.errno).find(([, number]) => number === errno)?.[0] ?? `${errno}`;
}

export function systemError(what: string, code: string): Error {
  return Object.assign(new Error(`${what}: ${code}`), { code });
}
