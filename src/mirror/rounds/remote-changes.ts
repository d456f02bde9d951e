/**
 * Handles changes that other clients make in the bucket, and that the store reports while the job runs. A key is
 * pending until its current version was compared with the baseline. The store does not report the job's own writes.
 */

import { setImmediate } from 'node:timers/promises';

import type { Ownership } from '../ownership/ownership.ts';
import { RESERVED_FOLDER, pathOfKey } from '../model/local-path.ts';
import { toLocalEntry } from '../local/local-entry.ts';
import type { ChangeMonitor } from '../../object-store/change-monitor.ts';
import { findHead } from '../transfer/replan.ts';
import type { RemoteHead } from '../plan/plan-types.ts';
import type { JobDestination, ReadHead } from '../objects/destination.ts';
import type { BaselineEntry, Head } from '../model/types.ts';
import type { Agenda } from './agenda.ts';
import { releaseHeldKey } from './release-held.ts';
import type { RoundContext } from './round-context.ts';

/** Empty key that represents a change to the bucket's configuration. No object of a job has this key. */
export const BUCKET = '';
const OWNERSHIP_MARKER = `${RESERVED_FOLDER}/claim`;

/**
 * Number of keys that are compared before the event loop runs again, because the embedded store answers without
 * yielding to it.
 */
const READ_AT_ONCE = 100;

interface ChangeHandlers {
  readonly agenda: Pick<Agenda, 'hintKey'>;
  readonly locks: { bucketChanged(): void };
  readonly phase: { changed(): void };
}

interface ChangeSource {
  /** Reports changes by other clients; absent if the service does not report them. */
  readonly changes?: ChangeMonitor;
  readonly job: { readonly bucket: string; readonly prefix: string };
}

/** Queues the changes that the store reports, until the signal is aborted. */
export function listenForChanges(
  { changes, job: { bucket, prefix } }: ChangeSource,
  { agenda, locks, phase }: ChangeHandlers,
  signal: AbortSignal,
): void {
  const stop = changes?.onChange({ bucket, prefix }, (changed) => {
    const key = changed?.slice(prefix.length) ?? BUCKET;
    if (changed === undefined) locks.bucketChanged();
    else if (key === '' || (key !== OWNERSHIP_MARKER && key.startsWith(`${RESERVED_FOLDER}/`)))
      return;
    agenda.hintKey(key);
    phase.changed();
  });
  if (stop) signal.addEventListener('abort', stop, { once: true });
}

export interface RemoteChanges {
  readonly isBucket: boolean;
  readonly isMarker: boolean;
  readonly keys: readonly string[];
}

export function takeRemoteChanges(agenda: Pick<Agenda, 'takeKeys'>): RemoteChanges {
  const taken = agenda.takeKeys();
  const keys = [...taken.keys()].filter((key) => key !== BUCKET && key !== OWNERSHIP_MARKER);
  return { isBucket: taken.has(BUCKET), isMarker: taken.has(OWNERSHIP_MARKER), keys };
}

export interface ComparedHeads {
  /** Current versions that differ from the baseline, by key. */
  readonly remote: Map<string, RemoteHead>;
  /** Paths whose folders must be scanned, because the planner needs the file's state. */
  readonly paths: readonly string[];
}

export interface RemoteChangesContext extends RoundContext {
  readonly destination: JobDestination;
  readonly ownership: Pick<Ownership, 'hold'>;
  readonly refreshBucket: () => Promise<void>;
  readonly hintKey: (key: string) => void;
}

/**
 * Reads the bucket's configuration and the ownership marker again if another client changed them. Rejects with the
 * errors of these reads.
 */
export async function rereadBucket(
  { isBucket, isMarker }: Omit<RemoteChanges, 'keys'>,
  {
    ownership,
    refreshBucket,
    signal,
  }: Pick<RemoteChangesContext, 'ownership' | 'refreshBucket' | 'signal'>,
): Promise<void> {
  if (isBucket) await refreshBucket();
  if (isMarker) await ownership.hold(signal);
}

/** Compares these keys' current versions with the baseline. Rejects with the store's errors. */
export async function compareChangedKeys(
  keys: readonly string[],
  context: RemoteChangesContext,
): Promise<ComparedHeads> {
  const compared = { remote: new Map<string, RemoteHead>(), paths: new Array<string>() };
  for (const [index, key] of keys.entries()) {
    if (index % READ_AT_ONCE === 0) await setImmediate();
    context.signal.throwIfAborted();
    // The key must be checked before its object is read. Otherwise a write could end in between, and the baseline would
    // be newer than the version that was read.
    if (context.tracker.underWay(key)) compareLater(key, context);
    else compare(key, await findHead(key, context), context, compared);
  }
  return compared;
}

/**
 * Compares a key after its current write, because the other client's change may have happened before or after that
 * write.
 */
function compareLater(key: string, { tracker, hintKey, hint }: RemoteChangesContext): void {
  tracker.whenOver(key, () => {
    hintKey(key);
    // This callback replaces an earlier one that queues the path, so it must queue the path too.
    hint(pathOfKey(key));
  });
}

function compare(
  key: string,
  head: ReadHead | 'absent',
  context: RemoteChangesContext,
  { remote, paths }: { readonly remote: Map<string, RemoteHead>; readonly paths: string[] },
): void {
  const { state, tracker } = context;
  const known = state.baseline.get(key);
  if (known ? isSame(head, known) : isHeldFor(key, head, context)) {
    tracker.setDrifted(key, false);
    if (known) restoreLock(key, head, known, context);
    return;
  }
  const held = state.held.get(key);
  if (head !== 'absent' || known) remote.set(key, head);
  else {
    tracker.foreign.delete(key);
    state.heldChanges.releaseRejectedDelete(key);
  }
  if (held && head === 'absent') releaseHeldKey(key, context);
  // Only keys that the job knows become paths. Other clients chose all other keys, which may not be valid paths below
  // the root.
  if (known ?? held) paths.push(pathOfKey(key));
}

function isSame(head: RemoteHead, { etag, versionId }: BaselineEntry): boolean {
  return head !== 'absent' && isSameVersion(head, { etag, versionId });
}

/** Returns whether two versions are the same. If either has no version id, compares the ETags. */
function isSameVersion(
  head: Pick<Head, 'etag' | 'versionId'>,
  other: { readonly etag: string; readonly versionId: string | undefined },
): boolean {
  if (head.etag !== other.etag) return false;
  return (head.versionId ?? other.versionId) === (other.versionId ?? head.versionId);
}

/** Returns whether the key is held as a conflict with exactly this version. */
function isHeldFor(key: string, head: RemoteHead, { state }: RemoteChangesContext): boolean {
  const held = state.held.get(key)?.head;
  if (!held || head === 'absent') return false;
  return isSameVersion(head, { etag: held.etag, versionId: held.versionId });
}

/** Restores a version's lock after another client shortened or removed it. */
function restoreLock(
  key: string,
  head: ReadHead | 'absent',
  known: BaselineEntry,
  { policy, executor, clock, state }: RemoteChangesContext,
): void {
  const { bucket, lock } = policy();
  if (bucket !== 'object-lock' || !lock || head === 'absent') return;
  if (typeof state.locks.row(key)?.released === 'string') return;
  if ((head.retention?.retainUntil ?? 0) >= (known.retainUntil ?? 0)) return;
  executor.submit([{ kind: 'confirm-lock', key, entry: toLocalEntry(known) }], clock.now());
}
