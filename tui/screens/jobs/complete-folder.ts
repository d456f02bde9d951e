/** What could be meant by the beginning of a folder's path. */

import { readdir } from 'node:fs/promises';
import { basename, dirname, resolve } from 'node:path';

import { errorCode } from '../../../src/base/errors.ts';
import type { Outside } from '../../app/ui.ts';
import { fullPath } from '../../text/home-path.ts';

/** As the shell completes: as far as all folders that begin so agree; undefined when that is no further. */
export async function completedFolder(
  typed: string,
  { folder, userHome }: Pick<Outside, 'folder' | 'userHome'>,
): Promise<string | undefined> {
  const isBelow = typed === '' || typed.endsWith('/');
  const path = resolve(folder, fullPath(typed, userHome));
  const [parent, start] = isBelow ? [path, ''] : [dirname(path), basename(path)];
  const names = (await foldersIn(parent)).filter(
    (name) => name.startsWith(start) && (start.startsWith('.') || !name.startsWith('.')),
  );
  const common = commonStart(names);
  const added = (names.length === 1 ? `${common}/` : common).slice(start.length);
  return added === '' ? undefined : typed + added;
}

/** Of what cannot be read, nothing is offered: the daemon says why when the form is sent. */
async function foldersIn(path: string): Promise<string[]> {
  try {
    const entries = await readdir(path, { withFileTypes: true });
    return entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
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
