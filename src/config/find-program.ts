/** The program that a configuration names, as a file that no other user can replace. */

import { accessSync, constants, realpathSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';

import { controlledByOthers } from '../base/controlled-by-others.ts';

const OTHERS_WRITE = 0o002;

export interface FoundProgram {
  /** Absolute where it is found; else as it was named: to run it fails. */
  readonly path: string;
  /** Why it is not to be run. */
  readonly refusal?: string;
}

/** In PATH, unless the name has a slash. */
export function findProgram(name: string): FoundProgram {
  const path = candidates(name).find(isProgram);
  if (path === undefined) return { path: name };
  const fs = { realpathSync, statSync };
  const refusal = controlledByOthers(path, fs) ?? writableByOthers(path);
  return { path, ...(refusal !== undefined && { refusal: `${path}: ${refusal}` }) };
}

function candidates(name: string): readonly string[] {
  if (name.includes('/')) return [resolve(name)];
  return (process.env['PATH'] ?? '').split(':').map((folder) => join(resolve(folder), name));
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
  return `any user may write it; run: chmod o-w '${path}'`;
}
