/**
 * Saves a local file's content before the file is replaced, either in an existing version or as a copy under another
 * key.
 */

import { randomUUID } from 'node:crypto';

import { defined } from '../../base/defined.ts';
import type { LockRequest } from '../../object-store/object-store.ts';
import { isStorageError } from '../../object-store/storage-error.ts';
import { md5Of } from '../objects/provenance.ts';
import { objectAttributes } from '../objects/object-metadata.ts';
import type { ReplacedContent } from '../model/conflict.ts';
import type { JournalRow } from '../state/journal-table.ts';
import { readHead, readVersion } from '../objects/destination.ts';
import { dropBegunUpload, uploadToResume } from './resumable-upload.ts';
import { storeExtras } from './upload-extras.ts';
import { conflictWindow } from './retain-foreign.ts';
import type { PerformContext } from './step-types.ts';
import type { ReadFile } from '../local/read-file.ts';
import { isInParts, uploadInParts } from './upload-parts.ts';

/** Returns the existing version with the file's content, if the service confirms that content. */
export async function findSavedContent(
  key: string,
  { sha256, entry }: ReadFile,
  { destination, state, policy, signal }: PerformContext,
): Promise<ReplacedContent | undefined> {
  const known = state.baseline.get(key);
  if (policy().bucket === 'unversioned' || known?.versionId === undefined) return undefined;
  if (known.sha256 !== sha256) return undefined;
  const { etag, versionId } = known;
  const found = await readVersion(destination, { key, versionId }, signal);
  if (found === 'absent' || found.etag !== etag || found.sha256 !== sha256) return undefined;
  return { etag, versionId, sizeBytes: entry.sizeBytes, sha256 };
}

/**
 * Returns the upload's journal row. The row has no baseline entry, so that the upload can be interrupted and started
 * again under the same key.
 */
export function saveRow(key: string, { sha256 }: ReadFile, now: number): JournalRow {
  return { id: randomUUID(), key, operation: 'put', sha256, startedAt: now };
}

/** Uploads the file to `row.key`. Succeeds if an object with this content already exists under that key. */
export async function saveLocal(
  row: JournalRow,
  reading: ReadFile,
  context: PerformContext,
): Promise<ReplacedContent> {
  const { destination, signal } = context;
  const { entry, sha256, body: content, extras } = reading;
  const { key } = row;
  const resumes = uploadToResume(key, reading, context);
  const journalId = resumes?.journalId ?? row.id;
  const uploadedAt = resumes?.uploadedAt ?? (await context.uploadTime());
  const attributes = destination.provenance.prove(
    objectAttributes({ ...reading, journalId, uploadedAt }),
    { key, sizeBytes: content.sizeBytes, md5: md5Of(content) },
  );
  const lock = await windowLock(context);
  await storeExtras(destination, extras, { lock, signal });
  if (!resumes) await dropBegunUpload(key, context);
  const saved = { sizeBytes: entry.sizeBytes, sha256, savedAs: key };
  const { bucket, prefix } = destination;
  const conditions = { ifNoneMatch: '*' } as const;
  const request = { bucket, key: prefix + key, conditions, attributes, ...defined({ lock }) };
  const begunAt = row.startedAt;
  destination.checkFreeSpace?.(content.sizeBytes);
  try {
    const made = isInParts(content, destination)
      ? await uploadInParts(
          request,
          { key, journalId, uploadedAt, begunAt, entry, content, resumes },
          context,
        )
      : await context.putObject({ ...request, body: content });
    return { etag: made.etag, ...saved };
  } catch (error) {
    if (!isStorageError(error, 'PreconditionFailed')) throw error;
    const there = await readHead(destination, key, signal);
    if (there === 'absent' || there.sha256 !== sha256 || there.sizeBytes !== entry.sizeBytes)
      throw error;
    return { etag: there.etag, ...saved };
  }
}

async function windowLock({
  policy,
  lockTime,
  conflictWindowDays,
}: PerformContext): Promise<LockRequest | undefined> {
  if (policy().bucket !== 'object-lock' || policy().lock === undefined) return undefined;
  const retainUntil = conflictWindow(await lockTime(), conflictWindowDays);
  return { retention: { mode: 'GOVERNANCE', retainUntil } };
}
