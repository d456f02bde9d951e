/**
 * Manages the reserve: a file that is deleted when the disk is full, so that a delete can be committed and the store can be
 * opened. Until the file exists again, the store accepts only commands that free space or protect data: the next delete
 * needs the rest of the space.
 */

import { statSync, unlinkSync } from 'node:fs';

import type { CommandName } from './commands/commands.ts';
import type { Layout } from '../disk/layout.ts';
import { ROOM_FOR_OPENING, freeBytesAt } from '../disk/disk-space.ts';

/**
 * The size of the reserve, which is enough for one transaction. A delete takes about 40 KiB in the log; the delete of an
 * object with 5,000 parts of 8 MiB takes about 4 MiB. The log is emptied after each transaction.
 */
export const RESERVE_BYTES = 4 * 1024 ** 2;

/**
 * The free space for which the reserve is created, so that it takes at most half. With less, it would be created and
 * deleted repeatedly.
 */
export const ROOM_FOR_RESERVE = 2 * RESERVE_BYTES;

/** The commands that free space, prepare that, or protect data. All others are refused while the reserve is spent. */
const MAY_SPEND: ReadonlySet<CommandName> = new Set<CommandName>([
  'deleteObject',
  'deleteBucket',
  'abortUpload',
  'runLifecycle',
  'forgetGarbage',
  // A lifecycle rule, or the end of a legal hold, lets data be deleted.
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

/**
 * The state of the reserve that both threads share. The writer thread spends the reserve; the main thread creates it again.
 */
export interface SharedReserve {
  readonly path: string;
  /** One element: 1 while the reserve is spent, otherwise 0. */
  readonly spent: Int32Array;
}

export class Reserve {
  readonly shared: SharedReserve;

  constructor(shared: SharedReserve) {
    this.shared = shared;
  }

  /**
   * Returns the reserve of a store that is being opened, under its lock. Spends it at once if the disk lacks space for
   * opening. A missing reserve counts as spent if the disk also lacks space for a new one.
   */
  static of({ root, reserve: path }: Layout, freeBytes = freeBytesAt(root)): Reserve {
    const spent = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
    const reserve = new Reserve({ path, spent });
    if (freeBytes < ROOM_FOR_OPENING) reserve.spend();
    if (!reserve.isWhole() && freeBytes < ROOM_FOR_RESERVE) reserve.lacks(true);
    return reserve;
  }

  /** The path of the reserve file while it is being written. */
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

  /**
   * Deletes the file if the command may use its space, and returns whether space was freed. `name` is the command; absent
   * if the store itself needs the space.
   */
  spend(name?: CommandName): boolean {
    if (name !== undefined && !this.isFor(name)) return false;
    // In this order, so that a file that is being renamed is found under one of the names.
    const gone = [this.nextPath, this.shared.path].filter(isRemoved);
    if (gone.length > 0) this.lacks(true);
    return gone.length > 0;
  }
}

/** Deletes a file and returns whether it was deleted. Ignores errors: the caller reports the full disk. */
function isRemoved(path: string): boolean {
  try {
    unlinkSync(path);
    return true;
  } catch {
    return false;
  }
}
