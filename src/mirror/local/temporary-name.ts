/** Names of files that a restore is still writing: never mirrored, and removed by the next restore where one was killed. */

import { randomBytes } from 'node:crypto';

const PATTERN = /^\.holdfast-[0-9a-f]{16}$/;

export function temporaryName(): string {
  return `.holdfast-${randomBytes(8).toString('hex')}`;
}

export function isTemporaryName(name: string): boolean {
  return PATTERN.test(name);
}
