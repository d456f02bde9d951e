/** The names that the bench's processes agree on. */

export const BUCKET = 'bench';
/** A job and its bucket. */
export const MIRRORED = 'bench-mirrored';

/** However many keys there are, they lie in so many folders. */
export const FOLDERS = 1000;

/** The key of a number; neighbours lie in different folders, so that no load is one append. */
export function keyOf(index: number): string {
  const folder = String(index % FOLDERS).padStart(3, '0');
  return `folder-${folder}/key-${String(index).padStart(8, '0')}`;
}
