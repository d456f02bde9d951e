/** A multipart upload that was interrupted: whether its file may resume it, and how it is aborted. */

import { DAY_MS } from '../../base/durations.ts';
import type { UploadLog } from '../../object-store/copy-whole.ts';

import { unchanged, sameAttributes } from '../model/compare.ts';
import { LONGEST_UPLOAD_MS } from '../objects/version-listing.ts';
import type { JournalRow } from '../state/journal-table.ts';
import type { BegunUpload, KnownUpload } from '../state/uploads-table.ts';
import { dropUpload } from '../objects/destination.ts';
import { failureKind } from '../model/failure-kind.ts';
import type { FileState, PerformContext } from './step.ts';

/**
 * The upload of this key whose parts were read from the file in the very state that it has now. Its metadata were given
 * when it was created, so the attributes must be those of today as well.
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

/** An upload without progress for so long is not resumed. */
export const STALLED_MS = DAY_MS;

/**
 * Whether it made progress within a day: what is slow is not abandoned. One that was begun long ago is: services date a
 * version by the beginning of its upload, and what a bucket contained since then would not be known.
 */
export function isFresh(
  { begunAt, progressAt }: Pick<KnownUpload, 'begunAt' | 'progressAt'>,
  now: number,
): boolean {
  return now - progressAt < STALLED_MS && now - begunAt < LONGEST_UPLOAD_MS;
}

/** For the upload of a copy in parts, which is not resumed: the next full round aborts what a crash leaves of it. */
export function copyLog(
  { id: journalId, key, startedAt: begunAt }: JournalRow,
  { state: { uploads } }: Pick<PerformContext, 'state'>,
): UploadLog {
  return {
    begin: () => uploads.begin({ key, journalId, begunAt }),
    created: (uploadId) => uploads.created(journalId, uploadId, { isResumable: false }),
    ended: () => uploads.end(journalId),
  };
}

/** Aborts the upload of a key whose file is in another state now. One that the service refuses to abort is tried again later. */
export async function dropBegunUpload(
  key: string,
  { place, state, signal }: Pick<PerformContext, 'place' | 'state' | 'signal'>,
): Promise<void> {
  const begun = state.uploads.get(key);
  if (!begun) return;
  try {
    await dropUpload(place, begun, signal);
    state.uploads.end(begun.journalId);
  } catch (error) {
    if (failureKind(error) !== 'refused') throw error;
    state.uploads.giveUp(begun.journalId);
  }
}
