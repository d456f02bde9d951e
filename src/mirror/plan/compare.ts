/** What a new version would say besides the bytes. The time alone makes none: the old version has its own. */

import type { LocalEntry } from '../types.ts';

export function sameAttributes(a: LocalEntry, b: LocalEntry): boolean {
  return a.kind === b.kind && a.mode === b.mode && a.uid === b.uid && a.gid === b.gid;
}
