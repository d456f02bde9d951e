/**
 * Runs checkpoints, which copy committed pages from the write-ahead log into the database. A checkpoint runs after the
 * replies were sent, when the thread is idle or the log is long. Commits are durable without a checkpoint.
 */

import { statSync } from 'node:fs';
import { dirname } from 'node:path';

import type { Database } from 'better-sqlite3';

import type { Clock } from '../../base/clock.ts';
import { carriedBytes, type Envelope, weightOf } from './commands/commands.ts';
import type { PassPoint } from '../disk/faults.ts';
import { isFull } from '../disk/refusals.ts';
import { type Reserve } from './reserve.ts';
import { freeBytesAt, ROOM_FOR_OPENING } from '../disk/disk-space.ts';

/**
 * The approximate maximum size of the write-ahead log. With a longer log, each checkpoint takes longer. With a shorter
 * log, pages are copied more often.
 */
const MAX_LOG_BYTES = 32 * 1024 ** 2;

/**
 * The maximum size of the write-ahead log on a nearly full disk, because copying its pages may enlarge the database.
 */
const SHORT_LOG_BYTES = 1024 ** 2;
const BRIM_BYTES = 2 * MAX_LOG_BYTES;

/** The estimated number of bytes that a command without bodies adds to the write-ahead log: some pages of 4 KiB. */
const COMMAND_BYTES = 12 * 1024;

/** The time without commands after which a checkpoint runs. */
const IDLE_MS = 500;

/**
 * The number of free database pages that are kept for new bodies. Pages beyond this number are returned to the file
 * system.
 */
const KEPT_FREE_PAGES = 4096;

/**
 * The number of pages that one step returns to the file system. A limit is needed because commands wait during the
 * step.
 */
const VACUUM_PAGES = 1024;

/**
 * The number of pages that one step returns to the file system on a full disk. The write-ahead log of the step must fit
 * into the space that deleting the reserve file has freed.
 */
const SHORT_VACUUM_PAGES = 128;

interface CheckpointsOptions {
  readonly database: Database;
  readonly clock: Clock;
  readonly passPoint: PassPoint;
  readonly reserve: Reserve;
}

export class Checkpoints {
  readonly #options: CheckpointsOptions;
  readonly #database: Database;
  #logBytes = 0;
  #cancelIdle: (() => void) | undefined;

  constructor(options: CheckpointsOptions) {
    this.#options = options;
    this.#database = options.database;
  }

  after(group: readonly Envelope[]): void {
    for (const { request } of group)
      this.#logBytes += weightOf(request) * COMMAND_BYTES + carriedBytes(request);
    this.#cancelIdle?.();
    this.#cancelIdle = undefined;
    // On a full disk, run a checkpoint after each group. The log is then reused from its beginning, so that it does not
    // use up the remaining space.
    const { clock, reserve } = this.#options;
    const isDue = reserve.isSpent || this.#isLogLong();
    if (isDue) this.#checkpoint();
    if (!isDue || reserve.isSpent) this.#cancelIdle = clock.after(IDLE_MS, () => this.#idle());
  }

  finish(): void {
    this.#cancelIdle?.();
    this.#checkpoint();
  }

  #isLogLong(): boolean {
    if (this.#logBytes <= SHORT_LOG_BYTES) return false;
    return this.#logBytes > MAX_LOG_BYTES || this.#freeBytes() < BRIM_BYTES;
  }

  #idle(): void {
    const vacuumed = this.#vacuum();
    this.#checkpoint();
    const { clock, reserve } = this.#options;
    // On a full disk, a command may be waiting for free space. Each step is short, so no pause is needed between steps.
    const pauseMs = reserve.isSpent ? 0 : IDLE_MS;
    this.#cancelIdle = vacuumed ? clock.after(pauseMs, () => this.#idle()) : undefined;
  }

  /**
   * Returns free pages to the file system, and returns whether more pages may follow. On a full disk, no pages are kept
   * for new bodies.
   */
  #vacuum(): boolean {
    const { isSpent } = this.#options.reserve;
    const freePages = this.#number('freelist_count');
    if (freePages <= (isSpent ? 0 : KEPT_FREE_PAGES)) return false;
    // Returning pages also writes to the log, and only a checkpoint frees space in the log.
    if (isSpent && !this.#fits()) return false;
    const pages = isSpent ? SHORT_VACUUM_PAGES : VACUUM_PAGES;
    return attempt(() => this.#database.pragma(`incremental_vacuum(${pages})`));
  }

  #checkpoint(): void {
    attempt(() => {
      this.#options.passPoint('before-checkpoint');
      if (this.#fits()) this.#database.pragma('wal_checkpoint(PASSIVE)');
    });
    this.#options.passPoint('after-checkpoint');
    this.#logBytes = 0;
  }

  /**
   * Returns whether the database has space for all pages of the log. After a complete checkpoint, the log is reused
   * from its beginning. A partial checkpoint would use the last space of the disk and free none.
   */
  #fits(): boolean {
    const { size } = statSync(this.#database.name);
    const growth = this.#number('page_count') * this.#number('page_size') - size;
    return growth <= 0 || growth + ROOM_FOR_OPENING <= this.#freeBytes();
  }

  #freeBytes(): number {
    return freeBytesAt(dirname(this.#database.name));
  }

  #number(pragma: string): number {
    return Number(this.#database.pragma(pragma, { simple: true }));
  }
}

/**
 * Runs `work` and returns whether it succeeded. Returns false if the disk is full, which only delays the checkpoint,
 * because commits are durable in the log.
 */
function attempt(work: () => unknown): boolean {
  try {
    work();
    return true;
  } catch (error) {
    if (!isFull(error)) throw error;
    return false;
  }
}
