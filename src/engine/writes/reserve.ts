/**
 * Room for making room: a file that is given up when the disk is full, so that a delete can be committed and the store
 * be opened all the same. Until it is there again, the store takes only what makes room, or protects: the next delete
 * needs what is left of it.
 */

import { statSync, unlinkSync } from 'node:fs';

import type { CommandName } from './commands/commands.ts';
import type { Layout } from '../disk/layout.ts';
import { ROOM_FOR_OPENING, freeBytesAt } from '../disk/disk-space.ts';

/**
 * What goes in one transaction: a delete takes some 40 KiB of the log, that of an object of 5,000 parts of 8 MiB, 4 MiB.
 * The log is emptied after each.
 */
export const RESERVE_BYTES = 4 * 1024 ** 2;

/** It is made where it takes half of what is free at most: close to the brim it would come and go. */
export const ROOM_FOR_RESERVE = 2 * RESERVE_BYTES;

/** What makes room, what has to come before that, and what protects. All else is refused while the reserve is spent. */
const MAY_SPEND: ReadonlySet<CommandName> = new Set<CommandName>([
  'deleteObject',
  'deleteBucket',
  'abortUpload',
  'runLifecycle',
  'forgetGarbage',
  // A rule of the lifecycle, a hold that ends.
  'putBucketConfig',
  'putLegalHold',
  'putRetention',
  'putBucketAcl',
  'putBucketPolicy',
  'putPublicAccessBlock',
  'quarantine',
  'endQuarantine',
  'healVersion',
  'saveTrustedTime',
  'repairTables',
]);

/** Crosses to the writer thread, which spends it; the other one makes it anew. */
export interface SharedReserve {
  readonly path: string;
  /** 1 while it is spent. */
  readonly spent: Int32Array;
}

export class Reserve {
  readonly shared: SharedReserve;

  constructor(shared: SharedReserve) {
    this.shared = shared;
  }

  /** As it lies in a store that is being opened, under its lock: without room for the rest of that it goes at once. */
  static of({ root, reserve: path }: Layout, freeBytes = freeBytesAt(root)): Reserve {
    const spent = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
    const reserve = new Reserve({ path, spent });
    if (freeBytes < ROOM_FOR_OPENING) reserve.spend();
    if (!reserve.isWhole() && freeBytes < ROOM_FOR_RESERVE) reserve.lacks(true);
    return reserve;
  }

  /** Where it is to be written before it has its name. */
  get nextPath(): string {
    return `${this.shared.path}.next`;
  }

  get isSpent(): boolean {
    return Atomics.load(this.shared.spent, 0) === 1;
  }

  isFor(name: CommandName): boolean {
    return MAY_SPEND.has(name);
  }

  refuses(name: CommandName): boolean {
    return this.isSpent && !this.isFor(name);
  }

  isWhole(): boolean {
    return (statSync(this.shared.path, { throwIfNoEntry: false })?.size ?? 0) >= RESERVE_BYTES;
  }

  lacks(spent: boolean): void {
    Atomics.store(this.shared.spent, 0, spent ? 1 : 0);
  }

  /** Tells whether there is more room now. `name` is what wants it; nothing, the opening. */
  spend(name?: CommandName): boolean {
    if (name !== undefined && !this.isFor(name)) return false;
    // In this order: one that gets its name just now is met under the one or the other.
    const gone = [this.nextPath, this.shared.path].filter(isRemoved);
    if (gone.length > 0) this.lacks(true);
    return gone.length > 0;
  }
}

/** What cannot be removed gives no room: the full disk that it was wanted for is what is told. */
function isRemoved(path: string): boolean {
  try {
    unlinkSync(path);
    return true;
  } catch {
    return false;
  }
}
