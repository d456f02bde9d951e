/**
 * Creates the reserve file in the background, and creates it again when the disk has enough free space. Does not fill
 * the disk.
 */

import { randomFill } from 'node:crypto';
import { dirname } from 'node:path';
import { promisify } from 'node:util';

import type { Clock } from '../../base/clock.ts';
import { errorCode, errorMessage } from '../../base/errors.ts';
import type { Logger } from '../../base/logger.ts';
import type { StorageError } from '../../object-store/storage-error.ts';
import type { FileOperations, PassPoint } from '../disk/faults.ts';
import { FILE_MODE } from '../disk/layout.ts';
import { diskFull, isOutOfSpace } from '../disk/refusals.ts';
import { type Reserve, RESERVE_BYTES, ROOM_FOR_RESERVE } from '../writes/reserve.ts';
import { freeBytesAt } from '../disk/disk-space.ts';

/**
 * The delay before the reserve file is created. By then, the store is completely open, and a process that opens the
 * store only briefly has closed it.
 */
const MAKE_AFTER_MS = 1000;

/**
 * The interval between two checks of the free space, because the system does not report changes of the free space.
 * After a failure, the next attempt waits for the same time, because an exceeded disk quota is noticed only when a
 * write fails.
 */
const LOOK_EVERY_MS = 60 * 1000;

const PIECE_BYTES = 1024 ** 2;

const fillRandomly = promisify<Buffer, Buffer>(randomFill);

interface ReserveKeeperOptions {
  readonly reserve: Reserve;
  readonly files: FileOperations;
  readonly passPoint: PassPoint;
  readonly clock: Clock;
  readonly logger: Logger;
}

export class ReserveKeeper {
  readonly #options: ReserveKeeperOptions;
  #making: Promise<void> | undefined;
  #restUntil = Number.NEGATIVE_INFINITY;
  #cancelLook: (() => void) | undefined;

  constructor(options: ReserveKeeperOptions) {
    this.#options = options;
  }

  start(): void {
    this.#lookIn(MAKE_AFTER_MS);
  }

  /** Stops the checks, and waits until a reserve file that is being created is complete. */
  async close(): Promise<void> {
    this.#cancelLook?.();
    await this.#making;
  }

  /**
   * Returns the error for commands that need disk space, or undefined if the disk is not full. Commands that free space
   * or protect data are never refused.
   */
  refusal(): StorageError | undefined {
    const { reserve } = this.#options;
    if (reserve.isSpent) this.look();
    return reserve.isSpent ? diskFull() : undefined;
  }

  /** Starts to create the reserve file if it is missing and the disk has enough free space. */
  look(): void {
    const { reserve, clock } = this.#options;
    if (this.#making || clock.monotonic() < this.#restUntil) return;
    try {
      if (reserve.isWhole()) return;
      if (freeBytesAt(dirname(reserve.shared.path)) < ROOM_FOR_RESERVE) reserve.lacks(true);
      else this.#making = this.#make().finally(() => (this.#making = undefined));
    } catch (error) {
      // Checks of the disk fail if, for example, the disk was removed.
      this.#restAfter(error);
    }
  }

  #lookIn(ms: number): void {
    this.#cancelLook = this.#options.clock.after(ms, () => {
      this.look();
      this.#lookIn(LOOK_EVERY_MS);
    });
  }

  async #make(): Promise<void> {
    const { reserve, files, passPoint } = this.#options;
    // Report the free space before the write. If the reserve is spent during the write, the disk is reported as full,
    // and a later report must not overwrite that.
    reserve.lacks(false);
    try {
      await this.#write(reserve.nextPath);
      passPoint('after-reserve-write');
      await files.rename(reserve.nextPath, reserve.shared.path);
      passPoint('after-reserve-make');
    } catch (error) {
      if (isOutOfSpace(error)) {
        reserve.spend();
        reserve.lacks(true);
      }
      // The file is missing because the reserve was spent while it was written: the disk is full again.
      if (errorCode(error) === 'ENOENT') return;
      this.#restAfter(error);
    }
  }

  #restAfter(error: unknown): void {
    const { clock, logger } = this.#options;
    this.#restUntil = clock.monotonic() + LOOK_EVERY_MS;
    logger.warn({ reason: errorMessage(error) }, 'create disk-space reserve: failed, retrying');
  }

  /** Writes random bytes and syncs them. No file system compresses random bytes, so the disk space is allocated. */
  async #write(path: string): Promise<void> {
    const file = await this.#options.files.open(path, 'w', FILE_MODE);
    try {
      const piece = Buffer.allocUnsafe(PIECE_BYTES);
      for (let at = 0; at < RESERVE_BYTES; at += PIECE_BYTES) {
        await fillRandomly(piece);
        await file.appendFile(piece);
      }
      await file.sync();
    } finally {
      await file.close();
    }
  }
}
