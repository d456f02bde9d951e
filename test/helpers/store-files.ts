/** Reads the files in the folder of an embedded store. */

import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** Returns the file names of all blobs in a store, unsorted. */
export function blobFiles(dir: string): readonly string[] {
  const entries = readdirSync(join(dir, 'blobs'), { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => entry.name);
}

export function blobPath(dir: string, file: string): string {
  return join(dir, 'blobs', file.slice(0, 2), file);
}

export function temporaryFiles(dir: string): readonly string[] {
  return existsSync(join(dir, 'tmp')) ? readdirSync(join(dir, 'tmp')) : [];
}

/** Returns the contents of all files in a folder and its subfolders. */
export function contentsBelow(dir: string): Buffer[] {
  return readdirSync(dir, { recursive: true, encoding: 'utf8' })
    .map((name) => join(dir, name))
    .filter((path) => statSync(path).isFile())
    .map((path) => readFileSync(path));
}
