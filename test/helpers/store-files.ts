/** What lies in a store's folder. */

import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/** Names of the blob files of a store, in no order. */
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
