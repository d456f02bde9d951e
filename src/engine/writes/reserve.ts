/**
 * The reserve: a file that is deleted when the disk is full, so that a delete can be committed and the store can be opened.
 * Until the file exists again, the store accepts only commands that free space or protect data: the next delete needs the
 * rest of the space.
 */

import { statSync, unlinkSync } from 'node:fs';

import type { CommandName } from './commands/commands.ts';
import type { Layout } from '../disk/layout.ts';
import { ROOM_FOR_OPENING, freeBytesAt } from '../disk/disk-space.ts';

/**
 * Enough for one transaction: a delete needs about 40 KiB of the log, that of an object of 5,000 parts of 8 MiB about 4 MiB.
 * The log is emptied after each.
 */
export const RESERVE_BYTES = 4 * 1024 ** 2;

/** The reserve is created if it takes at most half of the free space. On a nearly full disk it would be created and deleted repeatedly. */
export const ROOM_FOR_RESERVE = 2 * RESERVE_BYTES;

/** Commands that free space, prepare that, or protect data. All others are refused while the reserve is spent. */
const MAY_SPEND: ReadonlySet<CommandName> = new Set<CommandName>([
  'deleteObject',
  'deleteBucket',
  'abortUpload',
  'runLifecycle',
  'forgetGarbage',
  // A lifecycle rule, or the end of a legal hold.
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

/** Shared with the writer thread, which spends the reserve; the main thread creates it again. */
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

  /** The reserve while the store is opened, under its lock. It is spent at once if the disk lacks space for opening. */
  static of({ root, reserve: path }: Layout, freeBytes = freeBytesAt(root)): Reserve {
    const spent = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
    const reserve = new Reserve({ path, spent });
    if (freeBytes < ROOM_FOR_OPENING) reserve.spend();
    if (!reserve.isWhole() && freeBytes < ROOM_FOR_RESERVE) reserve.lacks(true);
    return reserve;
  }

  /** Path of the file while it is written. */
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

  /** Returns whether space was freed. `name` is the command that needs it; absent while the store is opened. */
  spend(name?: CommandName): boolean {
    if (name !== undefined && !this.isFor(name)) return false;
    // In this order, so that a file that is being renamed is found under one of the names.
    const gone = [this.nextPath, this.shared.path].filter(isRemoved);
    if (gone.length > 0) this.lacks(true);
    return gone.length > 0;
  }
}

/** Ignores the error: the caller reports the full disk. */
function isRemoved(path: string): boolean {
  try {
    unlinkSync(path);
    return true;
  } catch {
    return false;
  }
}
