/** Unused names next to a file that say what the new file is: `a (from bucket 2026-11-21 13.05.22).jpg`. */

import { extname } from 'node:path';

import { statsAt } from './path-exists.ts';
import { within } from './local-entry.ts';
import { parentOf } from '../model/local-path.ts';

/** Maximum length of a name in UTF-8 on common file systems. */
const MAX_NAME_BYTES = 255;
/** Half of a surrogate pair that remains when a name is cut. */
const HALF_CHARACTER = /[\uD800-\uDBFF]$/;
const MAX_NUMBER = 1_000;

/** `2026-11-21 13.05.22`, in UTC; no colons, which some file systems refuse. */
export function stampOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 19).replace('T', ' ').replaceAll(':', '.');
}

/** The first unused of these names. Paths are relative to the root. Throws an Error if all are in use. */
export function freeSiblingName(root: string, path: string, label: string): string {
  for (const candidate of siblingNames(path, label))
    if (!statsAt(`${root}/${candidate}`)) return candidate;
  throw new Error(`cannot save a file next to ${path}: all candidate names exist`);
}

/** Candidate names in order of preference, at most 1,000. */
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
