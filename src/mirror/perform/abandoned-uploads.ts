/**
 * Multipart uploads of ours that nobody will complete: made, then lost before the journal knew their id.
 * Their parts cost space and show in no listing of objects.
 */

import type { Clock } from '../../base/clock.ts';
import { defined } from '../../base/defined.ts';
import { errorMessage } from '../../base/errors.ts';
import type { Logger } from '../../base/logger.ts';
import type { ListedUpload, UploadPage } from '../../object-store/multipart.ts';
import { isThere } from '../local/is-there.ts';
import { pathOfKey } from '../local/local-path.ts';
import { LONGEST_UPLOAD_MS } from '../restore/restore-listing.ts';
import type { StateFile } from '../state/state.ts';
import type { Place } from '../target.ts';
import { safeNow } from './safe-now.ts';

export interface AbandonedUploadsContext {
  readonly place: Place;
  readonly root: string;
  readonly state: StateFile;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** What fails here is tried again a day later: it protects no file, so it stops none. */
export async function abortAbandonedUploads(
  context: AbandonedUploadsContext,
  signal: AbortSignal,
): Promise<void> {
  const { place, logger } = context;
  const { store, bucket } = place;
  try {
    const now = await safeNow(context, signal);
    if (now === undefined) return;
    for await (const upload of listUploads(place, signal)) {
      if (!isAbandoned(upload, now, context)) continue;
      const { key, uploadId } = upload;
      await store.abortUpload({ bucket, key, uploadId }, { signal });
      logger.info({ key, uploadId }, 'abort upload: it was abandoned more than a day ago');
    }
  } catch (error) {
    signal.throwIfAborted();
    logger.warn({ bucket, error: errorMessage(error) }, 'abort abandoned uploads: failed');
  }
}

/** Of a key that this job mirrors, old, and not the one that a journal row is filling. */
function isAbandoned(
  { key: fullKey, uploadId, initiatedAt }: ListedUpload,
  now: number,
  { place, root, state }: AbandonedUploadsContext,
): boolean {
  if (now - initiatedAt < LONGEST_UPLOAD_MS) return false;
  const key = fullKey.slice(place.prefix.length);
  const isOurs = state.baseline.get(key) !== undefined || isThere(root, pathOfKey(key));
  return isOurs && !state.journal.unfinished().some((row) => row.uploadId === uploadId);
}

async function* listUploads(
  { store, bucket, prefix }: Place,
  signal: AbortSignal,
): AsyncGenerator<ListedUpload> {
  let after: UploadPage['next'];
  do {
    const page = await store.listUploads({ bucket, prefix, ...defined({ ...after }) }, { signal });
    yield* page.uploads;
    after = page.next;
  } while (after);
}
