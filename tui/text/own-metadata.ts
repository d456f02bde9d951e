/** Separates the metadata that Holdfast writes for itself from what a user wants to read. */

const PREFIX = 'holdfast-';
/** What Holdfast stores of the file itself. */
const OF_THE_FILE = new Set(['type', 'mode', 'uid', 'gid'].map((name) => PREFIX + name));

/** Whether the metadata only serves Holdfast: digests, proofs, identifiers and times of an upload. */
export function isBookkeeping(name: string): boolean {
  return name.startsWith(PREFIX) && !OF_THE_FILE.has(name);
}
