/**
 * Generates temporary names for partially written files and for files that are set aside. Files with these names are
 * never mirrored.
 */

import { randomUUID } from 'node:crypto';

const PARTIAL = /^\.holdfast-[0-9a-f]{16}$/;
const SET_ASIDE = /^\.holdfast-away-[0-9a-f]{16}$/;

/**
 * Returns 16 random hex digits. Uses a UUID, because Node reads the random bytes for many UUIDs with one system call.
 */
function randomHex(): string {
  return randomUUID().replaceAll('-', '').slice(0, 16);
}

/** Returns a name for a file while it is written. If the writer is killed, the next run removes the file. */
export function temporaryName(): string {
  return `.holdfast-${randomHex()}`;
}

/** Returns a name for a file that is being written and that a later run can continue. `digest` is in lower-case hex. */
export function partialName(digest: string): string {
  return `.holdfast-${digest.slice(0, 16)}`;
}

/** Returns a name for a file that is set aside. Only the job whose state records this name may change the file. */
export function setAsideName(): string {
  return `.holdfast-away-${randomHex()}`;
}

export function isPartialName(name: string): boolean {
  return PARTIAL.test(name);
}

export function isTemporaryName(name: string): boolean {
  return PARTIAL.test(name) || SET_ASIDE.test(name);
}
