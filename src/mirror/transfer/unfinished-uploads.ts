/**
 * Aborts this job's multipart uploads that no file can resume, because their parts use storage but appear in no object
 * listing. Other clients' uploads below the prefix remain: an upload is aborted only if the job recorded it or it is
 * identified as the job's own.
 */

import { MINUTE_MS } from '../../base/durations.ts';
import { defined } from '../../base/defined.ts';
import { errorMessage } from '../../base/errors.ts';
import type { ListedUpload, UploadPage } from '../../object-store/multipart.ts';
import { isStorageError } from '../../object-store/storage-error.ts';
import { unchanged } from '../model/compare.ts';
import { isThere } from '../local/path-exists.ts';
import { toEntry } from '../local/local-entry.ts';
import type { KnownUpload } from '../state/uploads-table.ts';
import { type Destination, dropUpload } from '../objects/destination.ts';
import { isFresh, STALLED_MS } from './resumable-upload.ts';
import { safeNow } from '../objects/destination.ts';
import type { PerformContext } from './step-types.ts';

export type UnfinishedContext = Pick<
  PerformContext,
  'clock' | 'logger' | 'destination' | 'root' | 'state' | 'tracker'
>;

/**
 * Aborts the job's uploads that no file can resume. A failed abort is reported and retried in the next full round.
 * Ends early when the signal is aborted.
 */
export async function abortUselessUploads(
  context: UnfinishedContext,
  signal: AbortSignal,
): Promise<void> {
  const { state, tracker, logger } = context;
  const isIdle = ({ key, journalId, entry }: KnownUpload) =>
    !tracker.underWay(key) &&
    !(entry && tracker.underWay(entry.path)) &&
    !state.uploads.isHeld(journalId);
  for (const upload of state.uploads.all()) {
    if (!isIdle(upload) || isUseful(upload, context)) continue;
    try {
      await abortOne(upload, context, signal);
    } catch (error) {
      if (signal.aborted) return;
      const { key } = upload;
      const message = `cannot abort the unfinished upload of ${key}: ${errorMessage(error)}; the job retries`;
      logger.warn({ key, error: errorMessage(error) }, 'abort upload: failed, retrying later');
      tracker.say({ level: 'warn', action: 'abort', path: key, message });
    }
  }
}

/** Aborts all uploads of a job that is being removed. Returns the keys whose uploads may remain on the service. */
export async function abortAllUploads(
  { state, destination, guards }: Pick<PerformContext, 'guards' | 'destination' | 'state'>,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const left: string[] = [];
  for (const { key, journalId, uploadId } of state.uploads.all()) {
    try {
      if (uploadId === undefined) throw new Error('its upload id is unknown');
      await dropUpload(destination, { key, uploadId }, signal);
      state.uploads.end(journalId);
    } catch {
      left.push(key);
    }
  }
  await guards.end(signal);
  return left;
}

/** Returns whether an upload can be resumed: its file is unchanged and must still be uploaded. */
function isUseful(upload: KnownUpload, { root, state, clock }: UnfinishedContext): boolean {
  const { key, entry, isResumable } = upload;
  if (!isResumable || !entry || !isFresh(upload, clock.now())) return false;
  const known = state.baseline.get(key);
  if (known && known.sha256 === upload.sha256 && unchanged(known, entry)) return false;
  const { path, kind } = entry;
  return isThere(root, path, (stats) => unchanged(entry, toEntry(path, kind, stats)));
}

async function abortOne(
  upload: KnownUpload,
  context: UnfinishedContext,
  signal: AbortSignal,
): Promise<void> {
  const { state, destination, logger } = context;
  const { key, journalId, uploadId } = upload;
  if (uploadId === undefined) return abortUnnamed(upload, context, signal);
  await dropUpload(destination, { key, uploadId }, signal);
  state.uploads.end(journalId);
  logger.info({ key, uploadId }, 'abort upload: the upload cannot be resumed');
}

/**
 * Maximum difference between a job's clock and its service's clock, in milliseconds. If they differ by more, the job
 * stops.
 */
const CLOCKS_DIFFER_MS = 15 * MINUTE_MS;
/**
 * Maximum time in milliseconds between recording an upload and its creation. The client gives up the request much
 * earlier.
 */
const CREATED_WITHIN_MS = 15 * MINUTE_MS;

/**
 * Aborts an upload whose id is unknown because the response to CreateMultipartUpload was lost. After a day, the
 * job looks for uploads with the same key, a matching start time and no parts. If it finds more than it recorded,
 * at least one belongs to another client, and none is aborted.
 */
async function abortUnnamed(
  upload: KnownUpload,
  context: UnfinishedContext,
  signal: AbortSignal,
): Promise<void> {
  const { state, destination, logger } = context;
  const { key, journalId, begunAt } = upload;
  const now = await safeNow(context, signal);
  if (now === undefined || now - begunAt < STALLED_MS) return;
  const known = state.uploads.all().filter((each) => each.key === key);
  const named = new Set(known.map(({ uploadId }) => uploadId));
  const found: ListedUpload[] = [];
  for await (const listed of uploadsOf(destination, key, signal)) {
    if (named.has(listed.uploadId) || !isBegunWith(upload, listed)) continue;
    if (await isEmpty(destination, listed, signal)) found.push(listed);
  }
  const isOurs = found.length <= known.filter(({ uploadId }) => uploadId === undefined).length;
  if (!isOurs)
    logger.warn({ key }, 'abort upload: several uploads began at that time, none is aborted');
  for (const { uploadId } of isOurs ? found : [])
    await dropUpload(destination, { key, uploadId }, signal);
  state.uploads.end(journalId);
}

function isBegunWith({ begunAt }: KnownUpload, { initiatedAt }: ListedUpload): boolean {
  const afterMs = initiatedAt - begunAt;
  return afterMs > -CLOCKS_DIFFER_MS && afterMs < CREATED_WITHIN_MS + CLOCKS_DIFFER_MS;
}

async function isEmpty(
  { store, bucket }: Destination,
  { key, uploadId }: ListedUpload,
  signal: AbortSignal,
): Promise<boolean> {
  try {
    return (await store.listParts({ bucket, key, uploadId }, { signal })).parts.length === 0;
  } catch (error) {
    if (isStorageError(error, 'NoSuchUpload')) return false;
    throw error;
  }
}

/** Yields a key's open uploads. The key is relative to the prefix. */
async function* uploadsOf(
  { store, bucket, prefix }: Destination,
  key: string,
  signal: AbortSignal,
): AsyncGenerator<ListedUpload> {
  const fullKey = prefix + key;
  let after: UploadPage['next'];
  do {
    const request = { bucket, prefix: fullKey, ...defined({ ...after }) };
    const page = await store.listUploads(request, { signal });
    for (const upload of page.uploads) if (upload.key === fullKey) yield upload;
    after = page.next;
  } while (after);
}
