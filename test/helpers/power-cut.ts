/**
 * A model of power failures that follows ALICE (Pillai et al., OSDI 2014). A file layer logs each
 * write, sync, rename and removal of the engine in order. After a power failure, unsynced data can
 * be lost completely or partly. The model computes such states for each prefix of the log. A
 * database commit counts as durable immediately, because SQLite guarantees it with
 * `synchronous=FULL`. The log contains the database after each commit.
 */

import { mkdir, open, rename, unlink } from 'node:fs/promises';
import { basename, dirname } from 'node:path';

import Database from 'better-sqlite3';

import type { FileOperations } from '../../src/engine/disk/faults.ts';

type Entry =
  | { readonly op: 'create'; readonly path: string; readonly file: number }
  | {
      readonly op: 'write';
      readonly file: number;
      readonly position: number;
      readonly bytes: Buffer;
    }
  | { readonly op: 'sync'; readonly file: number }
  | { readonly op: 'sync-folder'; readonly path: string }
  | { readonly op: 'make-folder'; readonly path: string }
  | { readonly op: 'rename'; readonly from: string; readonly to: string }
  | { readonly op: 'unlink'; readonly path: string }
  | { readonly op: 'commit'; readonly database: Buffer }
  | { readonly op: 'promise'; readonly promise: string };

export type Log = readonly Entry[];

/**
 * Logs the file operations of the engine. Before each file operation, it logs the database commits
 * that preceded it.
 */
export class Recorder {
  readonly log: Entry[] = [];
  readonly #metadata: string;
  #database: Database.Database | undefined;
  #version: unknown;
  #files = 0;

  /** `metadata` is the path of the database. The file need not exist yet. */
  constructor(metadata: string) {
    this.#metadata = metadata;
  }

  /** Starts logging database commits. The database must exist. */
  start(): void {
    this.#database = new Database(this.#metadata, { readonly: true });
    this.#noteCommit();
  }

  stop(): void {
    this.#database?.close();
    this.#database = undefined;
  }

  /** Logs that the caller received the acknowledgement `promise`. */
  promise(promise: string): void {
    this.#note({ op: 'promise', promise });
  }

  get files(): Partial<FileOperations> {
    return {
      mkdir: (async (path: string, options: { recursive: true }) => {
        const made = await mkdir(path, options);
        if (made !== undefined) this.#note({ op: 'make-folder', path });
        return made;
      }) as typeof mkdir,
      open: async (path, flags, mode) => this.#recorded(String(path), String(flags), mode),
      rename: async (from, to) => {
        this.#note({ op: 'rename', from: String(from), to: String(to) });
        await rename(from, to);
      },
      unlink: async (path) => {
        this.#note({ op: 'unlink', path: String(path) });
        await unlink(path);
      },
    };
  }

  async #recorded(path: string, flags: string, mode: Parameters<typeof open>[2]) {
    const handle = await open(path, flags, mode);
    const file = flags === 'wx' ? ++this.#files : undefined;
    if (file !== undefined) this.#note({ op: 'create', path, file });
    const synced = (): void => {
      this.#note(file === undefined ? { op: 'sync-folder', path } : { op: 'sync', file });
    };
    return new Proxy(handle, {
      get: (target, name) => {
        const member: unknown = Reflect.get(target, name, target);
        if (typeof member !== 'function') return member;
        if (name === 'write' && file !== undefined) {
          return async (bytes: Buffer, offset: number, length: number, position: number) => {
            const written = Buffer.from(bytes.subarray(offset, offset + length));
            this.#note({ op: 'write', file, position, bytes: written });
            return target.write(bytes, offset, length, position);
          };
        }
        if (name !== 'sync' && name !== 'datasync') return member.bind(target) as unknown;
        return async () => {
          await target[name]();
          // A sync makes data durable only when it returns.
          synced();
        };
      },
    });
  }

  #note(entry: Entry): void {
    this.#noteCommit();
    this.log.push(entry);
  }

  /** Logs the database if a commit happened since the last entry. */
  #noteCommit(): void {
    const version: unknown = this.#database?.pragma('data_version', { simple: true });
    if (!this.#database || version === this.#version) return;
    this.#version = version;
    this.log.push({ op: 'commit', database: this.#database.serialize() });
  }
}

/** Decides whether an unsynced change survives the power failure. */
export type Survives = () => boolean;

export interface Remains {
  /** Contents of the files in `blobs/`, by file name. Files in lost directories are missing. */
  readonly blobs: ReadonlyMap<string, Buffer>;
  readonly database: Buffer | undefined;
  /** Acknowledgements that callers received before the power failure. */
  readonly promises: readonly string[];
}

/**
 * Returns a possible state of the disk if the power fails after the first `length` entries of the
 * log.
 */
export function remainsOf(log: Log, length: number, survives: Survives): Remains {
  const disk = new Disk(survives);
  for (const entry of log.slice(0, length)) disk.apply(entry);
  return disk.remains();
}

type Pending = { readonly path: string; readonly file: number | undefined };

class Disk {
  readonly #survives: Survives;
  /** Durable content of each file, with its unsynced writes. */
  readonly #contents = new Map<number, Buffer>();
  readonly #unsynced = new Map<number, { position: number; bytes: Buffer }[]>();
  /**
   * Internal number of the file at each path. `#names` contains the paths on the disk, and `#seen` the paths that the
   * running process sees.
   */
  readonly #names = new Map<string, number>();
  readonly #seen = new Map<string, number>();
  /** Creations, renames and removals in directories that are not synced yet, in order. */
  #pending: Pending[] = [];
  readonly #lostFolders = new Set<string>();
  readonly #promises: string[] = [];
  #database: Buffer | undefined;

  constructor(survives: Survives) {
    this.#survives = survives;
  }

  apply(entry: Entry): void {
    switch (entry.op) {
      case 'create':
        return this.#name(entry.path, entry.file);
      case 'write':
        this.#unsynced.set(entry.file, [...(this.#unsynced.get(entry.file) ?? []), entry]);
        return;
      case 'sync':
        this.#contents.set(
          entry.file,
          this.#written(entry.file, () => true),
        );
        this.#unsynced.delete(entry.file);
        return;
      case 'make-folder':
        this.#lostFolders.add(entry.path);
        return;
      case 'sync-folder':
        return this.#syncFolder(entry.path);
      case 'rename': {
        const file = this.#seen.get(entry.from);
        this.#name(entry.to, file);
        return this.#name(entry.from, undefined);
      }
      case 'unlink':
        return this.#name(entry.path, undefined);
      case 'commit':
        this.#database = entry.database;
        return;
      case 'promise':
        this.#promises.push(entry.promise);
    }
  }

  #name(path: string, file: number | undefined): void {
    if (file === undefined) this.#seen.delete(path);
    else this.#seen.set(path, file);
    this.#pending.push({ path, file });
  }

  #syncFolder(path: string): void {
    for (const folder of this.#lostFolders) {
      if (dirname(folder) === path) this.#lostFolders.delete(folder);
    }
    const isInside = (change: Pending) => dirname(change.path) === path;
    for (const change of this.#pending.filter(isInside)) this.#carryOut(change);
    this.#pending = this.#pending.filter((change) => !isInside(change));
  }

  #carryOut({ path, file }: Pending): void {
    if (file === undefined) this.#names.delete(path);
    else this.#names.set(path, file);
  }

  /**
   * Returns the content of a file after `survives` has decided about each unsynced write. A lost
   * write can leave zeros.
   */
  #written(file: number, survives: Survives): Buffer {
    let content = this.#contents.get(file) ?? Buffer.alloc(0);
    for (const { position, bytes } of this.#unsynced.get(file) ?? []) {
      if (!survives()) continue;
      const grown = Buffer.alloc(Math.max(content.length, position + bytes.length));
      content.copy(grown);
      bytes.copy(grown, position);
      content = grown;
    }
    return content;
  }

  remains(): Remains {
    for (const change of this.#pending) if (this.#survives()) this.#carryOut(change);
    const blobs = new Map<string, Buffer>();
    for (const [path, file] of this.#names) {
      const folder = dirname(path);
      if (basename(dirname(folder)) !== 'blobs') continue;
      if (this.#lostFolders.has(folder) && !this.#survives()) continue;
      blobs.set(basename(path), this.#written(file, this.#survives));
    }
    return { blobs, database: this.#database, promises: this.#promises };
  }
}
