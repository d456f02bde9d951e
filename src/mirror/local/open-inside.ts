/** A file of a folder, opened where it is: a folder on the way that somebody swapped for a link leads to no other file. */

import { closeSync, fstatSync, lstatSync, readlinkSync, realpathSync } from 'node:fs';
import { basename, join } from 'node:path';

import { errorCode } from '../../base/errors.ts';
import { openFile } from './file-content.ts';
import { DESCRIPTORS, HAS_DESCRIPTORS } from './held-folder.ts';
import { parentOf } from '../model/local-path.ts';

/** Throws a system error: ELOOP where a link is on the way, or in its place. */
export function openInside(root: string, path: string): number {
  const descriptor = openFile(`${root}/${path}`);
  if (stands(descriptor, root, path)) return descriptor;
  closeSync(descriptor);
  const message = `open ${path}: it is not in its folder now`;
  throw Object.assign(new Error(message), { code: 'ELOOP' });
}

function stands(descriptor: number, root: string, path: string): boolean {
  if (HAS_DESCRIPTORS && readlinkSync(`${DESCRIPTORS}/${descriptor}`) === `${root}/${path}`)
    return true;
  try {
    // The folder of the job may be reached by a link, and names may be told in another case.
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
