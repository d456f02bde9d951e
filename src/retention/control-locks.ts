/** Implements `LockControl`: reports and releases the locks of a job, and deletes the objects of excluded files. */

import { type Excluder, isExcluded } from '../mirror/local/exclude.ts';
import { defined } from '../base/defined.ts';
import type { DefaultRetention } from '../object-store/locks.ts';
import { isStorageError } from '../object-store/storage-error.ts';
import { pathOfKey } from '../mirror/model/local-path.ts';
import { MirrorError } from '../mirror/model/mirror-error.ts';
import type { StateFile } from '../mirror/state/state-file.ts';
import { type Destination, readHead } from '../mirror/objects/destination.ts';
import type { Tracker } from '../mirror/model/tracker.ts';
import type { BaselineEntry, MirrorJob } from '../mirror/model/types.ts';
import type { LockControl, LockReasons, ReleasedLocks } from './lock-control.ts';
import type { LockStatus } from './lock-status.ts';
import type { LockRuleOf } from '../mirror/objects/lock-rules.ts';

export interface LockControlParts {
  readonly job: Pick<MirrorJob, 'name'>;
  readonly destination: Destination;
  readonly state: StateFile;
  readonly tracker: Tracker;
  readonly excluder: Excluder;
  readonly ruleOf: LockRuleOf;
  readonly status: () => LockStatus | undefined;
  readonly bucketDefault: () => DefaultRetention | undefined;
  readonly startRound: () => void;
}

const RETAINED_SHOWN = 100;

export function controlLocks(parts: LockControlParts): LockControl {
  const { state } = parts;
  return {
    report: () => ({
      ...defined({ status: parts.status() }),
      days: state.locks.days(),
      retained: state.retained.page(RETAINED_SHOWN),
    }),
    why: (path, signal) => explain(keyAt(path, state), parts, signal),
    release: (path) => releaseBelow(path, parts),
    forget: (path) => forgetBelow(path, parts),
  };
}

async function explain(
  key: string,
  { job, destination, state, tracker, ruleOf, bucketDefault }: LockControlParts,
  signal: AbortSignal,
): Promise<LockReasons> {
  const baseline = mirrored(key, { job, state, tracker });
  const { settings, pattern } = ruleOf(key);
  const row = state.locks.row(key);
  const released = row !== undefined && row.released !== null;
  const [version, head] = await Promise.all([
    readLocks(destination, key, baseline, signal),
    readHead(destination, key, signal),
  ]);
  const isCurrent = head !== 'absent' && head.etag === baseline.etag;
  const isRenewed = settings !== undefined && !released;
  return {
    key,
    isHead: isCurrent,
    released,
    legalHold: version?.legalHold === true,
    ends: endText({
      isRenewed,
      isRetained: version?.retention !== undefined,
      legalHold: version?.legalHold === true,
    }),
    ...defined({
      versionId: baseline.versionId,
      terms: settings && {
        mode: settings.mode,
        days: settings.days,
        refreshDays: settings.refreshDays,
      },
      pattern,
      retention: version?.retention,
      renewedAt: isRenewed ? (row?.dueAt ?? undefined) : undefined,
      problem: tracker.problemOf(baseline.path),
      bucketDefault: bucketDefault(),
    }),
  };
}

async function readLocks(
  { store, bucket, prefix }: Destination,
  key: string,
  { versionId }: BaselineEntry,
  signal: AbortSignal,
) {
  try {
    const object = { bucket, key: prefix + key, ...defined({ versionId }) };
    return (await store.headObject(object, { signal })).info;
  } catch (error) {
    if (isStorageError(error, 'NoSuchKey', 'NoSuchVersion')) return undefined;
    throw error;
  }
}

function endText({
  isRenewed,
  isRetained,
  legalHold,
}: {
  readonly isRenewed: boolean;
  /** Whether the service reports a retention for the version. */
  readonly isRetained: boolean;
  readonly legalHold: boolean;
}): string {
  const hold = legalHold ? 'its legal hold stays until a user removes it; ' : '';
  if (!isRetained && isRenewed) return `${hold}the job has not locked it yet, and retries`;
  if (!isRetained && legalHold)
    return `${hold}after that, any client with the permission can remove it`;
  if (!isRetained) return 'any client with the permission can remove this version';
  if (!isRenewed) return `${hold}its retention expires, because the job does not renew it`;
  return (
    `${hold}the job renews its retention until the file is deleted, a new version exists, ` +
    '`holdfast lock release` ends the renewal, or the job is removed; then its retention expires'
  );
}

function releaseBelow(path: string, { job, state, tracker }: LockControlParts): ReleasedLocks {
  const released = state.locks.release(
    keysAt(path, { job, state }).flatMap((key) => {
      const entry = state.baseline.get(key);
      return entry ? [[key, entry] as const] : [];
    }),
  );
  const ends = { firstEnd: Number.POSITIVE_INFINITY, lastEnd: 0 };
  for (const { retainUntil } of released) {
    ends.firstEnd = Math.min(ends.firstEnd, retainUntil ?? 0);
    ends.lastEnd = Math.max(ends.lastEnd, retainUntil ?? 0);
  }
  if (released.length > 0) tracker.changed();
  return { versions: released.length, ...(released.length > 0 && ends) };
}

function forgetBelow(
  path: string,
  { job, state, excluder, startRound }: LockControlParts,
): { readonly objects: number } {
  const keys = keysAt(path, { job, state });
  const mirroredKey = keys.find((key) => !isExcluded(key, excluder));
  if (mirroredKey !== undefined)
    throw new MirrorError(
      'StillMirrored',
      `cannot forget ${path}: ${mirroredKey === path ? 'it' : mirroredKey} is mirrored; delete the file or exclude it (\`exclude\` of the job in config.yaml), then forget it`,
    );
  const held = [...state.heldChanges.among(keys)].find(([, { state: is }]) => is === 'held');
  if (held)
    throw new MirrorError(
      'HeldForReview',
      `cannot forget ${path}: a change to ${pathOfKey(held[0])} is held for review; approve or reject it first (\`holdfast job review ${job.name}\`)`,
    );
  state.together(() => {
    for (const key of keys) state.forgotten.put({ key }, true);
  });
  startRound();
  return { objects: keys.length };
}

/**
 * Returns the keys of the backed-up files at and below `path`. Throws MirrorError `NotMirrored` if there are none.
 */
function keysAt(
  path: string,
  { job, state }: Pick<LockControlParts, 'job' | 'state'>,
): readonly string[] {
  const below = state.baseline.keysBelow(`${path}/`);
  const keys = state.baseline.get(path) ? [path, ...below] : below;
  if (keys.length > 0) return keys;
  throw notMirrored(path, job.name);
}

function keyAt(path: string, state: StateFile): string {
  return state.baseline.get(path) ? path : `${path}/`;
}

function mirrored(
  key: string,
  { job, state, tracker }: Pick<LockControlParts, 'job' | 'state' | 'tracker'>,
): BaselineEntry {
  const entry = state.baseline.get(key);
  const path = pathOfKey(key);
  if (!entry) throw notMirrored(path, job.name, tracker.problemOf(path));
  return entry;
}

function notMirrored(path: string, job: string, problem?: string): MirrorError {
  const why = problem === undefined ? '' : `: ${problem}`;
  return new MirrorError(
    'NotMirrored',
    `the job does not mirror a file or folder "${path}"${why}`,
    { hint: `to list the files of the job: holdfast history ${job} --at now` },
  );
}
