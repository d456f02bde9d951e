/** Finds the program that a configuration names, and checks that no other user can replace it. */

import { accessSync, constants, realpathSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';

import { controlledByOthers } from '../base/controlled-by-others.ts';

const OTHERS_WRITE = 0o002;

export interface FoundProgram {
  /** The absolute path. If no program was found, the name as given, so that running the program fails. */
  readonly path: string;
  /** Why the program must not be run. Absent if it may be run. */
  readonly refusal?: string;
}

/** Where a program is searched. The defaults are the working directory and PATH of this process. */
export interface ProgramPlaces {
  /** The folder that relative paths are resolved against. */
  readonly folder?: string;
  /** The value of PATH, for program names without a slash. */
  readonly path?: string | undefined;
}

export function findProgram(name: string, places: ProgramPlaces = {}): FoundProgram {
  const path = candidates(name, places).find(isProgram);
  if (path === undefined) return { path: name };
  const fs = { realpathSync, statSync };
  const refusal = controlledByOthers(path, fs) ?? writableByOthers(path);
  return { path, ...(refusal !== undefined && { refusal: `${path}: ${refusal}` }) };
}

function candidates(
  name: string,
  { folder = '', path = process.env['PATH'] ?? '' }: ProgramPlaces,
): readonly string[] {
  if (name.includes('/')) return [resolve(folder, name)];
  return path.split(':').map((each) => join(resolve(folder, each), name));
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

function writableByOthers(path: string): string | undefined {
  if ((statSync(path).mode & OTHERS_WRITE) === 0) return undefined;
  return `every user can write to it; run: chmod o-w '${path}'`;
}
