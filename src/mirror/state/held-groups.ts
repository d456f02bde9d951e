/**
 * Groups the held changes by the folders below their common folder, so that a user can review thousands of them without
 * reading each path.
 */

import type Database from 'better-sqlite3';

/** The held changes below a folder, or only those directly in it. */
export interface HeldFolder {
  /** Path of the folder: empty, or with a trailing `/`. */
  readonly folder: string;
  /** Whether the changes in subfolders are excluded. They are in groups of their own. */
  readonly isDirect: boolean;
}

export interface HeldGroup extends HeldFolder {
  readonly deletes: number;
  readonly overwrites: number;
  readonly renames: number;
  /** Total size of the files. */
  readonly bytes: number;
}

/** With more groups than this, all held changes are one group, because so many groups help no user. */
export const MOST_GROUPS = 1_000;

/**
 * Joins the held changes `c` with the baseline, which stores folder and name separately. `rtrim` removes the name from
 * a key, because SQLite has no function that finds the last `/`.
 */
export const WITH_BASELINE = `
  LEFT JOIN baseline AS b
    ON b.folder = rtrim(c.key, replace(c.key, '/', ''))
    AND b.name = substr(c.key, 1 + length(rtrim(c.key, replace(c.key, '/', ''))))`;

/** The size of the object that the change removes or replaces. A renamed file has no object, so its own size counts. */
export const HELD_BYTES = `coalesce(b.size_bytes, c.entry ->> 'sizeBytes', 0)`;

/** Selects the changes of a group. */
export const IN_FOLDER = `
  c.key >= @folder AND substr(c.key, 1, length(@folder)) = @folder
    AND (@isDirect = 0 OR instr(substr(c.key, length(@folder) + 1), '/') = 0)`;

const GROUPS = `
  WITH held AS (
    SELECT c.key, c.change, ${HELD_BYTES} AS bytes, instr(substr(c.key, length(@folder) + 1), '/') AS slash
      FROM held_changes AS c ${WITH_BASELINE} WHERE c.state = 'held')
  SELECT substr(key, 1, length(@folder) + slash) AS folder, slash = 0 AS isDirect, total(change = 'delete') AS deletes,
      total(change = 'overwrite') AS overwrites, total(change = 'rename') AS renames, total(bytes) AS bytes
    FROM held GROUP BY folder ORDER BY folder`;

type GroupRow = Omit<HeldGroup, 'isDirect'> & { readonly isDirect: number };

function groupOf(row: GroupRow): HeldGroup {
  return { ...row, isDirect: row.isDirect === 1 };
}

/** Returns the groups in byte order of their folders; an empty list if no change is held. */
export function heldGroups(db: Database.Database): readonly HeldGroup[] {
  const ends = db
    .prepare<[], { first: string | null; last: string | null }>(
      `SELECT min(key) AS first, max(key) AS last FROM held_changes WHERE state = 'held'`,
    )
    .get();
  const folder = commonFolder(ends?.first ?? '', ends?.last ?? '');
  const groups = db.prepare<[{ folder: string }], GroupRow>(GROUPS).all({ folder }).map(groupOf);
  return groups.length > MOST_GROUPS ? [sumOf(groups, folder)] : groups;
}

/** Returns the deepest folder that contains both paths. All paths between them in byte order are also in it. */
function commonFolder(first: string, last: string): string {
  let length = 0;
  while (length < first.length && first[length] === last[length]) length += 1;
  return first.slice(0, first.lastIndexOf('/', length - 1) + 1);
}

function sumOf(groups: readonly HeldGroup[], folder: string): HeldGroup {
  const sum = { folder, isDirect: false, deletes: 0, overwrites: 0, renames: 0, bytes: 0 };
  for (const { deletes, overwrites, renames, bytes } of groups) {
    sum.deletes += deletes;
    sum.overwrites += overwrites;
    sum.renames += renames;
    sum.bytes += bytes;
  }
  return sum;
}
