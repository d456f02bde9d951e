/**
 * Moves committed pages from the log into the database: after the answers are out, when the thread has
 * nothing to do, or when the log has grown long. Durability does not depend on it.
 */

import type { Database } from 'better-sqlite3';

import type { Clock } from '../base/clock.ts';
import { carriedBytes, type Envelope } from './commands.ts';
import type { PassPoint } from './faults.ts';
import { isFull } from './refusals.ts';

/** About how long the log may get. Longer ones make each checkpoint longer, shorter ones write pages twice. */
const MAX_LOG_BYTES = 32 * 1024 ** 2;

/** A command changes some pages of 4 KiB beside the bytes that it carries. */
const COMMAND_BYTES = 12 * 1024;

/** Without commands for so long, the thread takes its time to checkpoint. */
const IDLE_MS = 500;

/** Free pages that stay for new bodies; only what is beyond goes back to the file system. */
const KEPT_FREE_PAGES = 4096;

/** Given back at a time, so that a command that comes does not wait long. */
const VACUUM_PAGES = 1024;

export class Checkpoints {
  readonly #database: Database;
  readonly #clock: Clock;
  readonly #passPoint: PassPoint;
  #logBytes = 0;
  #cancelIdle: (() => void) | undefined;

  constructor(database: Database, clock: Clock, passPoint: PassPoint) {
    this.#database = database;
    this.#clock = clock;
    this.#passPoint = passPoint;
  }

  after(group: readonly Envelope[]): void {
    for (const { request } of group) this.#logBytes += COMMAND_BYTES + carriedBytes(request);
    this.#cancelIdle?.();
    this.#cancelIdle = undefined;
    if (this.#logBytes > MAX_LOG_BYTES) this.#checkpoint();
    else this.#cancelIdle = this.#clock.after(IDLE_MS, () => this.#idle());
  }

  finish(): void {
    this.#cancelIdle?.();
    this.#checkpoint();
  }

  #idle(): void {
    const freePages = Number(this.#database.pragma('freelist_count', { simple: true }));
    const vacuums = freePages > KEPT_FREE_PAGES;
    if (vacuums) attempt(() => this.#database.pragma(`incremental_vacuum(${VACUUM_PAGES})`));
    this.#checkpoint();
    this.#cancelIdle = vacuums ? this.#clock.after(IDLE_MS, () => this.#idle()) : undefined;
  }

  #checkpoint(): void {
    attempt(() => {
      this.#passPoint('before-checkpoint');
      this.#database.pragma('wal_checkpoint(PASSIVE)');
    });
    this.#passPoint('after-checkpoint');
    this.#logBytes = 0;
  }
}

/** A full disk only puts housekeeping off: what was committed is safe in the log. */
function attempt(work: () => unknown): void {
  try {
    work();
  } catch (error) {
    if (!isFull(error)) throw error;
  }
}
