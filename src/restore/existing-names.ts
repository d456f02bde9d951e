/** Finds hard-linked files in the target folder whose names belong to different files in the restored tree. */

import type { BigIntStats } from 'node:fs';

import { type Linked, fileIdentity } from './hard-links.ts';

export class ExistingNames {
  /** For each inode, the identity of the restored file to which the first name belongs. */
  readonly #files = new Map<string, string>();

  /**
   * Returns whether an existing file can be kept for an object. All names of a hard-linked file must belong to the same
   * restored file.
   */
  assign(attributes: Linked, { dev, ino, nlink }: BigIntStats): boolean {
    if (nlink === 1n) return true;
    const inode = `${dev} ${ino}`;
    const identity = fileIdentity(attributes);
    const first = this.#files.get(inode) ?? identity;
    this.#files.set(inode, first);
    return first === identity;
  }
}
