/**
 * Generates unused names next to a file. A label in the name describes the new file: `a (from bucket 2026-11-21
 * 13.05.22).jpg`.
 */

import { extname } from 'node:path';

import { statsAt } from './path-exists.ts';
import { within } from './local-entry.ts';
import { parentOf } from '../model/local-path.ts';

/** Maximum length of a filename in bytes of UTF-8, on common file systems. */
const MAX_NAME_BYTES = 255;
/** Matches half of a surrogate pair, which shortening a name may leave at its end. */
const HALF_CHARACTER = /[\uD800-\uDBFF]$/;
const MAX_NUMBER = 1_000;

/**
 * Formats a time in UTC as `2026-11-21 13.05.22`. Uses no colons, because some file systems refuse them in filenames.
 */
export function stampOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 19).replace('T', ' ').replaceAll(':', '.');
}

/**
 * Returns the first unused name for a new file next to `path`. Paths are relative to the root. Throws an Error if all
 * candidate names are in use.
 */
export function freeSiblingName(root: string, path: string, label: string): string {
  for (const candidate of siblingNames(path, label))
    if (!statsAt(`${root}/${candidate}`)) return candidate;
  throw new Error(`cannot save a file next to ${path}: all candidate names exist`);
}

/** Yields up to 1,000 candidate names for a new file next to `path`, in order of preference. */
export function* siblingNames(path: string, label: string): Generator<string, void> {
  for (let number = 1; number <= MAX_NUMBER; number++)
    yield labelled(path, number === 1 ? label : `${label} ${number}`);
}

function labelled(path: string, label: string): string {
  const folder = parentOf(path);
  const name = folder === '' ? path : path.slice(folder.length + 1);
  const ending = extname(name);
  const rest = ` (${label})${ending}`;
  let stem = name.slice(0, name.length - ending.length);
  while (Buffer.byteLength(stem + rest) > MAX_NAME_BYTES && stem !== '')
    stem = stem.slice(0, -1).replace(HALF_CHARACTER, '');
  return within(folder, stem + rest);
}
