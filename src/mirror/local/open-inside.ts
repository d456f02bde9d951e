/** Opens a file below a root. Fails if another program replaced a parent folder by a symbolic link that leads elsewhere. */

import { closeSync, fstatSync, lstatSync, readlinkSync, realpathSync } from 'node:fs';
import { basename, join } from 'node:path';

import { errorCode } from '../../base/errors.ts';
import { openFile } from './file-content.ts';
import { DESCRIPTORS, hasDescriptors } from './held-folder.ts';
import { parentOf } from '../model/local-path.ts';

/**
 * Opens a file for reading and returns its descriptor. Throws a system error: ELOOP if the path is or contains
 * a symbolic link.
 */
export function openInside(root: string, path: string): number {
  const descriptor = openFile(`${root}/${path}`);
  if (isAtPath(descriptor, root, path)) return descriptor;
  closeSync(descriptor);
  const message = `cannot open ${path}: it is not in its folder any more`;
  throw Object.assign(new Error(message), { code: 'ELOOP' });
}

function isAtPath(descriptor: number, root: string, path: string): boolean {
  if (hasDescriptors() && readlinkSync(`${DESCRIPTORS}/${descriptor}`) === `${root}/${path}`)
    return true;
  try {
    // The root may be reached through a symbolic link, and names may differ in case.
    const parent = join(realpathSync(root), parentOf(path));
    if (realpathSync(parent) !== parent) return false;
    const opened = fstatSync(descriptor, { bigint: true });
    const seen = lstatSync(join(parent, basename(path)), { bigint: true });
    return seen.ino === opened.ino && seen.dev === opened.dev;
  } catch (error) {
    if (errorCode(error) === undefined) throw error;
    return false;
  }
}
