/**
 * Maps each key in a tree to a path below the target folder. No path is outside the folder, and no two keys share a
 * path.
 */

import { markerKey } from '../mirror/objects/ownership-marker.ts';
import { parentOf } from '../mirror/model/local-path.ts';
import type { Problem } from '../mirror/model/types.ts';
import type { Selection, StoredObject, UndatedKey } from '../mirror/objects/version-listing.ts';
import { RestoreTable } from './restore-table.ts';
import { isReserved } from '../mirror/objects/own-objects.ts';

/** Maximum length of a filename in bytes (NAME_MAX on Linux and macOS). */
const NAME_LIMIT_BYTES = 255;

export type TreeObjects =
  | AsyncIterable<StoredObject | UndatedKey>
  | Iterable<StoredObject | UndatedKey>;

/** Creates a table with the path for each object. The caller must close the table. */
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
      for (const path of table.collisions()) renameCollision(path, table, onProblem);
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
    onProblem({ path, code: 'refused', message: `cannot restore ${key}: ${reason}` });
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
  'it is unknown which version existed at that time: the service may have changed the date of a newer version, whose recorded upload time is ' +
  'missing or not proven';

/** Returns the key of the object that contains the restored folder's attributes. */
function rootKeyOf({ prefix, path }: Pick<Selection, 'prefix' | 'path'>): string {
  return path === undefined ? markerKey({ prefix }) : `${prefix}${path}/`;
}

/**
 * Returns a key's path relative to the requested path; for a single file, its name. Returns undefined for a key outside
 * the requested path, and for the requested folder itself.
 */
export function relativePath(
  key: string,
  { prefix, path }: Pick<Selection, 'prefix' | 'path'>,
): string | undefined {
  if (path !== undefined && key === prefix + path) return path.slice(path.lastIndexOf('/') + 1);
  const base = path === undefined ? prefix : `${prefix}${path}/`;
  if (!key.startsWith(base) || key === base) return undefined;
  return key.endsWith('/') ? key.slice(base.length, -1) : key.slice(base.length);
}

/**
 * Returns the reason why a path cannot be written; undefined if it can. Refuses names with a special meaning to a file
 * system.
 */
function refusal(path: string): string | undefined {
  const names = path.split('/');
  if (names.includes('')) return 'a name in its path is empty';
  if (names.includes('.') || names.includes('..')) return 'its path contains . or ..';
  if (path.includes('\0')) return 'its path contains a NUL character';
  if (names.some((name) => Buffer.byteLength(name) > NAME_LIMIT_BYTES))
    return `a name in its path has more than ${NAME_LIMIT_BYTES} bytes`;
  return undefined;
}

/** Adds a folder and its missing parents to the table. If the folder is already in the table, its parents are too. */
function addFolders(path: string, table: RestoreTable): void {
  const missing: string[] = [];
  for (let folder = path; folder !== '' && !table.hasFolder(folder); folder = parentOf(folder))
    missing.push(folder);
  for (const folder of missing.reverse()) table.addFolder(folder);
}

/**
 * Renames a file whose path is also a folder. A bucket can contain both `a` and `a/b`, but a file system cannot. In
 * this case, `a` is restored as `a.file`.
 */
function renameCollision(
  path: string,
  table: RestoreTable,
  onProblem: (problem: Problem) => void,
): void {
  let newPath = `${path}.file`;
  while (table.has(newPath)) newPath += '.file';
  table.rename(path, newPath);
  const message = `${path} is restored as ${newPath}, because a folder has the same name`;
  onProblem({ path, code: 'name-collision', message });
}
