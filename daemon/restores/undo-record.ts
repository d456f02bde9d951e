/**
 * Records what the last undo of a job replaced, so that `undo --redo` can bring it back: a file with one JSON value per
 * line, in the folder of the job's state. The content itself is in versions.
 */

import { closeSync, fsyncSync, openSync, readFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';

import { z } from 'zod';

import { errorCode } from '../../src/base/errors.ts';

const FILE = 'last-undo.jsonl';

/** A path that the undo changed. Paths are below the job's folder; that of a folder ends in `/`. */
const replacedSchema = z.object({
  path: z.string(),
  /** The version with the bytes that the undo replaced; absent if nothing was at the path. */
  versionId: z.string().optional(),
  /** Metadata of the mode and the modification time that the file had. Absent in records of earlier releases. */
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

  /** Must be called before the path is changed. Adds a path once. Throws a system error. */
  add(replaced: Replaced): void {
    if (this.#paths.has(replaced.path)) return;
    this.#paths.add(replaced.path);
    writeSync(this.#open(), `${JSON.stringify(replaced)}\n`);
  }

  /** Overwrites the previous record, also if the undo replaces nothing below the folder that could be brought back. */
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

/** Returns what the last undo replaced; undefined if there was none. Ignores a last line that is incomplete. */
export function readLastUndo(stateDir: string): readonly Replaced[] | undefined {
  try {
    const lines = readFileSync(join(stateDir, FILE), 'utf8').split('\n').slice(0, -1);
    return lines.map((line) => replacedSchema.parse(JSON.parse(line)));
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}
