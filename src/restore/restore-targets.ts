/** Where each key of a tree is written below the target folder: never outside it, never onto another. */

import { markerKey } from '../mirror/objects/ownership-marker.ts';
import { parentOf } from '../mirror/model/local-path.ts';
import type { Problem } from '../mirror/model/types.ts';
import type { Selection, StoredObject, UndatedKey } from '../mirror/objects/version-listing.ts';
import { RestoreTable } from './restore-table.ts';
import { isReserved } from '../mirror/objects/own-objects.ts';

/** What Linux and macOS allow: NAME_MAX. */
const NAME_LIMIT_BYTES = 255;

export type TreeObjects =
  | AsyncIterable<StoredObject | UndatedKey>
  | Iterable<StoredObject | UndatedKey>;

/** The caller closes the table. */
export async function placeKeys(
  objects: TreeObjects,
  selection: Pick<Selection, 'prefix' | 'path'>,
  onProblem: (problem: Problem) => void,
): Promise<RestoreTable> {
  const table = new RestoreTable();
  try {
    await table.fill(async () => {
      for await (const object of objects)
        if ('isUndated' in object) onProblem(undatedProblem(object, selection));
        else placeKey(object, selection, { table, onProblem });
      for (const path of table.collisions()) putBeside(path, table, onProblem);
    });
    return table;
  } catch (error) {
    table.close();
    throw error;
  }
}

interface Placing {
  readonly table: RestoreTable;
  readonly onProblem: (problem: Problem) => void;
}

function placeKey(
  object: StoredObject,
  selection: Pick<Selection, 'prefix' | 'path'>,
  { table, onProblem }: Placing,
): void {
  const { key } = object;
  const path = relativePath(key, selection);
  if (key === rootKeyOf(selection)) table.root = object;
  if (path === undefined || isReserved(key.slice(selection.prefix.length))) return;
  const reason = refusal(path);
  if (reason !== undefined) {
    onProblem({ path, code: 'refused', message: `restore ${key}: ${reason}` });
    return;
  }
  addFolders(key.endsWith('/') ? path : parentOf(path), table);
  if (key.endsWith('/')) table.addFolder(path, object);
  else table.addFile({ ...object, path });
}

function undatedProblem(
  { key }: UndatedKey,
  selection: Pick<Selection, 'prefix' | 'path'>,
): Problem {
  const path = relativePath(key, selection) ?? key.slice(selection.prefix.length);
  return { path, code: 'undated', message: UNDATED };
}

const UNDATED =
  'it is not known which version existed then: the service may have changed the date of a newer one, whose own time is ' +
  'missing or not proven';

/** Of the object that has the attributes of the folder that is restored. */
function rootKeyOf({ prefix, path }: Pick<Selection, 'prefix' | 'path'>): string {
  return path === undefined ? markerKey({ prefix }) : `${prefix}${path}/`;
}

/** Below what was asked for; of one file its name. Undefined for all that is outside of it, and for itself as a folder. */
export function relativePath(
  key: string,
  { prefix, path }: Pick<Selection, 'prefix' | 'path'>,
): string | undefined {
  if (path !== undefined && key === prefix + path) return path.slice(path.lastIndexOf('/') + 1);
  const base = path === undefined ? prefix : `${prefix}${path}/`;
  if (!key.startsWith(base) || key === base) return undefined;
  return key.endsWith('/') ? key.slice(base.length, -1) : key.slice(base.length);
}

/** Why a path cannot be written, if so: it must be of names that mean nothing to a file system. */
function refusal(path: string): string | undefined {
  const names = path.split('/');
  if (names.includes('')) return 'a name in its path is empty';
  if (names.includes('.') || names.includes('..')) return 'its path holds . or ..';
  if (path.includes('\0')) return 'its path holds a NUL';
  if (names.some((name) => Buffer.byteLength(name) > NAME_LIMIT_BYTES))
    return `a name in its path has more than ${NAME_LIMIT_BYTES} bytes`;
  return undefined;
}

/** The folder and all that it is in: those above one that is known are known. */
function addFolders(path: string, table: RestoreTable): void {
  const missing: string[] = [];
  for (let folder = path; folder !== '' && !table.hasFolder(folder); folder = parentOf(folder))
    missing.push(folder);
  for (const folder of missing.reverse()) table.addFolder(folder);
}

/** A bucket can hold `a` and `a/b`, a file system cannot: the former is written as `a.file`. */
function putBeside(path: string, table: RestoreTable, onProblem: (problem: Problem) => void): void {
  let beside = `${path}.file`;
  while (table.has(beside)) beside += '.file';
  table.rename(path, beside);
  const message = `restore ${path}: written as ${beside}, since it is a folder too`;
  onProblem({ path, code: 'name-collision', message });
}
