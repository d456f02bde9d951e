/**
 * Starts the conflict resolutions that the user requested, in each full round. Skips keys with a transfer in progress
 * and keys whose file cannot be read.
 */

import { setImmediate } from 'node:timers/promises';

import { defined } from '../../base/defined.ts';
import type { Action, BucketBytes, Resolves } from '../plan/action.ts';
import { unchanged } from '../model/compare.ts';
import { isInaccessible, statsAt } from '../local/path-exists.ts';
import { kindOf, toExactEntry } from '../local/local-entry.ts';
import { pathOfKey } from '../model/local-path.ts';
import type { Executor } from '../transfer/executor.ts';
import { lockCovered } from '../transfer/retain-foreign.ts';
import type { PerformContext } from '../transfer/step-types.ts';
import type { ConflictEntry } from '../model/conflict.ts';
import type { LocalEntry } from '../model/types.ts';

const SUBMITTED_AT_ONCE = 500;

type SettleContext = Pick<PerformContext, 'destination' | 'conflictWindowDays' | 'lockTime'>;

/** The full round that carries out the resolutions. */
interface SettlingRound extends Pick<
  PerformContext,
  'root' | 'state' | 'tracker' | 'clock' | 'signal' | 'hint' | 'policy'
> {
  readonly executor: Pick<Executor, 'submit'>;
}

/**
 * Starts the requested resolutions. `isRemote` means that the bucket was just listed; locks that failed before are then
 * tried again.
 */
export async function settleConflicts(
  context: SettleContext,
  round: SettlingRound,
  isRemote: boolean,
): Promise<void> {
  const { bucket, lock } = round.policy();
  const isLocked = bucket === 'object-lock' && lock !== undefined;
  if (isRemote) await lockCovered({ ...round, ...context }, isLocked, round.signal);
  for (const actions of [heldActions(round), loggedConflictActions(round)])
    for (const slice of slices(actions)) {
      round.executor.submit(slice, round.clock.now());
      await setImmediate();
    }
}

/**
 * Splits the actions into slices. Each action requires an lstat, so the caller yields to the event loop after each
 * slice.
 */
function* slices(actions: Iterable<Action>): Generator<readonly Action[]> {
  let slice: Action[] = [];
  for (const action of actions) {
    if (slice.push(action) < SUBMITTED_AT_ONCE) continue;
    yield slice;
    slice = [];
  }
  if (slice.length > 0) yield slice;
}

/**
 * Yields actions for held conflicts that the user has decided. The planner reads the current version again, because it
 * may have changed since the decision.
 */
function* heldActions({ root, state, tracker, hint }: SettlingRound): Generator<Action> {
  for (const [key, { entry }] of state.held.requested()) {
    if (tracker.underWay(key) || isInaccessible(`${root}/${key}`)) continue;
    const found = statEntry(root, key);
    if (found && unchanged(entry, found)) {
      yield { kind: 'examine', key, entry, readHead: true, hashFile: false };
      continue;
    }
    state.held.requestResolution(key, undefined);
    hint(pathOfKey(key));
  }
}

function* loggedConflictActions({ root, state, tracker }: SettlingRound): Generator<Action> {
  const byKey = Map.groupBy(state.conflicts.requested(), ({ key }) => key);
  for (const [key, entries] of byKey) {
    if (tracker.underWay(key) || state.held.get(key)?.wish) continue;
    if (isInaccessible(`${root}/${key}`)) continue;
    const action = loggedConflictAction(key, entries, statEntry(root, key));
    if (action) yield action;
  }
}

/**
 * Returns a chain of actions for one key. Only the newest content replaces the file. All other content that the user
 * keeps is downloaded to separate files, one after the other.
 */
function loggedConflictAction(
  key: string,
  entries: readonly ConflictEntry[],
  entry: LocalEntry | undefined,
): Action | undefined {
  const besides = entries.filter(({ wish }) => wish === 'both');
  const [newest, ...older] = entries.filter(({ wish }) => wish !== 'both');
  const ids = newest ? [newest.id, ...older.map(({ id }) => id)] : [];
  const resolves: Resolves = { as: newest?.wish ?? 'both', ids };
  const take: Action | undefined = newest && {
    kind: 'download',
    key,
    from: bytesOf(newest),
    resolves,
    ...defined({ entry }),
  };
  return besides.reduceRight<Action | undefined>(
    (next, each) => ({
      kind: 'download-beside',
      key,
      from: bytesOf(each),
      resolves: { as: 'both', ids: [each.id] },
      ...defined({ next }),
    }),
    take,
  );
}

function bytesOf({ at, side, ...entry }: ConflictEntry): BucketBytes {
  const { etag, versionId, savedAs, sizeBytes, sha256 } = entry;
  return defined({
    isHead: false,
    side,
    since: at,
    etag,
    versionId,
    savedAs,
    sizeBytes,
    sha256,
  } as const);
}

function statEntry(root: string, key: string): LocalEntry | undefined {
  const path = pathOfKey(key);
  const stats = statsAt(`${root}/${path}`);
  const kind = stats && kindOf(stats);
  return stats && kind ? toExactEntry(path, kind, stats) : undefined;
}
