/** Files that stand in the target with several names, of which a restore may want different things. */

import type { BigIntStats } from 'node:fs';

import { type Linked, whatIs } from './hard-links.ts';

export class StandingNames {
  /** By inode: what the first of its names is to be. */
  readonly #files = new Map<string, string>();

  /** Whether the file can be that: what one of its names is to be, all are. */
  claim(attributes: Linked, { dev, ino, nlink }: BigIntStats): boolean {
    if (nlink === 1n) return true;
    const inode = `${dev} ${ino}`;
    const wanted = whatIs(attributes);
    const first = this.#files.get(inode) ?? wanted;
    this.#files.set(inode, first);
    return first === wanted;
  }
}
