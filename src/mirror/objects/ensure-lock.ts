/**
 * One version's lock brought to what is asked: looked at, set where it is less, and looked at again, since services drop
 * locks in silence. What holds is never shortened and never lowered. It may be done again at any time: the look tells.
 */

import { defined } from '../../base/defined.ts';
import { errorMessage } from '../../base/errors.ts';
import type { Retention } from '../../object-store/object-store.ts';
import { failureKind } from '../model/failure-kind.ts';
import { attributesKey } from './object-metadata.ts';
import { type Place, type ReadHead, readVersion } from './destination.ts';

export interface AuthorizationRequest extends Retention {
  /** Nothing is sent while the version is retained until this time at least; absent: until `retainUntil`. */
  readonly atLeast?: number;
}

/** The version that is meant. */
export interface LockSubject {
  readonly place: Place;
  /** Below the prefix. */
  readonly key: string;
  /** Milliseconds since 1970: what ended before binds nobody. */
  readonly now: number;
  /** Looks at it; undefined when it is not there, or not the one that is meant. */
  readonly find: () => Promise<ReadHead | undefined>;
}

export type LockOutcome =
  | { readonly is: 'absent' }
  /** `isSet`: it was less before. */
  | {
      readonly is: 'locked';
      readonly found: ReadHead;
      readonly retention: Retention;
      readonly isSet: boolean;
    }
  /** `refusal`: what the service said; absent where it took the retention and does not show it. */
  | { readonly is: 'not locked'; readonly found: ReadHead; readonly refusal?: string };

/** Rejects as the store does, but for a refusal. */
export async function ensureLock(
  subject: LockSubject,
  wish: AuthorizationRequest,
  signal: AbortSignal,
): Promise<LockOutcome> {
  const found = await subject.find();
  if (!found) return { is: 'absent' };
  // First, so that a lock that is seen is one of all that makes up the version.
  const missing = await lockXattrs(subject, found, wish, signal);
  const outcome = await lockFound(subject, found, wish, signal);
  if (missing === undefined || outcome.is === 'absent') return outcome;
  return { is: 'not locked', found: outcome.found, refusal: missing };
}

/**
 * Attributes in an object of their own are locked as long as the version that names them. Returns why they are not.
 * Others may name them too, so no lock is taken for that of this version.
 */
async function lockXattrs(
  { place, now }: LockSubject,
  { xattrsElsewhere, retention }: ReadHead,
  { mode, retainUntil, atLeast = retainUntil }: AuthorizationRequest,
  signal: AbortSignal,
): Promise<string | undefined> {
  if (xattrsElsewhere === undefined) return undefined;
  const key = attributesKey(xattrsElsewhere);
  const find = async () => {
    const found = await readVersion(place, { key }, signal);
    return found === 'absent' ? undefined : found;
  };
  const object = await find();
  if (!object) return `its extended attributes are gone: ${key}`;
  const isKept = retention !== undefined && isNoLess(retention, { mode, retainUntil: atLeast });
  const needed = isKept ? retention.retainUntil : retainUntil;
  const wish = { mode, retainUntil: Math.max(needed, retainUntil), atLeast: needed };
  const outcome = await lockFound({ place, key, now, find }, object, wish, signal);
  if (outcome.is === 'locked') return undefined;
  const why = outcome.is === 'absent' ? 'gone' : (outcome.refusal ?? 'without the retention');
  return `its extended attributes, ${key}: ${why}`;
}

async function lockFound(
  subject: LockSubject,
  found: ReadHead,
  { mode, retainUntil, atLeast = retainUntil }: AuthorizationRequest,
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

/** Whether what holds is no less than what is asked. Services keep whole seconds. */
function isNoLess(held: Retention, asked: Retention): boolean {
  if (asked.mode === 'COMPLIANCE' && held.mode === 'GOVERNANCE') return false;
  return Math.floor(held.retainUntil / 1_000) >= Math.floor(asked.retainUntil / 1_000);
}

/** Returns why it was refused, if so. */
async function setLock(
  { place: { store, bucket, prefix }, key, now }: LockSubject,
  { versionId, retention: known }: ReadHead,
  asked: Retention,
  signal: AbortSignal,
): Promise<string | undefined> {
  const held = known && known.retainUntil > now ? known : undefined;
  const mode = held?.mode === 'COMPLIANCE' ? held.mode : asked.mode;
  const retention = { mode, retainUntil: Math.max(asked.retainUntil, held?.retainUntil ?? 0) };
  const object = { bucket, key: prefix + key, ...defined({ versionId }) };
  // To raise the mode counts as a change of governance, though nothing is taken away.
  const raises = held?.mode === 'GOVERNANCE' && mode === 'COMPLIANCE';
  try {
    await store.putRetention(
      { ...object, retention, ...(raises && { bypassGovernance: true }) },
      { signal },
    );
    return undefined;
  } catch (error) {
    if (failureKind(error) !== 'refused') throw error;
    return errorMessage(error);
  }
}
