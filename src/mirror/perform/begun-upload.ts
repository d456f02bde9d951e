/** An upload in parts that a stop broke off: gone on with, or dropped where it is of no use any more. */

import { isStorageError } from '../../object-store/storage-error.ts';
import { unchanged } from '../local/file-body.ts';
import { sameAttributes } from '../plan/compare.ts';
import { LONGEST_UPLOAD_MS } from '../restore/restore-listing.ts';
import type { BegunUpload } from '../state/uploads-table.ts';
import type { Place } from '../target.ts';
import type { FileState, PerformContext } from './step.ts';

/**
 * The one for this file, of whose parts each was read from the very state that it is in now. Its metadata were given
 * when it was begun, so they must be those of today.
 */
export function uploadToGoOnWith(
  key: string,
  { entry, sha256 }: Pick<FileState, 'entry' | 'sha256'>,
  { state, clock }: Pick<PerformContext, 'state' | 'clock'>,
): BegunUpload | undefined {
  const begun = state.uploads.get(key);
  if (!begun || !isFresh(begun.begunAt, clock.now())) return undefined;
  // Of an earlier release: without a proof, the job would not recognise the version.
  if (begun.uploadedAt === undefined) return undefined;
  const isSame = begun.sha256 === sha256 && unchanged(begun.entry, entry);
  return isSame && sameAttributes(begun.entry, entry) ? begun : undefined;
}

export function isFresh(begunAt: number, now: number): boolean {
  return now - begunAt < LONGEST_UPLOAD_MS;
}

/** Of a file that is another one now. */
export async function dropBegunUpload(
  key: string,
  { place, state, signal }: Pick<PerformContext, 'place' | 'state' | 'signal'>,
): Promise<void> {
  const begun = state.uploads.get(key);
  if (!begun) return;
  await dropUpload(place, begun, signal);
  state.uploads.end(key);
}

export async function dropUpload(
  { store, bucket, prefix }: Place,
  { key, uploadId }: { readonly key: string; readonly uploadId: string },
  signal: AbortSignal,
): Promise<void> {
  try {
    await store.abortUpload({ bucket, key: prefix + key, uploadId }, { signal });
  } catch (error) {
    if (!isStorageError(error, 'NoSuchUpload')) throw error;
  }
}
