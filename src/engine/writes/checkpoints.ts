/**
 * Moves committed pages from the write-ahead log into the database. It does so after the replies have been sent, when the
 * thread is idle or the log has become long. Durability does not depend on it.
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

/** The approximate limit of the log. A longer log makes each checkpoint slower; with a shorter one, pages are written more often. */
const MAX_LOG_BYTES = 32 * 1024 ** 2;

/** The limit of the log on a nearly full disk, where its pages may need additional space in the database. */
const SHORT_LOG_BYTES = 1024 ** 2;
const BRIM_BYTES = 2 * MAX_LOG_BYTES;

/** The estimated size of a command in the log, without its bodies: it changes some pages of 4 KiB. */
const COMMAND_BYTES = 12 * 1024;

/** The time without commands after which the thread runs a checkpoint. */
const IDLE_MS = 500;

/** The number of free pages that are kept for new bodies. Only more pages are returned to the file system. */
const KEPT_FREE_PAGES = 4096;

/** The number of pages that are returned to the file system at a time, so that a command does not wait long. */
const VACUUM_PAGES = 1024;

/** The number of pages at a time while the reserve is spent, because the log must fit into the rest of its space. */
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
    // While the reserve is spent, the log uses the rest of its space. After a checkpoint, it starts again at its beginning.
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
    // On a full disk, a command may be waiting for the space. Each step is short, so no pause is needed.
    const pauseMs = reserve.isSpent ? 0 : IDLE_MS;
    this.#cancelIdle = vacuumed ? clock.after(pauseMs, () => this.#idle()) : undefined;
  }

  /**
   * Returns free pages to the file system. The result is whether more may follow. On a full disk, no pages are kept for new
   * bodies.
   */
  #vacuum(): boolean {
    const { isSpent } = this.#options.reserve;
    const freePages = this.#number('freelist_count');
    if (freePages <= (isSpent ? 0 : KEPT_FREE_PAGES)) return false;
    // Pages are moved through the log, in which only a checkpoint makes space again.
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
   * Returns whether the database has space for the whole log, which then starts again at its beginning and reuses its
   * space. A partial checkpoint would use the last space of the disk and free none.
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
 * Runs `work` and returns whether it succeeded. Returns false if the disk is full, which only delays the checkpoint:
 * commits are durable in the log.
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
