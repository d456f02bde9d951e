/** The seam of the fault tests: where the engine can be made to die, and the file operations that can fail. */

import { mkdir, open, readdir, rename, rmdir, stat, unlink } from 'node:fs/promises';

/** Every step between which a crash leaves another state on the disk, in the order of a large body's life. */
export const FAIL_POINTS = [
  'after-migration-step',
  'after-migration',
  'after-tmp-create',
  'after-tmp-write',
  'after-tmp-sync',
  'after-folder-make',
  'after-rename',
  'after-folder-sync',
  'before-commit',
  'after-commit',
  'before-unlink',
  'after-unlink',
  'after-sweep-tmp',
  'after-sweep-orphan',
  'before-checkpoint',
  'after-checkpoint',
] as const;

/** The same for the reserve, which only a full disk has spent. */
export const RESERVE_POINTS = [
  'after-reserve-write',
  'after-reserve-make',
  'after-reserve-spend',
] as const;

export type FailPoint = (typeof FAIL_POINTS | typeof RESERVE_POINTS)[number];

export interface Crash {
  readonly point: FailPoint;
  /** At a commit, only those of groups with this command count. */
  readonly command?: string | undefined;
  /** It happens when the point is passed for this time; 1 is the first. */
  readonly pass: number;
  /** The error of SQLite that is met there, each time from then on; without it the process is killed. */
  readonly error?: `SQLITE_${string}` | undefined;
}

export interface Faults {
  readonly crash?: Crash;
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
  readonly rmdir: typeof rmdir;
  readonly stat: typeof stat;
  readonly unlink: typeof unlink;
}

export const realFiles: FileOperations = {
  mkdir,
  open,
  readdir,
  rename,
  rmdir,
  stat,
  unlink,
};

/** At a commit, `group` is what is committed. */
export type PassPoint = (point: FailPoint, group?: readonly { readonly name: string }[]) => void;

export function passPoint(crash: Crash | undefined): PassPoint {
  let passes = 0;
  return (point, group) => {
    if (crash?.point !== point) return;
    if (crash.command !== undefined && !group?.some(({ name }) => name === crash.command)) return;
    passes += 1;
    if (passes < crash.pass) return;
    if (crash.error === undefined) process.kill(process.pid, 'SIGKILL');
    else throw Object.assign(new Error(`${crash.error}: planted`), { code: crash.error });
  };
}
