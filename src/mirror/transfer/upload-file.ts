/** Uploads a file as a new version: reads and hashes the file, and sends it in a conditional write. */

import { defined } from '../../base/defined.ts';
import { bytesText } from '../../text/amounts.ts';
import type { LockRequest, PutObjectResult } from '../../object-store/object-store.ts';
import { withSettings } from '../objects/job-settings.ts';
import type { PutAction } from '../plan/action.ts';
import { objectAttributes } from '../objects/object-metadata.ts';
import type { JournalRow } from '../state/journal-table.ts';
import { md5Of } from '../objects/provenance.ts';
import type { BegunUpload } from '../state/uploads-table.ts';
import { dropBegunUpload, uploadToResume } from './resumable-upload.ts';
import { storeExtras } from './upload-extras.ts';
import { settleUnconfirmed } from './lock-new-version.ts';
import { mayCopy, movedFrom, prepareMove, type Twin, findTwin } from './move.ts';
import { inconsistent, readEntry } from './read-entry.ts';
import { hasSentContent } from './read-back.ts';
import { planKey } from './replan.ts';
import { removeOwnWrite } from './copy-object.ts';
import { RETRY } from '../model/retry-policy.ts';
import { attempt, readFailed } from './step-failure.ts';
import { endRow, putRow, settlePut, uploadOf } from './put-rows.ts';
import { DONE, type PerformContext, type Prepared, type Step, type Work } from './step-types.ts';
import type { ReadFile } from '../local/read-file.ts';
import { findOwnVersion } from '../objects/destination.ts';
import { isInParts, uploadInParts } from './upload-parts.ts';

/**
 * Prepares a file's upload. Hashes the file before the journal row is written, so that the row describes the version
 * that the request creates.
 */
export async function preparePut(
  work: Work,
  action: PutAction,
  context: PerformContext,
): Promise<Prepared> {
  const moved = mayCopy(work, action) ? await movedFrom(action, context) : undefined;
  if (moved && isUndamaged(moved, context)) return prepareMove(work, action, moved, context);
  const reading = await readEntry(action.entry, context);
  if (reading.status !== 'read') return readFailed(action.key, action.entry, reading, context);
  let isSent = false;
  try {
    const prepared = await prepareRead(work, action, reading, context);
    isSent = prepared.is === 'request' && prepared.row.entry?.copies === undefined;
    return prepared;
  } finally {
    if (!isSent) reading.release?.();
  }
}

async function prepareRead(
  work: Work,
  action: PutAction,
  reading: ReadFile,
  context: PerformContext,
): Promise<Prepared> {
  const adopted = adoptTouched(action, reading, context);
  if (adopted) return adopted;
  const held = await context.changeGuard.checkUpload(action, reading, context);
  if (held) return { ...DONE, activity: held };
  const twin = mayCopy(work, action) ? findTwin(action, reading, context) : undefined;
  if (twin && isUndamaged(twin, context)) return prepareMove(work, action, twin, context);
  const lock = action.lock ? await context.lock(action.key) : undefined;
  const resumes = uploadToResume(action.key, reading, context);
  const uploadedAt = resumes?.uploadedAt ?? (await context.uploadTime());
  const now = context.clock.now();
  const fresh = putRow(action, reading, { now, uploadedAt, ...defined({ lock }) });
  // A resumed upload keeps the journal id and the upload time that are already in its metadata.
  const row = resumes ? { ...fresh, id: resumes.journalId } : fresh;
  return {
    is: 'request',
    row,
    send: async () => {
      const send = () => sendPut(action, reading, { work, row, lock, resumes }, context);
      try {
        return await attempt(work, context, send, row);
      } finally {
        reading.release?.();
      }
    },
  };
}

/**
 * Returns the step that only updates the baseline if the file's times changed but its content did not. Returns
 * undefined if the file must be uploaded.
 */
function adoptTouched(
  action: PutAction,
  reading: ReadFile,
  context: PerformContext,
): Step | undefined {
  if (action.why !== 'changed' || !('ifMatch' in action.guard)) return undefined;
  const entry = { ...reading.entry, sha256: reading.sha256 };
  const [again] = planKey({ key: action.key, entry, head: undefined }, context).actions;
  if (!again) return DONE;
  if (again.kind !== 'adopt') return undefined;
  const baseline = context.state.baseline.get(action.key);
  if (!baseline) return undefined;
  const content = defined({ content: reading.content });
  const known = { ...baseline, ...entry, ...content };
  return { is: 'settled', settlement: { key: action.key, baseline: known } };
}

/**
 * 2^32 seconds after 1970 (in the year 2106), in milliseconds. A service that stores times as unsigned 32-bit
 * seconds silently stores a wrong retain-until date for a lock that ends then or later.
 */
const LAST_CERTAIN_END = 2 ** 32 * 1_000;

function isLateLock(lock: LockRequest | undefined): boolean {
  return (lock?.retention?.retainUntil ?? 0) >= LAST_CERTAIN_END;
}

/** Returns whether an existing version is intact. A copy of damaged content would be damaged too. */
function isUndamaged({ origin: { path, versionId } }: Twin, { state }: PerformContext): boolean {
  return !state.damaged.has(path, versionId);
}

interface Sending {
  readonly work: Work;
  readonly row: JournalRow;
  readonly lock: LockRequest | undefined;
  readonly resumes: BegunUpload | undefined;
}

async function sendPut(
  action: PutAction,
  reading: ReadFile,
  { work, row, lock, resumes }: Sending,
  context: PerformContext,
): Promise<Step> {
  const { destination, tracker, signal } = context;
  const { entry, body, extras } = reading;
  const { key, guard } = action;
  const replaced = 'ifMatch' in guard ? { key } : undefined;
  const settings = await context.settings.of(key, replaced, signal);
  const attributes = destination.provenance.prove(
    objectAttributes({ ...reading, ...uploadOf(row) }),
    {
      key,
      sizeBytes: body.sizeBytes,
      md5: md5Of(body),
    },
  );
  await storeExtras(destination, extras, { lock, signal });
  if (!resumes) await dropBegunUpload(key, context);
  destination.checkFreeSpace?.(body.sizeBytes);
  const { bucket, prefix } = destination;
  const object = { bucket, key: prefix + key, conditions: guard, ...defined({ lock }) };
  const request = { ...object, ...withSettings(attributes, settings) };
  const parted = { key, ...uploadOf(row), begunAt: row.startedAt, entry, content: body, resumes };
  const made = isInParts(body, destination)
    ? await uploadInParts(request, parted, context)
    : await context.putObject({ ...request, body });
  destination.provenance.learn(attributes, made);
  tracker.countUpload(entry.sizeBytes);
  const settle = () => settleUpload(made, reading, { action, work, row, lock }, context);
  return attempt({ ...work, sent: row }, context, settle);
}

type Sent = Omit<Sending, 'resumes'> & { readonly action: PutAction };

/**
 * Closes the upload's journal row. If the job verifies uploads, reads the version back first. If that fails, the row
 * stays open.
 */
async function settleUpload(
  made: PutObjectResult,
  { entry, body, extras }: ReadFile,
  { action, work, row, lock }: Sent,
  context: PerformContext,
): Promise<Step> {
  const { destination, signal } = context;
  if (!(await hasSentContent(row, made, destination, signal)))
    return sendAgain(work, action, row, context);
  const message = bytesText(entry.sizeBytes);
  const activity = { level: 'info', action: 'put', path: entry.path, message } as const;
  const problem = extras.isInconsistent ? inconsistent(entry.path) : undefined;
  const end = { activity, ...defined({ problem }) };
  if (isInParts(body, destination) || isLateLock(lock)) return settleUnconfirmed(row, made, end);
  return { is: 'settled', settlement: settlePut(row, made), ...end };
}

/**
 * Removes a version with content that differs from the sent content, because its metadata would be wrong, and uploads
 * the file again.
 */
async function sendAgain(
  work: Work,
  action: PutAction,
  row: JournalRow,
  context: PerformContext,
): Promise<Step> {
  const { destination, logger, signal } = context;
  const { key } = action;
  const attempts = work.attempts + 1;
  const { path } = action.entry;
  const message = `cannot verify the upload of ${path}: the service stored different content; the job uploads it again`;
  logger.warn({ key, attempts }, message);
  const own = await findOwnVersion(destination, row, signal);
  const guard = own ? await removeOwnWrite(context, key, own, signal) : action.guard;
  const settlement = endRow(row);
  if (attempts >= RETRY.damagedUpload.attempts)
    return { is: 'settled', settlement, problem: { path, code: 'damaged', message } };
  return { is: 'again', settlement, works: [{ ...work, attempts, action: { ...action, guard } }] };
}
