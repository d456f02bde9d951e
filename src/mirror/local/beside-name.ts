/** A free name beside a file's own, which says what it is: `a (from bucket 2026-11-21 13.05.22).jpg`. */

import { extname } from 'node:path';

import { statsAt } from './is-there.ts';
import { within } from './local-entry.ts';
import { parentOf } from '../model/local-path.ts';

/** What file systems take, in UTF-8. */
const MAX_NAME_BYTES = 255;
/** What is left of one above U+FFFF when its end is cut off. */
const HALF_CHARACTER = /[\uD800-\uDBFF]$/;
const MAX_NUMBER = 1_000;

/** `2026-11-21 13.05.22`, in UTC; no colons, which some file systems refuse. */
export function stampOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 19).replace('T', ' ').replaceAll(':', '.');
}

/** The first of such names that nothing has. Paths are relative to the root. */
export function besideName(root: string, path: string, label: string): string {
  for (const candidate of besideNames(path, label))
    if (!statsAt(`${root}/${candidate}`)) return candidate;
  throw new Error(`name a file beside ${path}: no name is free`);
}

/** As many as anybody will ever need. */
export function* besideNames(path: string, label: string): Generator<string, void> {
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
