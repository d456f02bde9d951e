/** Separates the metadata that Holdfast needs for its own work from the metadata that interests a user. */

const PREFIX = 'holdfast-';
/** Metadata in which Holdfast stores properties of the file: its type, mode and owner. */
const OF_THE_FILE = new Set(['type', 'mode', 'uid', 'gid'].map((name) => PREFIX + name));

/** Returns whether Holdfast alone uses this metadata, such as digests, identifiers and upload times. */
export function isBookkeeping(name: string): boolean {
  return name.startsWith(PREFIX) && !OF_THE_FILE.has(name);
}
