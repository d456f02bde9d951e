/**
 * Manages the reserve file. It is deleted when the disk is full, so that a delete can be committed and the store can be
 * opened. Until the file is created again, the store accepts only commands that free space or protect data, because the
 * next delete needs the remaining space.
 */

import { statSync, unlinkSync } from 'node:fs';

import type { CommandName } from './commands/commands.ts';
import type { Layout } from '../disk/layout.ts';
import { ROOM_FOR_OPENING, freeBytesAt } from '../disk/disk-space.ts';

/**
 * The size of the reserve file, which is enough for one transaction. A delete takes about 40 KiB of the write-ahead
 * log. Deleting an object with 5,000 parts of 8 MiB takes about 4 MiB. On a full disk, the log is emptied after each
 * transaction.
 */
export const RESERVE_BYTES = 4 * 1024 ** 2;

/**
 * The free space that is required to create the reserve file. The file then takes at most half of the free space. If it
 * took more, it would be created and deleted repeatedly.
 */
export const ROOM_FOR_RESERVE = 2 * RESERVE_BYTES;

/**
 * The commands that free space, allow space to be freed later, or protect data. While the reserve is spent (its file is
 * deleted), all other commands are refused.
 */
const MAY_SPEND: ReadonlySet<CommandName> = new Set<CommandName>([
  'deleteObject',
  'deleteBucket',
  'abortUpload',
  'runLifecycle',
  'forgetGarbage',
  // Include these commands because they can permit later deletes: a lifecycle rule expires versions, and a legal hold
  // can be ended.
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
 * The state of the reserve, which both threads share. The writer thread deletes the reserve file; the main thread
 * creates it again.
 */
export interface SharedReserve {
  readonly path: string;
  /** An array with one element: 1 while the reserve is spent (its file is deleted), otherwise 0. */
  readonly spent: Int32Array;
}

export class Reserve {
  readonly shared: SharedReserve;

  constructor(shared: SharedReserve) {
    this.shared = shared;
  }

  /**
   * Returns the reserve of a store that is being opened. The store must be locked. If the disk has too little space to
   * open the store, deletes the reserve file. A missing reserve file counts as spent if the disk has no space for a new
   * one.
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
   * Deletes the reserve file if the command may use its space, and returns whether space was freed. `name` is the
   * command; absent if the store itself needs the space.
   */
  spend(name?: CommandName): boolean {
    if (name !== undefined && !this.isFor(name)) return false;
    // Delete the unfinished file first. If the file is renamed at the same time, it is then deleted under its final
    // name.
    const gone = [this.nextPath, this.shared.path].filter(isRemoved);
    if (gone.length > 0) this.lacks(true);
    return gone.length > 0;
  }
}

/** Deletes a file and returns whether it was deleted. Ignores errors, because the caller reports the full disk. */
function isRemoved(path: string): boolean {
  try {
    unlinkSync(path);
    return true;
  } catch {
    return false;
  }
}
