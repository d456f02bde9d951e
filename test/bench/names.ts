/** Defines names that several processes of the benchmark use. */

export const BUCKET = 'bench';
/** The name of the job and of its bucket. */
export const MIRRORED = 'bench-mirrored';

/** The number of folders that contain the keys, whatever the number of keys. */
export const FOLDERS = 1000;

/**
 * Returns the key with this number. Consecutive keys are in different folders, so that inserts are spread over the
 * whole index.
 */
export function keyOf(index: number): string {
  const folder = String(index % FOLDERS).padStart(3, '0');
  return `folder-${folder}/key-${String(index).padStart(8, '0')}`;
}
