/**
 * Runs the commands that maintain the store: quarantine, position of the scrub, trusted time, and repair of the tables.
 */

import { mkdirSync } from 'node:fs';
import { join } from 'node:path';

import type { CommandContext } from './commands.ts';
import type { BlobTarget, PutQuarantine, RepairTables } from './maintenance-requests.ts';
import { FOLDER_MODE, writeFileDurably } from '../../disk/layout.ts';
import type { WriteTables } from '../tables/write-tables.ts';
import type { EqualVersions, VersionPlace } from '../../integrity/damaged-versions.ts';
import type { Repaired } from '../../integrity/repair-metadata.ts';
import type { ScrubState } from '../../schema/rows.ts';
import type { RememberedTime } from '../../clock/trusted-time.ts';

export function quarantine(
  tables: WriteTables,
  { reason, versions, ...blob }: PutQuarantine,
  { now }: CommandContext,
): void {
  tables.upkeep.quarantine(blob, reason, { at: now, versions });
  tables.blobs.noteDamage(blob.blobId);
}

export function endQuarantine(tables: WriteTables, { blobId }: BlobTarget): void {
  tables.upkeep.endQuarantine(blobId);
}

/**
 * Heals a damaged version with the bytes of an equal version. Only the reference to the bytes changes, so clients
 * notice no difference. Does nothing if one of the versions no longer exists.
 */
export function healVersion(
  { versions, blobs }: WriteTables,
  { damaged: place, equal: source }: EqualVersions,
): void {
  const at = ({ bucketId, key, sequence }: VersionPlace) =>
    versions.find.bySequence(bucketId, key, sequence);
  const [damaged, equal] = [at(place), at(source)];
  if (!damaged || !equal) return;
  blobs.share(equal);
  versions.setContent(place, equal);
  blobs.release(damaged);
}

export function saveScrub(tables: WriteTables, state: ScrubState): void {
  tables.upkeep.saveScrub(state);
}

/**
 * Stores the trusted time. This command runs regularly even if nothing else is written. So dates that an untrusted
 * clock has set are corrected, as before every command.
 */
export function saveTrustedTime(tables: WriteTables, time: RememberedTime): void {
  tables.upkeep.saveTrustedTime(time);
}

export function repairTables(
  tables: WriteTables,
  { trashFolder }: RepairTables,
): readonly Repaired[] {
  const done = tables.upkeep.repair((blobId, bytes) => {
    mkdirSync(trashFolder, { recursive: true, mode: FOLDER_MODE });
    writeFileDurably(join(trashFolder, `blob-${blobId}`), bytes);
  });
  tables.sequence.reload();
  return done;
}
