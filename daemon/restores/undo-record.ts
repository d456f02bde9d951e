/**
 * Records what the last undo of a job replaced, so that `undo --redo` can reverse it. The record is a file with one
 * JSON value per line, in the folder of the job's state. It refers to versions and does not contain file content.
 */

import { closeSync, fsyncSync, openSync, readFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';

import { z } from 'zod';

import { errorCode } from '../../src/base/errors.ts';

const FILE = 'last-undo.jsonl';

/** A path that the undo changed. It is relative to the job's folder. The path of a folder ends in `/`. */
const replacedSchema = z.object({
  path: z.string(),
  /** The ID of the version with the bytes that the undo replaced. Absent if nothing existed at the path. */
  versionId: z.string().optional(),
  /**
   * The file's mode and modification time as object metadata. Absent in records that earlier versions of Holdfast
   * wrote.
   */
  metadata: z.record(z.string(), z.string()).optional(),
});

export type Replaced = Readonly<z.infer<typeof replacedSchema>>;

/** Writes a record. The record of the previous undo is overwritten when the first path is added. */
export class UndoRecorder {
  readonly #file: string;
  readonly #paths = new Set<string>();
  #descriptor: number | undefined;

  constructor(stateDir: string) {
    this.#file = join(stateDir, FILE);
  }

  /**
   * Adds a path. If the path was added before, does nothing. It must be called before the path is changed. Throws a
   * system error.
   */
  add(replaced: Replaced): void {
    if (this.#paths.has(replaced.path)) return;
    this.#paths.add(replaced.path);
    writeSync(this.#open(), `${JSON.stringify(replaced)}\n`);
  }

  /** Overwrites the previous record, even if the undo will replace nothing that could be restored. */
  begin(): void {
    this.#open();
  }

  #open(): number {
    this.#descriptor ??= openSync(this.#file, 'w', 0o600);
    return this.#descriptor;
  }

  close(): void {
    if (this.#descriptor === undefined) return;
    fsyncSync(this.#descriptor);
    closeSync(this.#descriptor);
    this.#descriptor = undefined;
  }
}

/**
 * Returns what the last undo replaced. Returns undefined before the first undo. Ignores an incomplete last line.
 */
export function readLastUndo(stateDir: string): readonly Replaced[] | undefined {
  try {
    const lines = readFileSync(join(stateDir, FILE), 'utf8').split('\n').slice(0, -1);
    return lines.map((line) => replacedSchema.parse(JSON.parse(line)));
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}
