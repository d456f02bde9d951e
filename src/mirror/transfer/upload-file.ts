/** A file into a new version: read, journalled, sent under its guard. */

import { defined } from '../../base/defined.ts';
import type { LockRequest, PutObjectResult } from '../../object-store/object-store.ts';
import { withSettings } from '../objects/job-settings.ts';
import { checkUpload } from '../guard/check-upload.ts';
import type { PutAction } from '../plan/action.ts';
import { objectAttributes } from '../objects/object-metadata.ts';
import type { JournalRow } from '../state/journal-table.ts';
import { md5Of } from '../objects/provenance.ts';
import type { BegunUpload } from '../state/uploads-table.ts';
import { dropBegunUpload, uploadToResume } from './resumable-upload.ts';
import { storeExtras } from './upload-extras.ts';
import { settleUnseen } from './lock-new-version.ts';
import { mayCopy, movedFrom, prepareMove, type Twin, twinOf } from './move.ts';
import { inconsistent, readEntry } from './read-entry.ts';
import { isAsSent } from './read-back.ts';
import { planKey } from './replan.ts';
import { takeBack } from './copy-object.ts';
import { attempt, unread } from './step-failure.ts';
import {
  ended,
  OVER,
  type PerformContext,
  type Prepared,
  putRow,
  settlePut,
  type Step,
  uploadOf,
  type Work,
} from './step.ts';
import type { ReadFile } from '../local/file-body.ts';
import { findOwnVersion } from '../objects/destination.ts';
import { isInParts, upload } from './upload-body.ts';

/** The file is hashed before the row is written, so that the row can say what the request will make. */
export async function preparePut(
  work: Work,
  action: PutAction,
  context: PerformContext,
): Promise<Prepared> {
  const moved = mayCopy(work, action) ? await movedFrom(action, context) : undefined;
  if (moved && isSound(moved, context)) return prepareMove(work, action, moved, context);
  const reading = await readEntry(action.entry, context);
  if (reading.status !== 'read') return unread(action.key, action.entry, reading, context);
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
  const held = await checkUpload(action, reading, context);
  if (held) return { ...OVER, activity: held };
  const twin = mayCopy(work, action) ? twinOf(action, reading, context) : undefined;
  if (twin && isSound(twin, context)) return prepareMove(work, action, twin, context);
  const lock = action.lock ? await context.lock(action.key) : undefined;
  const resumes = uploadToResume(action.key, reading, context);
  const uploadedAt = resumes?.uploadedAt ?? (await context.uploadTime());
  const now = context.clock.now();
  const fresh = putRow(action, reading, { now, uploadedAt, ...defined({ lock }) });
  // The upload's metadata have the id and the own time of the row that began it.
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

/** A file that was only touched: the planner decides, now that the content is known. */
function adoptTouched(
  action: PutAction,
  reading: ReadFile,
  context: PerformContext,
): Step | undefined {
  if (action.why !== 'changed' || !('ifMatch' in action.guard)) return undefined;
  const entry = { ...reading.entry, sha256: reading.sha256 };
  const [again] = planKey({ key: action.key, entry, head: undefined }, context).actions;
  if (!again) return OVER;
  if (again.kind !== 'adopt') return undefined;
  const baseline = context.state.baseline.get(action.key);
  if (!baseline) return undefined;
  const content = defined({ content: reading.content });
  const known = { ...baseline, ...entry, ...content };
  return { is: 'settled', settlement: { key: action.key, baseline: known } };
}

/** Seconds of 32 bits end in 2106: services that count so store what is later wrongly, and do not say so. */
const LAST_CERTAIN_END = 2 ** 32 * 1_000;

function isLateLock(lock: LockRequest | undefined): boolean {
  return (lock?.retention?.retainUntil ?? 0) >= LAST_CERTAIN_END;
}

/** A copy of damaged bytes would be damaged as well. */
function isSound({ origin: { path, versionId } }: Twin, { state }: PerformContext): boolean {
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
  const { place, tracker, signal } = context;
  const { entry, body, extras } = reading;
  const { key, guard } = action;
  const replaced = 'ifMatch' in guard ? { key } : undefined;
  const settings = await context.settings.of(key, replaced, signal);
  const attributes = place.provenance.prove(objectAttributes({ ...reading, ...uploadOf(row) }), {
    key,
    sizeBytes: body.sizeBytes,
    md5: md5Of(body),
  });
  await storeExtras(place, extras, { lock, signal });
  if (!resumes) await dropBegunUpload(key, context);
  const given = { ...withSettings(attributes, settings), ...defined({ lock }), resumes };
  const journalled = { key, ...uploadOf(row), begunAt: row.startedAt };
  const made = await upload({ ...journalled, entry, guard, content: body, ...given }, context);
  place.provenance.learn(attributes, made);
  tracker.countUpload(entry.sizeBytes);
  const settle = () => settleMade(made, reading, { action, work, row, lock }, context);
  return attempt({ ...work, sent: row }, context, settle);
}

type Sent = Omit<Sending, 'resumes'> & { readonly action: PutAction };

/** The row of a version that exists is not ended by a failure to read it back. */
async function settleMade(
  made: PutObjectResult,
  { entry, body, extras }: ReadFile,
  { action, work, row, lock }: Sent,
  context: PerformContext,
): Promise<Step> {
  const { place, signal } = context;
  if (!(await isAsSent(row, made, place, signal))) return sendAgain(work, action, row, context);
  const message = `${entry.sizeBytes} bytes`;
  const activity = { level: 'info', action: 'put', path: entry.path, message } as const;
  const problem = extras.isInconsistent ? inconsistent(entry.path) : undefined;
  const end = { activity, ...defined({ problem }) };
  if (isInParts(body) || isLateLock(lock)) return settleUnseen(row, made, end);
  return { is: 'settled', settlement: settlePut(row, made), ...end };
}

/** Then a service that damages what it is sent is left alone for a while. */
const SENT_AT_MOST = 3;

/** What came back otherwise than it was sent is taken back: it says of itself what it is not. */
async function sendAgain(
  work: Work,
  action: PutAction,
  row: JournalRow,
  context: PerformContext,
): Promise<Step> {
  const { place, logger, signal } = context;
  const { key } = action;
  const attempts = work.attempts + 1;
  const { path } = action.entry;
  const message = `read back ${path}: the service did not store what it was sent; it is sent again`;
  logger.warn({ key, attempts }, message);
  const own = await findOwnVersion(place, row, signal);
  const guard = own ? await takeBack(context, key, own, signal) : action.guard;
  const settlement = ended(row);
  if (attempts >= SENT_AT_MOST)
    return { is: 'settled', settlement, problem: { path, code: 'damaged', message } };
  return { is: 'again', settlement, works: [{ ...work, attempts, action: { ...action, guard } }] };
}
