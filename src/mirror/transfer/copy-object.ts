/**
 * A copy on the service, believed when it has the bytes that were meant: services may pass over which ETag the source
 * was to have. What was wrongly made says of itself what it is not, so it is taken back before anybody reads it.
 */

import { defined } from '../../base/defined.ts';
import type { PutObjectResult } from '../../object-store/object-store.ts';
import type { WriteCondition, PutAction } from '../plan/action.ts';
import { failureKind, refusesCopy } from '../model/failure-kind.ts';
import type { CopySource, JournalRow } from '../state/journal-table.ts';
import { keepHold } from './copy-legal-hold.ts';
import { type RemovalContext, removeVersion } from './remove-version.ts';
import { settleUnseen } from './lock-new-version.ts';
import { isAsSent } from './read-back.ts';
import { attempt } from './step-failure.ts';
import { ended, type PerformContext, type Prepared, type Step, type Work } from './step.ts';
import {
  findOwnVersion,
  type Place,
  type ReadHead,
  readVersion,
  type VersionName,
} from '../objects/destination.ts';
import type { Activity } from '../model/activity.ts';

export interface CopyRequest {
  readonly copy: () => Promise<PutObjectResult>;
  /** Called for a copy that is believed. */
  readonly onCopied: () => Activity | undefined;
  /** What the service will not copy, has no more, or copied wrongly. */
  readonly instead: Work & { readonly action: PutAction };
}

type Made = VersionName & { readonly etag: string };

/** `row` names the source. */
export function requestCopy(
  work: Work,
  row: JournalRow,
  { copy, onCopied, instead }: CopyRequest,
  context: PerformContext,
): Prepared {
  const { place, signal } = context;
  const put = (action: PutAction): Step => ({
    is: 'again',
    settlement: ended(row),
    works: [{ ...instead, action }],
  });
  const send = async (): Promise<Step> => {
    const made = await unlessRefused(copy);
    if (!made) return put(instead.action);
    const { etag, versionId } = made;
    if (await isAsMeant(row, { key: row.key, etag, ...defined({ versionId }) }, place, signal))
      return settleUnseen(row, made, defined({ activity: onCopied() }));
    const own = await findOwnVersion(place, row, signal);
    const guard = own ? await takeBack(context, row.key, own, signal) : instead.action.guard;
    return put({ ...instead.action, guard });
  };
  return { is: 'request', row, send: () => attempt(work, context, send, row) };
}

async function unlessRefused(
  copy: () => Promise<PutObjectResult>,
): Promise<PutObjectResult | undefined> {
  try {
    return await copy();
  } catch (error) {
    if (refusesCopy(error)) return undefined;
    throw error;
  }
}

/** Whether what a row made is what it meant: a put, as `isAsSent` has it; a copy with the bytes of its source gets its hold, too. */
export async function isAsMeant(
  row: JournalRow,
  made: Made,
  place: Place,
  signal: AbortSignal,
): Promise<boolean> {
  const { entry, sha256 } = row;
  const source = entry?.copies;
  if (!source) return isAsSent(row, made, place, signal);
  const isCopy = await isCopyOf(place, { ...source, ...defined({ sha256 }) }, made, signal);
  if (isCopy && source.legalHold) await keepHold(place, made, signal);
  return isCopy;
}

/** By the ETag; where a service gives copies others, by the source: it is still as it was, and of the copy's size. */
export async function isCopyOf(
  place: Place,
  source: CopySource & { readonly sha256?: string },
  made: Made,
  signal: AbortSignal,
): Promise<boolean> {
  if (made.etag === source.etag) return true;
  const [from, copy] = await Promise.all([
    readVersion(place, source, signal),
    readVersion(place, made, signal),
  ]);
  if (from === 'absent' || copy === 'absent') return false;
  const isSame = from.etag === source.etag && from.sha256 === (source.sha256 ?? from.sha256);
  return isSame && from.sizeBytes === copy.sizeBytes;
}

/** Only a version of our own. Returns what the next put is to expect: where a lock keeps it, that it is covered. */
export async function takeBack(
  context: RemovalContext,
  key: string,
  { etag, versionId }: ReadHead,
  signal: AbortSignal,
): Promise<WriteCondition> {
  if (versionId !== undefined && versionId !== 'null') {
    const what = 'a copy that was made with other bytes than were meant';
    const end = await removeVersion({ key, versionId, what }, context, signal);
    return end === 'removed' ? { ifNoneMatch: '*' } : { ifMatch: etag };
  }
  const { store, bucket, prefix } = context.place;
  try {
    const object = { bucket, key: prefix + key, conditions: { ifMatch: etag } };
    await store.deleteObject(object, { signal });
    return { ifNoneMatch: '*' };
  } catch (error) {
    if (failureKind(error) !== 'refused') throw error;
    return { ifMatch: etag };
  }
}
