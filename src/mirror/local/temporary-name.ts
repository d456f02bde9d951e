/** Names of files that are still being written, or that are giving way to one: never mirrored. */

import { randomBytes } from 'node:crypto';

const HALF = /^\.holdfast-[0-9a-f]{16}$/;
const AWAY = /^\.holdfast-away-[0-9a-f]{16}$/;

/** Of a file that is still being written: removed by whoever comes next, where its writer was killed. */
export function temporaryName(): string {
  return `.holdfast-${randomBytes(8).toString('hex')}`;
}

/** Of a file that is giving way: the state tells whose it is, and nobody else touches it. */
export function awayName(): string {
  return `.holdfast-away-${randomBytes(8).toString('hex')}`;
}

export function isHalfName(name: string): boolean {
  return HALF.test(name);
}

export function isTemporaryName(name: string): boolean {
  return HALF.test(name) || AWAY.test(name);
}
