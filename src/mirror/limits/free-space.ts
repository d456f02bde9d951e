/** The disk of the embedded store: how much of it mirrors leave free, and whether a folder fits before it is begun. */

import { statfsSync } from 'node:fs';

import prettyBytes from 'pretty-bytes';

import { StorageError } from '../../object-store/storage-error.ts';

/** What is free must be this much more before a job that stopped goes on: it would stop again at once. */
const MARGIN = 1.1;

export interface FreeSpaceOptions {
  /** A folder on that disk. */
  readonly folder: string;
  readonly minFreeBytes: number;
  /** Of the disk; it is asked without. */
  readonly freeBytes?: () => number;
}

export class FreeSpace {
  readonly #folder: string;
  readonly #minFreeBytes: number;
  readonly #freeBytes: () => number;
  #isLacking = false;
  #unfit: { readonly bytes: number; readonly text: string } | undefined;

  constructor({ folder, minFreeBytes, freeBytes = () => freeBytesAt(folder) }: FreeSpaceOptions) {
    this.#folder = folder;
    this.#minFreeBytes = minFreeBytes;
    this.#freeBytes = freeBytes;
  }

  /** Why nothing is to be written now; undefined while there is room. */
  lacking(): string | undefined {
    const free = this.#freeBytes();
    if (free < this.#minFreeBytes) this.#isLacking = true;
    else if (free >= this.#minFreeBytes * MARGIN) this.#isLacking = false;
    if (this.#isLacking) {
      return (
        `${prettyBytes(free)} are free on the disk of ${this.#folder}, ` +
        `and ${prettyBytes(this.#minFreeBytes)} are to stay free (storage.minFree): make room`
      );
    }
    if (this.#unfit && free - this.#minFreeBytes >= this.#unfit.bytes) this.#unfit = undefined;
    return this.#unfit?.text;
  }

  /** Before one file. Throws `EntityTooLarge`: others may have room. */
  check(bytes: number): void {
    const free = this.#freeBytes() - this.#minFreeBytes;
    if (bytes <= free) return;
    throw new StorageError(
      'EntityTooLarge',
      `store file: it has ${prettyBytes(bytes)}, and ${prettyBytes(Math.max(0, free))} are free for it ` +
        `on the disk of ${this.#folder}`,
    );
  }

  /** Before the first round of a job. From then on `lacking` says so until there is room for all of it. */
  checkFolder(bytes: number): void {
    const free = this.#freeBytes() - this.#minFreeBytes;
    this.#unfit =
      bytes <= free
        ? undefined
        : {
            bytes,
            text:
              `the folder has ${prettyBytes(bytes)}, and ${prettyBytes(Math.max(0, free))} are free for it ` +
              `on the disk of ${this.#folder}: make room, or exclude something`,
          };
  }
}

const USUAL_MIN_FREE_BYTES = 100e6;
const USUAL_SHARE = 50;

/** 100 MB, or a fiftieth of a small disk. */
export function usualMinFree(folder: string): number {
  const { blocks, bsize } = statfsSync(folder);
  return Math.min(USUAL_MIN_FREE_BYTES, Math.floor((blocks * bsize) / USUAL_SHARE));
}

/** For whoever is not root. */
function freeBytesAt(folder: string): number {
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize;
}
