/**
 * Describes the contents of a folder as a record, so that a test can compare a restored folder with
 * `toEqual`.
 */

import { lstatSync, readFileSync, readdirSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';

import { sha256 } from './tree.ts';

/**
 * Returns the type, permission bits, modification time in nanoseconds and content of each path.
 * Folders have no modification time in the result, because a restore does not guarantee it.
 */
export function picture(root: string): Record<string, string> {
  const names = readdirSync(root, { recursive: true, encoding: 'utf8' }).sort();
  return Object.fromEntries(names.map((name) => [name, describeEntry(join(root, name))]));
}

/** Returns the inode, ctime and mtime of the root and each path below it. Every write to an entry changes its ctime. */
export function states(root: string): Record<string, readonly bigint[]> {
  const names = ['', ...readdirSync(root, { recursive: true, encoding: 'utf8' })].sort();
  return Object.fromEntries(
    names.map((name) => {
      const { ino, ctimeNs, mtimeNs } = lstatSync(join(root, name), { bigint: true });
      return [name, [ino, ctimeNs, mtimeNs]];
    }),
  );
}

function describeEntry(path: string): string {
  const { mode, mtimeNs } = lstatSync(path, { bigint: true });
  const bits = (mode & 0o7777n).toString(8);
  const entry = lstatSync(path);
  if (entry.isDirectory()) return `folder ${bits}`;
  if (entry.isSymbolicLink()) return `link ${mtimeNs} ${readlinkSync(path)}`;
  return `file ${bits} ${mtimeNs} ${sha256(readFileSync(path))}`;
}
