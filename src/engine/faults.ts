/** The seam of the fault tests: where the engine can be made to die, and the file operations that can fail. */

import { mkdir, open, readdir, rename, unlink } from 'node:fs/promises';

export type FailPoint = 'after-tmp-write' | 'after-rename' | 'before-commit' | 'after-commit';

export interface Faults {
  /** Kills the process when this point is passed for the `pass`th time (1 is the first). */
  readonly crash?: { readonly point: FailPoint; readonly pass: number };
  /** Take the place of the real ones. */
  readonly files?: Partial<FileOperations>;
  /** The metadata database refuses to grow beyond this, as on a full disk. */
  readonly maxMetadataPages?: number;
}

/** What the engine asks of the file system. */
export interface FileOperations {
  readonly mkdir: typeof mkdir;
  readonly open: typeof open;
  readonly readdir: typeof readdir;
  readonly rename: typeof rename;
  readonly unlink: typeof unlink;
}

export const realFiles: FileOperations = { mkdir, open, readdir, rename, unlink };

export type PassPoint = (point: FailPoint) => void;

export function passPoint(crash: Faults['crash']): PassPoint {
  let passes = 0;
  return (point) => {
    if (crash?.point !== point) return;
    passes += 1;
    if (passes === crash.pass) process.kill(process.pid, 'SIGKILL');
  };
}
