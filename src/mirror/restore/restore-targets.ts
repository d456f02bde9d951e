/** Where each key of a tree is written below the target folder: never outside it, never onto another. */

import { pathOf, RESERVED_FOLDER } from '../local/attributes.ts';
import { within } from '../local/local-entry.ts';
import type { StoredObject } from './restore-listing.ts';
import type { Problem } from '../types.ts';

export interface FileTarget extends StoredObject {
  /** Relative to the target folder, of plain names only. */
  readonly path: string;
}

export interface RestoreTargets {
  /** Each after the one it is in. With the key that tells its attributes, if there is one. */
  readonly folders: ReadonlyMap<string, StoredObject | undefined>;
  /** Files and links: which of them a key is, only its metadata tells. */
  readonly files: readonly FileTarget[];
  readonly problems: readonly Problem[];
}

/** What Linux and macOS allow: NAME_MAX. */
const NAME_LIMIT_BYTES = 255;

export function placeKeys(objects: readonly StoredObject[], prefix: string): RestoreTargets {
  const problems: Problem[] = [];
  const placed: FileTarget[] = [];
  for (const object of objects) {
    const path = pathOf(object.key, prefix);
    if (path === undefined || isReserved(path)) continue;
    const reason = refusal(path);
    if (reason === undefined) placed.push({ ...object, path });
    else problems.push({ path, code: 'refused', message: `restore ${object.key}: ${reason}` });
  }
  const folders = foldersOf(placed);
  const files = besideFolders(placed.filter(isFile), folders, problems);
  return { folders, files, problems };
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

function isReserved(path: string): boolean {
  return path === RESERVED_FOLDER || path.startsWith(`${RESERVED_FOLDER}/`);
}

function isFile(target: FileTarget): boolean {
  return !target.key.endsWith('/');
}

function foldersOf(targets: readonly FileTarget[]): Map<string, StoredObject | undefined> {
  const folders = new Map<string, StoredObject | undefined>();
  for (const target of targets) {
    const names = target.path.split('/');
    const last = isFile(target) ? names.pop() : undefined;
    let folder = '';
    for (const name of names) {
      folder = within(folder, name);
      if (!folders.has(folder)) folders.set(folder, undefined);
    }
    if (last === undefined) folders.set(target.path, target);
  }
  return folders;
}

/** A bucket can hold `a` and `a/b`, a file system cannot: the former is written as `a.file`. */
function besideFolders(
  files: readonly FileTarget[],
  folders: ReadonlyMap<string, unknown>,
  problems: Problem[],
): readonly FileTarget[] {
  const taken = new Set(files.map(({ path }) => path));
  return files.map((file) => {
    if (!folders.has(file.path)) return file;
    let path = `${file.path}.file`;
    while (folders.has(path) || taken.has(path)) path += '.file';
    taken.add(path);
    const message = `restore ${file.path}: written as ${path}, since it is a folder too`;
    problems.push({ path: file.path, code: 'name-collision', message });
    return { ...file, path };
  });
}
