/**
 * Ensures that a version has at least the requested retention. Sets the retention if it is too short, and reads it
 * again, because some services drop locks silently. Never shortens or weakens a lock. Idempotent.
 */

import { defined } from '../../base/defined.ts';
import { errorMessage } from '../../base/errors.ts';
import type { Retention } from '../../object-store/object-store.ts';
import { failureKind } from '../model/failure-kind.ts';
import { explainDenial } from './lock-permission.ts';
import { attributesKey } from './object-metadata.ts';
import { type Destination, type ReadHead, readVersion } from './destination.ts';

export interface RetentionRequest extends Retention {
  /**
   * Minimum end of the retention, in milliseconds since 1970. If the version is already retained until then, its
   * retention is not changed. Default: `retainUntil`.
   */
  readonly atLeast?: number;
}

/** The version to lock. */
export interface LockSubject {
  readonly destination: Destination;
  /** Key of the version, relative to the prefix. */
  readonly key: string;
  /** Current time in milliseconds since 1970. A retention that ended earlier has expired. */
  readonly now: number;
  /** Reads the version. Returns undefined if the version does not exist or was replaced. */
  readonly find: () => Promise<ReadHead | undefined>;
}

export type LockOutcome =
  | { readonly is: 'absent' }
  /** The version is locked. `isSet` means that its retention was shorter before the call. */
  | {
      readonly is: 'locked';
      readonly found: ReadHead;
      readonly retention: Retention;
      readonly isSet: boolean;
    }
  /**
   * The version is not locked. `refusal` is the service's error. It is absent if the service accepted the retention but
   * does not report it.
   */
  | { readonly is: 'not locked'; readonly found: ReadHead; readonly refusal?: string };

/** The reason in messages if the service accepted the retention without an error, but does not report it. */
export const RETENTION_NOT_REPORTED = 'the service accepted the retention, but does not report it';

/** Ensures a version's retention. Rejects with the store's errors, but returns refusals. */
export async function ensureLock(
  subject: LockSubject,
  request: RetentionRequest,
  signal: AbortSignal,
): Promise<LockOutcome> {
  const found = await subject.find();
  if (!found) return { is: 'absent' };
  // Extended attributes are locked before the version, so that a locked version never refers to unlocked attributes.
  const missing = await lockXattrs(subject, found, request, signal);
  const outcome = await lockFound(subject, found, request, signal);
  if (missing === undefined || outcome.is === 'absent') return outcome;
  return { is: 'not locked', found: outcome.found, refusal: missing };
}

/**
 * Locks separately stored extended attributes at least as long as the version that refers to them. Returns the reason
 * if they could not be locked. Their lock may already be longer, because other versions can refer to them too.
 */
async function lockXattrs(
  { destination, now }: LockSubject,
  { xattrsElsewhere, retention }: ReadHead,
  { mode, retainUntil, atLeast = retainUntil }: RetentionRequest,
  signal: AbortSignal,
): Promise<string | undefined> {
  if (xattrsElsewhere === undefined) return undefined;
  const key = attributesKey(xattrsElsewhere);
  const find = async () => {
    const found = await readVersion(destination, { key }, signal);
    return found === 'absent' ? undefined : found;
  };
  const object = await find();
  if (!object) return `the object with its extended attributes does not exist: ${key}`;
  const isKept = retention !== undefined && isNoLess(retention, { mode, retainUntil: atLeast });
  const needed = isKept ? retention.retainUntil : retainUntil;
  const request = { mode, retainUntil: Math.max(needed, retainUntil), atLeast: needed };
  const outcome = await lockFound({ destination, key, now, find }, object, request, signal);
  if (outcome.is === 'locked') return undefined;
  const why =
    outcome.is === 'absent' ? 'it does not exist' : (outcome.refusal ?? RETENTION_NOT_REPORTED);
  return `cannot lock the object with its extended attributes (${key}): ${why}`;
}

async function lockFound(
  subject: LockSubject,
  found: ReadHead,
  { mode, retainUntil, atLeast = retainUntil }: RetentionRequest,
  signal: AbortSignal,
): Promise<LockOutcome> {
  const before = found.retention;
  if (before && isNoLess(before, { mode, retainUntil: atLeast }))
    return { is: 'locked', found, retention: before, isSet: false };
  const refusal = await setLock(subject, found, { mode, retainUntil }, signal);
  const again = await subject.find();
  if (!again) return { is: 'absent' };
  const after = again.retention;
  if (
    after &&
    isNoLess(after, { mode, retainUntil: refusal === undefined ? retainUntil : atLeast })
  )
    return { is: 'locked', found: again, retention: after, isSet: true };
  return { is: 'not locked', found: again, ...defined({ refusal }) };
}

/**
 * Returns whether a retention is at least as strong and as long as the requested one. Compares whole seconds, because
 * services do not store fractions.
 */
function isNoLess(held: Retention, asked: Retention): boolean {
  if (asked.mode === 'COMPLIANCE' && held.mode === 'GOVERNANCE') return false;
  return Math.floor(held.retainUntil / 1_000) >= Math.floor(asked.retainUntil / 1_000);
}

/** Sets a version's retention. Returns the error if the service refuses it. */
async function setLock(
  { destination: { store, bucket, prefix }, key, now }: LockSubject,
  { versionId, retention: known }: ReadHead,
  asked: Retention,
  signal: AbortSignal,
): Promise<string | undefined> {
  const held = known && known.retainUntil > now ? known : undefined;
  const mode = held?.mode === 'COMPLIANCE' ? held.mode : asked.mode;
  const retention = { mode, retainUntil: Math.max(asked.retainUntil, held?.retainUntil ?? 0) };
  const object = { bucket, key: prefix + key, ...defined({ versionId }) };
  // Services require a bypass to change GOVERNANCE to COMPLIANCE, although the change only strengthens the lock.
  const raises = held?.mode === 'GOVERNANCE' && mode === 'COMPLIANCE';
  try {
    await store.putRetention(
      { ...object, retention, ...(raises && { bypassGovernance: true }) },
      { signal },
    );
    return undefined;
  } catch (error) {
    if (failureKind(error) !== 'refused') throw error;
    return errorMessage(explainDenial(error, 'extend locks'));
  }
}
