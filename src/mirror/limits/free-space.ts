/** Checks the free-space limit of the embedded store's disk, and whether a folder fits on that disk. */

import { statfsSync } from 'node:fs';

import { failureReason } from '../../base/disk-error.ts';
import { StorageError } from '../../object-store/storage-error.ts';
import { bytesText } from '../../text/amounts.ts';

/**
 * A stopped job resumes only when the free space exceeds the limit by this factor. Without a margin, it would stop
 * again at once.
 */
const MARGIN = 1.1;

export interface FreeSpaceOptions {
  /** A folder on the disk that is checked. */
  readonly folder: string;
  readonly minFreeBytes: number;
  /** Returns the number of free bytes on the disk. By default, `statfs` of the folder provides it. */
  readonly freeBytes?: () => number;
}

export class FreeSpace {
  readonly #folder: string;
  readonly #minFreeBytes: number;
  readonly #freeBytes: () => number;
  #isLacking = false;
  #folderProblem: { readonly bytes: number; readonly text: string } | undefined;

  constructor({ folder, minFreeBytes, freeBytes = () => freeBytesAt(folder) }: FreeSpaceOptions) {
    this.#folder = folder;
    this.#minFreeBytes = minFreeBytes;
    this.#freeBytes = freeBytes;
  }

  /** Returns the reason why no data may be written now; undefined if enough space is free. */
  lacking(): string | undefined {
    let free;
    try {
      free = this.#freeBytes();
    } catch (error) {
      return `the free space on the disk of ${this.#folder} cannot be read: ${failureReason(error, 'folder')}`;
    }
    if (free < this.#minFreeBytes) this.#isLacking = true;
    else if (free >= this.#minFreeBytes * MARGIN) this.#isLacking = false;
    if (this.#isLacking) {
      return (
        `only ${bytesText(free)} are free on the disk of ${this.#folder}, ` +
        `less than the ${bytesText(this.#minFreeBytes)} that must stay free (storage.minFree): free up disk space`
      );
    }
    if (this.#folderProblem && free - this.#minFreeBytes >= this.#folderProblem.bytes)
      this.#folderProblem = undefined;
    return this.#folderProblem?.text;
  }

  /** Throws StorageError `EntityTooLarge` if a file of `bytes` bytes does not fit. Smaller files may still fit. */
  check(bytes: number): void {
    const free = this.#freeBytes() - this.#minFreeBytes;
    if (bytes <= free) return;
    throw new StorageError(
      'EntityTooLarge',
      `cannot store a file of ${bytesText(bytes)}: only ${bytesText(Math.max(0, free))} are available ` +
        `on the disk of ${this.#folder}`,
    );
  }

  /**
   * Checks before the first round whether a folder of `bytes` bytes fits on the disk. If not, `lacking` returns a
   * reason until the folder fits.
   */
  checkFolder(bytes: number): void {
    const free = this.#freeBytes() - this.#minFreeBytes;
    this.#folderProblem =
      bytes <= free
        ? undefined
        : {
            bytes,
            text:
              `the folder has ${bytesText(bytes)}, but only ${bytesText(Math.max(0, free))} are available ` +
              `on the disk of ${this.#folder}: free up disk space, or exclude files`,
          };
  }
}

const DEFAULT_MIN_FREE_BYTES = 100e6;
const DEFAULT_SHARE = 50;

/** Returns the default free-space limit in bytes: 100 MB, or 1/50 of the disk if that is less. */
export function defaultMinFree(folder: string): number {
  const { blocks, bsize } = statfsSync(folder);
  return Math.min(DEFAULT_MIN_FREE_BYTES, Math.floor((blocks * bsize) / DEFAULT_SHARE));
}

/** Returns how many bytes on the disk with `folder` an unprivileged process may still use. */
function freeBytesAt(folder: string): number {
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize;
}
