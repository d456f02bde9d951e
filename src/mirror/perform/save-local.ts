/** The bytes of a file that is to give way, made safe in the bucket: as a version that is there, or as a copy of their own. */

import { randomUUID } from 'node:crypto';

import { defined } from '../../base/defined.ts';
import type { LockRequest } from '../../object-store/object-store.ts';
import { isStorageError } from '../../object-store/storage-error.ts';
import { md5Of } from '../provenance/provenance.ts';
import { objectAttributes } from '../local/attributes.ts';
import type { GaveWay } from '../state/conflict-table.ts';
import type { JournalRow } from '../state/journal-table.ts';
import { readHead, readVersion } from '../target.ts';
import { storeExtras } from './perform-extras.ts';
import { conflictWindow } from './perform-foreign.ts';
import type { PerformContext, ReadFile } from './step.ts';
import { upload } from './upload.ts';

/** Where the bytes are already, if the service shows them there. */
export async function alreadySafe(
  key: string,
  { sha256, entry }: ReadFile,
  { place, state, policy, signal }: PerformContext,
): Promise<GaveWay | undefined> {
  const known = state.baseline.get(key);
  if (policy().bucket === 'unversioned' || known?.versionId === undefined) return undefined;
  if (known.sha256 !== sha256) return undefined;
  const { etag, versionId } = known;
  const found = await readVersion(place, { key, versionId }, signal);
  if (found === 'absent' || found.etag !== etag || found.sha256 !== sha256) return undefined;
  return { etag, versionId, sizeBytes: entry.sizeBytes, sha256 };
}

/** What is about to be sent. Of no baseline: it may be broken off and begun again, under the same name. */
export function saveRow(key: string, { sha256 }: ReadFile, now: number): JournalRow {
  return { id: randomUUID(), key, operation: 'put', sha256, startedAt: now };
}

/** `row.key` says where. What is there already with these bytes is as good. */
export async function saveLocal(
  row: JournalRow,
  reading: ReadFile,
  context: PerformContext,
): Promise<GaveWay> {
  const { place, state, policy, lockTime, logger, signal, conflictWindowDays } = context;
  const { entry, sha256, body, extras } = reading;
  const uploadedAt = await context.uploadTime();
  const own = { journalId: row.id, uploadedAt };
  const attributes = place.provenance.prove(objectAttributes({ ...reading, ...own }), {
    key: row.key,
    sizeBytes: body.sizeBytes,
    md5: md5Of(body),
  });
  const isLocked = policy().bucket === 'object-lock' && policy().lock !== undefined;
  const windowEnd = async () => conflictWindow(await lockTime(), conflictWindowDays);
  const lock: LockRequest | undefined = isLocked
    ? { retention: { mode: 'GOVERNANCE', retainUntil: await windowEnd() } }
    : undefined;
  await storeExtras(place, extras, { lock, signal });
  const onUploadId = (uploadId: string) => state.journal.noteUpload(row.id, uploadId);
  const saved = { sizeBytes: entry.sizeBytes, sha256, savedAs: row.key };
  try {
    const made = await upload(
      place,
      {
        key: row.key,
        content: body,
        attributes,
        guard: { ifNoneMatch: '*' },
        onUploadId,
        logger,
        ...defined({ lock }),
      },
      signal,
    );
    return { etag: made.etag, ...saved };
  } catch (error) {
    if (!isStorageError(error, 'PreconditionFailed')) throw error;
    const there = await readHead(place, row.key, signal);
    if (there === 'absent' || there.sha256 !== sha256 || there.sizeBytes !== entry.sizeBytes)
      throw error;
    return { etag: there.etag, ...saved };
  }
}
