/** Heals damaged versions with the bytes of equal versions, after reading and verifying these bytes. */

import type { Database } from 'better-sqlite3';

import type { RunCommand } from '../writes/writer.ts';
import type { VersionPlace } from '../integrity/damaged-versions.ts';
import { askEqualVersions } from './upkeep-thread.ts';

interface HealOptions {
  readonly metadata: string;
  readonly database: Database;
  readonly run: RunCommand;
  /** Reads the blob and returns a description of its damage; undefined if it is intact. */
  readonly inspect: (blobId: number) => Promise<string | undefined>;
}

interface Piece {
  readonly blobId: number;
  readonly sizeBytes: number;
  /** The total size of the version. */
  readonly totalBytes: number;
}

/**
 * Replaces the bytes of each damaged version for which an intact version with the same bytes exists. Returns the number
 * of healed versions.
 */
export async function healFromEqual(options: HealOptions): Promise<number> {
  const { metadata, database, run, inspect } = options;
  const piecesOf = database.prepare<[VersionPlace], Piece>(
    `SELECT blob.blob_id AS blobId, blob.size_bytes AS sizeBytes, version.size_bytes AS totalBytes
     FROM version LEFT JOIN manifest_part AS part USING (manifest_id)
       JOIN blob ON blob.blob_id = coalesce(version.blob_id, part.blob_id)
     WHERE bucket_id = @bucketId AND key = @key AND sequence = @sequence`,
  );
  const damages = new Map<number, string | undefined>();
  const isWhole = async (place: VersionPlace) => {
    const pieces = piecesOf.all(place);
    for (const { blobId } of pieces) {
      if (!damages.has(blobId)) damages.set(blobId, await inspect(blobId));
      if (damages.get(blobId) !== undefined) return false;
    }
    const sizeBytes = pieces.reduce((sum, piece) => sum + piece.sizeBytes, 0);
    return pieces.length > 0 && sizeBytes === pieces[0]?.totalBytes;
  };
  let healed = 0;
  for (const pair of await askEqualVersions(metadata)) {
    if (!(await isWhole(pair.equal))) continue;
    await run('healVersion', pair);
    healed += 1;
  }
  return healed;
}
