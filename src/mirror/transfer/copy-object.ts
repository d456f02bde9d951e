/**
 * Copies an object on the service and checks the result, because some services ignore the condition on the source's
 * ETag. A copy with different content has the wrong metadata, so it is removed before a client reads it.
 */

import { defined } from '../../base/defined.ts';
import type { PutObjectResult } from '../../object-store/object-store.ts';
import type { WriteCondition, PutAction } from '../plan/action.ts';
import { failureKind, refusesCopy } from '../model/failure-kind.ts';
import type { CopySource, JournalRow } from '../state/journal-table.ts';
import { type RemovalContext, removeVersion } from './remove-version.ts';
import { settleUnconfirmed } from './lock-new-version.ts';
import { hasSentContent } from './read-back.ts';
import { attempt } from './step-failure.ts';
import { endRow } from './put-rows.ts';
import type { PerformContext, Prepared, Step, Work } from './step-types.ts';
import {
  findOwnVersion,
  type Destination,
  type ReadHead,
  readVersion,
  type VersionName,
} from '../objects/destination.ts';
import type { Activity } from '../model/tracker.ts';
import type { BaselineEntry } from '../model/types.ts';

export interface CopyRequest {
  readonly copy: () => Promise<PutObjectResult>;
  /** Called when the copy has passed the check. */
  readonly onCopied: () => Activity | undefined;
  /**
   * The upload that replaces the copy if the service refuses the copy, has lost the source, or copied different
   * content.
   */
  readonly instead: Work & { readonly action: PutAction };
}

type CreatedVersion = VersionName & { readonly etag: string };

/** Prepares a copy request. The journal row `row` contains the source. */
export function requestCopy(
  work: Work,
  row: JournalRow,
  { copy, onCopied, instead }: CopyRequest,
  context: PerformContext,
): Prepared {
  const { destination, signal } = context;
  const put = (action: PutAction): Step => ({
    is: 'again',
    settlement: endRow(row),
    works: [{ ...instead, action }],
  });
  const send = async (): Promise<Step> => {
    const made = await unlessRefused(copy);
    if (!made) return put(instead.action);
    const { etag, versionId } = made;
    if (
      await hasIntendedContent(
        row,
        { key: row.key, etag, ...defined({ versionId }) },
        destination,
        signal,
      )
    )
      return settleUnconfirmed(row, made, defined({ activity: onCopied() }));
    const own = await findOwnVersion(destination, row, signal);
    const guard = own ? await removeOwnWrite(context, row.key, own, signal) : instead.action.guard;
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

/**
 * Returns whether the version that a journal row created has the intended content. An upload is read back if the job
 * verifies uploads. A copy is compared with its source, and gets the source's legal hold.
 */
export async function hasIntendedContent(
  row: JournalRow,
  made: CreatedVersion,
  destination: Destination,
  signal: AbortSignal,
): Promise<boolean> {
  const { entry, sha256 } = row;
  const source = entry?.copies;
  if (!source) return hasSentContent(row, made, destination, signal);
  const isCopy = await isCopyOf(destination, { ...source, ...defined({ sha256 }) }, made, signal);
  if (isCopy && source.legalHold) await setLegalHold(destination, made, signal);
  return isCopy;
}

/**
 * Returns whether a version is a copy of a source, by their ETags. If the service gives copies a new ETag, checks
 * instead that the source is unchanged and that both sizes are equal.
 */
export async function isCopyOf(
  destination: Destination,
  source: CopySource & { readonly sha256?: string },
  made: CreatedVersion,
  signal: AbortSignal,
): Promise<boolean> {
  if (made.etag === source.etag) return true;
  const [from, copy] = await Promise.all([
    readVersion(destination, source, signal),
    readVersion(destination, made, signal),
  ]);
  if (from === 'absent' || copy === 'absent') return false;
  const isSame = from.etag === source.etag && from.sha256 === (source.sha256 ?? from.sha256);
  return isSame && from.sizeBytes === copy.sizeBytes;
}

/**
 * Removes a version that this job created, unless a lock prevents that. Returns the precondition of the next put:
 * the key does not exist, or its current version is still the locked one.
 */
export async function removeOwnWrite(
  context: RemovalContext,
  key: string,
  { etag, versionId }: ReadHead,
  signal: AbortSignal,
): Promise<WriteCondition> {
  if (versionId !== undefined && versionId !== 'null') {
    const what = 'a copy with unexpected content';
    const end = await removeVersion({ key, versionId, what }, context, signal);
    return end === 'removed' ? { ifNoneMatch: '*' } : { ifMatch: etag };
  }
  const { store, bucket, prefix } = context.destination;
  try {
    const object = { bucket, key: prefix + key, conditions: { ifMatch: etag } };
    await store.deleteObject(object, { signal });
    return { ifNoneMatch: '*' };
  } catch (error) {
    if (failureKind(error) !== 'refused') throw error;
    return { ifMatch: etag };
  }
}

/**
 * Returns whether a moved file's object has a legal hold. The new key must get the hold before the old key gets its
 * delete marker. Sends one request per moved file, and only in buckets with Object Lock.
 */
export async function hasLegalHold(
  { path, versionId }: Pick<BaselineEntry, 'path' | 'versionId'>,
  { destination, policy, signal }: Pick<PerformContext, 'destination' | 'policy' | 'signal'>,
): Promise<boolean> {
  if (policy().bucket !== 'object-lock') return false;
  const found = await readVersion(destination, { key: path, ...defined({ versionId }) }, signal);
  return found !== 'absent' && found.legalHold === true;
}

/** Sets a copy's legal hold if the service silently dropped it. Rejects if the legal hold cannot be set. */
async function setLegalHold(
  destination: Destination,
  { key, versionId }: VersionName,
  signal: AbortSignal,
): Promise<void> {
  const found = await readVersion(destination, { key, ...defined({ versionId }) }, signal);
  if (found === 'absent' || found.legalHold === true) return;
  const { store, bucket, prefix } = destination;
  const object = { bucket, key: prefix + key, ...defined({ versionId: found.versionId }) };
  await store.putLegalHold({ ...object, legalHold: true }, { signal });
}
