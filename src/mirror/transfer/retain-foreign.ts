/**
 * Sets a retention on other clients' versions before this job supersedes them, so that they exist for the whole
 * conflict window. The mode is GOVERNANCE, and an existing retention is never shortened.
 */

import { defined } from '../../base/defined.ts';
import { DAY_MS } from '../../base/durations.ts';
import { ensureLock, RETENTION_NOT_REPORTED } from '../objects/ensure-lock.ts';
import type { Action } from '../plan/action.ts';
import { pathOfKey } from '../model/local-path.ts';
import type { PerformContext, Step, Work } from './step-types.ts';
import { readVersion, type VersionName } from '../objects/destination.ts';

type LockForeign = Extract<Action, { kind: 'lock-foreign' }>;
type LockContext = Pick<PerformContext, 'destination' | 'lockTime' | 'tracker' | 'signal'>;

/** Returns the end of the conflict window for a version that is superseded now, in milliseconds since 1970. */
export function conflictWindow(now: number, days: number): number {
  return now + days * DAY_MS;
}

/**
 * Retains a version before the job supersedes it. If the service refuses, the job continues and tries again after each
 * listing.
 */
export async function lockForeign(
  { attempts }: Work,
  { key, head: { versionId }, next }: LockForeign,
  context: PerformContext,
): Promise<Step> {
  const until = conflictWindow(await context.lockTime(), context.conflictWindowDays);
  const retainUntil = await retainForeign({ key, ...defined({ versionId }) }, until, context);
  const supersedes = next.supersedes && { ...next.supersedes, ...defined({ retainUntil }) };
  const action = { ...next, ...defined({ supersedes }) };
  return { is: 'again', works: [{ action, attempts }] };
}

/** Retains versions that could not be locked when they were superseded. Runs after each bucket listing. */
export async function lockCovered(
  context: Omit<LockContext, 'signal'> & Pick<PerformContext, 'state' | 'conflictWindowDays'>,
  isLocked: boolean,
  signal: AbortSignal,
): Promise<void> {
  if (!isLocked) return;
  const { state, lockTime, conflictWindowDays } = context;
  const now = await lockTime();
  for (const { id, key, versionId, at } of state.conflicts.unretained(
    now - conflictWindowDays * DAY_MS,
  )) {
    // The clock may have been fast when the conflict was recorded.
    const until = conflictWindow(Math.min(at, now), conflictWindowDays);
    const version = { key, ...defined({ versionId }) };
    const retained = await retainForeign(version, until, { ...context, signal });
    if (retained !== undefined) state.conflicts.setRetained(id, retained);
  }
}

/**
 * Retains a version and returns the end of its retention; undefined if the version does not exist or could not be
 * retained.
 */
async function retainForeign(
  version: VersionName,
  until: number,
  { destination, lockTime, tracker, signal }: LockContext,
): Promise<number | undefined> {
  // Without a version id, the request would lock the current version instead.
  if (version.versionId === undefined) return undefined;
  const find = async () => {
    const found = await readVersion(destination, version, signal);
    return found === 'absent' ? undefined : found;
  };
  const { key } = version;
  const now = await lockTime();
  const held = (await find())?.retention;
  // A COMPLIANCE retention is never extended, because the extension could not be undone.
  if (held?.mode === 'COMPLIANCE' && held.retainUntil > now) return held.retainUntil;
  const retention = { mode: 'GOVERNANCE', retainUntil: until } as const;
  const outcome = await ensureLock({ destination, key, now, find }, retention, signal);
  if (outcome.is === 'locked') return outcome.retention.retainUntil;
  if (outcome.is === 'absent') return undefined;
  const why = outcome.refusal ?? RETENTION_NOT_REPORTED;
  const message = `the version of the other client is kept, but not locked: ${why}`;
  tracker.say({ level: 'warn', action: 'not-locked', path: pathOfKey(key), message });
  return undefined;
}
