/** A small disk that the soak test can fill. It is a tmpfs, and only root can mount it. */

import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const DISK_BYTES = 2 * 2 ** 30;

export class SmallDisk {
  readonly folder: string;
  readonly #ballast: string;

  private constructor(folder: string) {
    this.folder = folder;
    this.#ballast = join(folder, 'ballast');
  }

  /** Mounts the small disk. Returns undefined if the user is not root. */
  static mount(folder: string): SmallDisk | undefined {
    if (process.getuid?.() !== 0) return undefined;
    mkdirSync(folder);
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${DISK_BYTES},mode=700`, 'tmpfs', folder]);
    return new SmallDisk(folder);
  }

  fill(freeBytes: number): void {
    const { bavail, bsize } = statfsSync(this.folder);
    const piece = Buffer.alloc(2 ** 20);
    let left = bavail * bsize - freeBytes;
    for (let number = 0; left > 0; number += 1, left -= piece.length)
      this.#grow(piece.subarray(0, Math.min(left, piece.length)), number);
  }

  #grow(bytes: Uint8Array, number: number): void {
    mkdirSync(this.#ballast, { recursive: true });
    try {
      writeFileSync(join(this.#ballast, String(number)), bytes);
    } catch (error) {
      // The disk is full already, because another process has used the remaining space.
      if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
    }
  }

  free(): void {
    rmSync(this.#ballast, { recursive: true, force: true });
  }

  unmount(): void {
    execFileSync('umount', ['--lazy', this.folder]);
  }
}
