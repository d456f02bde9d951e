/** Completes a local path while the user types it. */

import type { Dirent } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { basename, dirname, resolve } from 'node:path';

import { errorCode } from '../../src/base/errors.ts';
import type { Outside } from '../ui/ui.ts';
import { fullPath } from '../text/home-path.ts';

/**
 * Completes a path to a folder like a shell does, up to the longest common start of all matching folders. Returns
 * undefined if nothing can be added.
 */
export async function completedFolder(
  typed: string,
  outside: Pick<Outside, 'folder' | 'userHome'>,
): Promise<string | undefined> {
  return completed(typed, outside, foldersIn);
}

/** Completes a path to a folder or a file. */
export async function completedPath(
  typed: string,
  outside: Pick<Outside, 'folder' | 'userHome'>,
): Promise<string | undefined> {
  return completed(typed, outside, async (path) => (await entriesOf(path)).map(({ name }) => name));
}

async function completed(
  typed: string,
  { folder, userHome }: Pick<Outside, 'folder' | 'userHome'>,
  namesIn: (path: string) => Promise<string[]>,
): Promise<string | undefined> {
  const isBelow = typed === '' || typed.endsWith('/');
  const path = resolve(folder, fullPath(typed, userHome));
  const [parent, start] = isBelow ? [path, ''] : [dirname(path), basename(path)];
  const names = (await namesIn(parent)).filter(
    (name) => name.startsWith(start) && (start.startsWith('.') || !name.startsWith('.')),
  );
  const common = commonStart(names);
  const isFolder = names.length === 1 && (await foldersIn(parent)).includes(common);
  const added = (isFolder ? `${common}/` : common).slice(start.length);
  return added === '' ? undefined : typed + added;
}

async function foldersIn(path: string): Promise<string[]> {
  const entries = await entriesOf(path);
  return entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
}

/**
 * Reads the entries of a folder. Returns none if it cannot be read. The action that uses the path reports the reason.
 */
async function entriesOf(path: string): Promise<Dirent[]> {
  try {
    return await readdir(path, { withFileTypes: true });
  } catch (error) {
    if (['ENOENT', 'ENOTDIR', 'EACCES'].includes(errorCode(error) ?? '')) return [];
    throw error;
  }
}

function commonStart([first = '', ...rest]: readonly string[]): string {
  let common = first;
  for (const name of rest) {
    while (!name.startsWith(common)) common = common.slice(0, -1);
  }
  return common;
}
