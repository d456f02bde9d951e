/** Defines the faults that tests can inject: crashes at named points of the engine, and file operations that fail. */

import { existsSync, writeFileSync } from 'node:fs';
import { mkdir, open, readdir, rename, rmdir, stat, unlink } from 'node:fs/promises';

/**
 * The points at which a test can crash the engine, in the order in which a large body passes them. A crash at each
 * point leaves a different state on the disk.
 */
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

/**
 * The points at which a test can crash the engine while it creates or deletes the reserve file. `after-reserve-spend`
 * is reached only on a full disk.
 */
export const RESERVE_POINTS = [
  'after-reserve-write',
  'after-reserve-make',
  'after-reserve-spend',
] as const;

export type FailPoint = (typeof FAIL_POINTS | typeof RESERVE_POINTS)[number];

export interface Crash {
  readonly point: FailPoint;
  /** The name of a command. If present, only commits whose group contains this command count as passes. */
  readonly command?: string | undefined;
  /** The pass at which the engine crashes; 1 is the first pass. */
  readonly pass: number;
  /**
   * The code of an SQLite error. If present, the engine does not crash, but throws this error at this pass and at all
   * later passes.
   */
  readonly error?: `SQLITE_${string}` | undefined;
  /**
   * The path of a file. If present, the engine does not crash at this pass, but creates the file and stops the process
   * with SIGSTOP. A test then copies the store, deletes the file and sends SIGCONT, after which the engine continues.
   */
  readonly stopFile?: string | undefined;
}

export interface Faults {
  readonly crash?: Crash | readonly Crash[];
  /** Replacements for file operations of Node. */
  readonly files?: Partial<FileOperations>;
  /** The maximum number of pages of the metadata database. At this size, writes fail as on a full disk. */
  readonly maxMetadataPages?: number;
}

/** The file operations that tests can replace. */
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

/** Called when the engine passes a fault point. At a commit, `group` contains the commands that are committed. */
export type PassPoint = (point: FailPoint, group?: readonly { readonly name: string }[]) => void;

export function passPoint(crashes: Crash | readonly Crash[] = []): PassPoint {
  const points = [crashes].flat().map(passOne);
  return (...passed) => {
    for (const pass of points) pass(...passed);
  };
}

function passOne(crash: Crash): PassPoint {
  let passes = 0;
  return (point, group) => {
    if (crash.point !== point) return;
    if (crash.command !== undefined && !group?.some(({ name }) => name === crash.command)) return;
    passes += 1;
    if (passes < crash.pass) return;
    if (crash.error !== undefined)
      throw Object.assign(new Error(`${crash.error}: planted`), { code: crash.error });
    if (crash.stopFile === undefined) process.kill(process.pid, 'SIGKILL');
    else if (passes === crash.pass) stopProcess(crash.stopFile);
  };
}

/**
 * Stops all threads of the process. If a different thread receives the signal first, this thread waits until it is
 * stopped too.
 */
function stopProcess(file: string): void {
  const never = new Int32Array(new SharedArrayBuffer(4));
  writeFileSync(file, '');
  process.kill(process.pid, 'SIGSTOP');
  while (existsSync(file)) Atomics.wait(never, 0, 0, 1);
}
