/** Finds hard-linked files in the target whose names must become different files in the restore. */

import type { BigIntStats } from 'node:fs';

import { type Linked, fileIdentity } from './hard-links.ts';

export class ExistingNames {
  /** By inode: the identity that the first name of the file gets. */
  readonly #files = new Map<string, string>();

  /** Whether the file can become this one: all its names must become the same file. */
  assign(attributes: Linked, { dev, ino, nlink }: BigIntStats): boolean {
    if (nlink === 1n) return true;
    const inode = `${dev} ${ino}`;
    const identity = fileIdentity(attributes);
    const first = this.#files.get(inode) ?? identity;
    this.#files.set(inode, first);
    return first === identity;
  }
}
