/** Decides whether a file can resume an interrupted multipart upload, and aborts uploads that cannot be resumed. */

import { DAY_MS } from '../../base/durations.ts';
import type { UploadLog } from '../../object-store/copy-whole.ts';

import { unchanged, sameAttributes } from '../model/compare.ts';
import { LONGEST_UPLOAD_MS } from '../objects/version-listing.ts';
import type { JournalRow } from '../state/journal-table.ts';
import type { BegunUpload, KnownUpload } from '../state/uploads-table.ts';
import { dropUpload } from '../objects/destination.ts';
import { failureKind } from '../model/failure-kind.ts';
import type { FileState, PerformContext } from './step-types.ts';

/**
 * Returns a key's interrupted upload if the file has not changed since the upload began. The attributes must be
 * unchanged too, because they were sent as metadata when the upload was created.
 */
export function uploadToResume(
  key: string,
  { entry, sha256 }: Pick<FileState, 'entry' | 'sha256'>,
  { state, clock }: Pick<PerformContext, 'state' | 'clock'>,
): BegunUpload | undefined {
  const begun = state.uploads.get(key);
  if (!begun || !isFresh(begun, clock.now())) return undefined;
  const isSame = begun.sha256 === sha256 && unchanged(begun.entry, entry);
  return isSame && sameAttributes(begun.entry, entry) ? begun : undefined;
}

/** Time without progress in milliseconds after which an upload is no longer resumed. */
export const STALLED_MS = DAY_MS;

/**
 * Returns whether an upload is not too old and has made progress within a day. Services date a version by the start of
 * its upload, so resuming an old upload would add a version with a date in the past.
 */
export function isFresh(
  { begunAt, progressAt }: Pick<KnownUpload, 'begunAt' | 'progressAt'>,
  now: number,
): boolean {
  return now - progressAt < STALLED_MS && now - begunAt < LONGEST_UPLOAD_MS;
}

/**
 * Returns the log that records the multipart upload of a server-side copy. Such an upload is never resumed: after a
 * crash, the next full round aborts it.
 */
export function copyLog(
  { id: journalId, key, startedAt: begunAt }: Pick<JournalRow, 'id' | 'key' | 'startedAt'>,
  { state: { uploads } }: Pick<PerformContext, 'state'>,
): UploadLog {
  return {
    begin: () => uploads.begin({ key, journalId, begunAt }),
    created: (uploadId) => uploads.created(journalId, uploadId, { isResumable: false }),
    ended: () => uploads.end(journalId),
  };
}

/** Aborts a key's upload after its file has changed. If the service refuses, the abort is retried later. */
export async function dropBegunUpload(
  key: string,
  { destination, state, signal }: Pick<PerformContext, 'destination' | 'state' | 'signal'>,
): Promise<void> {
  const begun = state.uploads.get(key);
  if (!begun) return;
  try {
    await dropUpload(destination, begun, signal);
    state.uploads.end(begun.journalId);
  } catch (error) {
    if (failureKind(error) !== 'refused') throw error;
    state.uploads.giveUp(begun.journalId);
  }
}
