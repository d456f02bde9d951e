/**
 * What other clients change in the bucket while the job runs, as the store reports it: each key is pending until its current
 * version is compared with the baseline. The job's own writes are not reported.
 */

import { setImmediate } from 'node:timers/promises';

import type { Ownership } from '../ownership/ownership.ts';
import { RESERVED_FOLDER, pathOfKey } from '../model/local-path.ts';
import { toLocalEntry } from '../local/local-entry.ts';
import type { ChangeMonitor } from '../../object-store/change-monitor.ts';
import { findHead } from '../transfer/replan.ts';
import type { RemoteHead } from '../plan/plan-types.ts';
import type { JobPlace, ReadHead } from '../objects/destination.ts';
import type { BaselineEntry, Head } from '../model/types.ts';
import type { Agenda } from './agenda.ts';
import { releaseHeldKey } from './held.ts';
import type { RoundContext } from './round-context.ts';

/** In place of a key: the bucket's configuration. No object of a job has this key. */
export const BUCKET = '';
const CLAIM = `${RESERVED_FOLDER}/claim`;

/** Others have their turn between: a head of the embedded store is read within the turn. */
const READ_AT_ONCE = 100;

interface Hearing {
  readonly agenda: Pick<Agenda, 'hear'>;
  readonly locks: { bucketChanged(): void };
  readonly standing: { changed(): void };
}

interface HeardPlace {
  /** Absent for a service that reports nothing. */
  readonly changes?: ChangeMonitor;
  readonly job: { readonly bucket: string; readonly prefix: string };
}

/** Until the signal aborts. */
export function hearChanges(
  { changes, job: { bucket, prefix } }: HeardPlace,
  { agenda, locks, standing }: Hearing,
  signal: AbortSignal,
): void {
  const stop = changes?.onChange({ bucket, prefix }, (changed) => {
    const key = changed?.slice(prefix.length) ?? BUCKET;
    if (changed === undefined) locks.bucketChanged();
    else if (key === '' || (key !== CLAIM && key.startsWith(`${RESERVED_FOLDER}/`))) return;
    agenda.hear(key);
    standing.changed();
  });
  if (stop) signal.addEventListener('abort', stop, { once: true });
}

export interface Heard {
  readonly isBucket: boolean;
  readonly isClaim: boolean;
  readonly keys: readonly string[];
}

export function takeHeard(agenda: Pick<Agenda, 'takeHeard'>): Heard {
  const taken = agenda.takeHeard();
  const keys = [...taken.keys()].filter((key) => key !== BUCKET && key !== CLAIM);
  return { isBucket: taken.has(BUCKET), isClaim: taken.has(CLAIM), keys };
}

export interface ComparedHeads {
  /** Heads that differ from the baseline. */
  readonly remote: Map<string, RemoteHead>;
  /** Whose folders are to be scanned: the planner needs the file as it is now. */
  readonly paths: readonly string[];
}

export interface HeardContext extends RoundContext {
  readonly place: JobPlace;
  readonly claim: Pick<Ownership, 'hold'>;
  readonly lookAtBucket: () => Promise<void>;
  readonly hear: (key: string) => void;
}

/** Reads the bucket's configuration and the claim again, where another client changed them. Rejects as those do. */
export async function checkHeard(
  { isBucket, isClaim }: Omit<Heard, 'keys'>,
  { claim, lookAtBucket, signal }: Pick<HeardContext, 'claim' | 'lookAtBucket' | 'signal'>,
): Promise<void> {
  if (isBucket) await lookAtBucket();
  if (isClaim) await claim.hold(signal);
}

/** Compares the current versions of these keys with the baseline. Rejects as the store does. */
export async function compareHeard(
  keys: readonly string[],
  context: HeardContext,
): Promise<ComparedHeads> {
  const compared = { remote: new Map<string, RemoteHead>(), paths: new Array<string>() };
  for (const [index, key] of keys.entries()) {
    if (index % READ_AT_ONCE === 0) await setImmediate();
    context.signal.throwIfAborted();
    // Before the head is read: the baseline of a write that ends meanwhile is newer than that head.
    if (context.tracker.underWay(key)) compareLater(key, context);
    else compare(key, await findHead(key, context), context, compared);
  }
  return compared;
}

/** What is under way may be a write that the change preceded, or one that it followed. */
function compareLater(key: string, { tracker, hear, hint }: HeardContext): void {
  tracker.whenOver(key, () => {
    hear(key);
    // In place of a hint that waited for the same end.
    hint(pathOfKey(key));
  });
}

function compare(
  key: string,
  head: ReadHead | 'absent',
  context: HeardContext,
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
  else tracker.foreign.delete(key);
  if (held && head === 'absent') releaseHeldKey(key, context);
  // Any other key is a name that another client chose, and may be no path below the root.
  if (known ?? held) paths.push(pathOfKey(key));
}

function isSame(head: RemoteHead, { etag, versionId }: BaselineEntry): boolean {
  return head !== 'absent' && isSameVersion(head, { etag, versionId });
}

/** Where one side has no version id, the ETag decides. */
function isSameVersion(
  head: Pick<Head, 'etag' | 'versionId'>,
  other: { readonly etag: string; readonly versionId: string | undefined },
): boolean {
  if (head.etag !== other.etag) return false;
  return (head.versionId ?? other.versionId) === (other.versionId ?? head.versionId);
}

/** Whether the user decides on a conflict with this very version. */
function isHeldFor(key: string, head: RemoteHead, { state }: HeardContext): boolean {
  const held = state.held.get(key)?.head;
  if (!held || head === 'absent') return false;
  return isSameVersion(head, { etag: held.etag, versionId: held.versionId });
}

/** Another client shortened or removed the lock of a version that the job mirrors. */
function restoreLock(
  key: string,
  head: ReadHead | 'absent',
  known: BaselineEntry,
  { policy, executor, clock, state }: HeardContext,
): void {
  const { bucket, lock } = policy();
  if (bucket !== 'object-lock' || !lock || head === 'absent') return;
  if (typeof state.locks.row(key)?.released === 'string') return;
  if ((head.retention?.retainUntil ?? 0) >= (known.retainUntil ?? 0)) return;
  executor.submit([{ kind: 'confirm-lock', key, entry: toLocalEntry(known) }], clock.now());
}
