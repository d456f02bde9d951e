/** Plans a round's deletes. The mass-change guard counts them together, after all uploads were submitted. */

import { findGitRemovals } from '../guard/git-removals.ts';
import { noteHeldDeletes } from '../guard/prior-deletes.ts';
import { type TreeDeletes, treeDeletes } from '../guard/tree-deletes.ts';
import { isExcluded } from '../local/exclude.ts';
import { isThere, hasReappeared } from '../local/path-exists.ts';
import { pathOfKey } from '../model/local-path.ts';
import { type Action, entryOf } from '../plan/action.ts';
import { examineHead } from '../transfer/step-failure.ts';
import { countChanges, deleteLimit, isCounted, isDelete } from '../plan/delete-limit.ts';
import { isUnseen, planMirror } from '../plan/plan.ts';
import type { DeleteGuard, Halt } from '../plan/plan-types.ts';
import type { StateFile } from '../state/state-file.ts';
import { recheckLater, recheckDeletedLater } from './recheck-later.ts';
import { planInput, submit } from './plan-changes.ts';
import type { Gathered, RoundOutcome, RoundContext } from './round-context.ts';
import { unreadFolders } from './unread-folders.ts';
import { isUnreadElsewhere } from '../transfer/delete-file.ts';

/**
 * Actions are submitted in slices of this number, because a mass delete that the user approved can have millions of
 * actions.
 */
const SUBMITTED_AT_ONCE = 512;

/**
 * Plans a round's deletes after its uploads were submitted, so that a moved file always exists under at least one key.
 */
export async function planMissing(
  context: RoundContext,
  gathered: Gathered,
): Promise<RoundOutcome> {
  recheckDeletedLater(context, gathered);
  const { retries } = context;
  const isUnread = unreadFolders(context, gathered);
  const isHidden = (key: string) =>
    isUnseen(key, gathered.unlisted) || isUnread(key) || isUnreadElsewhere(key, context);
  const isGone = (key: string) => isHidden(key) || !existsNow(key, context);
  const missing = gathered.missing.filter(
    (key) => !isBusyMissing(key, context, gathered) && isGone(key),
  );
  const isEarly = (key: string) => retries.isDeletePending(pathOfKey(key), gathered.isUrgent);
  const keys = missing.filter((key) => !isHidden(key) && !isEarly(key));
  if (keys.length > 0) await planDeletes(keys, context, gathered);
  const { actions, isLate } = gathered;
  return { actions, isLate };
}

async function planDeletes(
  missing: readonly string[],
  context: RoundContext,
  gathered: Gathered,
): Promise<void> {
  const { state, clock, tracker, retries, record } = context;
  context.checkRoot({ isQuick: true });
  const trees = treeDeletes(state, clock.now());
  const { brake, changing } = await countDeletes(missing, trees, context);
  for (const key of changing) retries.schedule(pathOfKey(key), 'unweighed');
  const keys = missing.filter((key) => !changing.has(key));
  for (const path of keys.map(pathOfKey)) if (!retries.isUndeleted(path)) retries.forget(path);
  const input = planInput({ keys, entries: new Map() }, context, gathered);
  const plan = planMirror({ ...input, policy: { ...input.policy, deleteGuard: brake } });
  record(plan);
  const losses = plan.actions.filter((action) => isDelete(action) && isCounted(action, brake));
  state.together(() => {
    if (plan.halt) holdDeletes(plan.halt, { brake, losses }, context);
    trees.note(losses.map(({ key }) => key));
    for (const action of plan.actions) if (isDelete(action)) endOverwrite(action, context);
  });
  tracker.changed();
  const actions = plan.actions.map((action) => readHeadFirst(action, gathered));
  for (let first = 0; first < actions.length; first += SUBMITTED_AT_ONCE) {
    submit(actions.slice(first, first + SUBMITTED_AT_ONCE), context, gathered);
    await context.executor.waitForCapacity();
  }
}

/**
 * Makes the executor read the current version before it deletes a key, because an upload may have ended after the
 * bucket was listed.
 */
function readHeadFirst(action: Action, { remote }: Gathered): Action {
  const isDropped = action.kind === 'drop-baseline' && remote.get(action.key) === 'absent';
  return isDropped ? examineHead(action) : action;
}

/** Holds deletes for review. The holds are durable before any delete in the plan starts. */
function holdDeletes(
  { held, isMass }: Halt,
  { brake, losses }: { readonly brake: DeleteGuard; readonly losses: readonly Action[] },
  context: RoundContext,
): void {
  const { state, clock } = context;
  noteHeldDeletes(state, {
    deletes: brake.recentDeletes + countChanges(losses, brake),
    limit: isMass ? deleteLimit(brake.files) : undefined,
    now: clock.now(),
  });
  for (const action of held) {
    endOverwrite(action, context);
    const head = state.baseline.get(action.key);
    if (head) state.heldChanges.holdDelete(action.key, head);
  }
}

/** Removes the held overwrite of a deleted file, because the delete supersedes it. */
function endOverwrite({ key }: Action, { state, tracker }: RoundContext): void {
  if (state.heldChanges.among([key]).get(key)?.entry === undefined) return;
  state.heldChanges.release(key);
  tracker.clearHeld(key);
}

function isBusyMissing(key: string, context: RoundContext, gathered: Gathered): boolean {
  const underWay = context.tracker.underWay(key);
  if (underWay?.entry) recheckLater(key, context, gathered);
  return underWay !== undefined;
}

/** Returns whether the file exists and is not excluded. If so, queues a scan of its folder. */
function existsNow(key: string, { root, excluder, hint }: RoundContext): boolean {
  if (!hasReappeared(root, key) || isExcluded(key, excluder)) return false;
  hint(pathOfKey(key));
  return true;
}

interface CountedDeletes {
  readonly brake: DeleteGuard;
  /** Keys that are counted later, after git has finished with their work tree. */
  readonly changing: ReadonlySet<string>;
}

/**
 * Counts a round's deletes. Finding renamed content requires a scan of the whole baseline, so it is done only if the
 * guard would otherwise hold deletes.
 */
async function countDeletes(
  keys: readonly string[],
  trees: TreeDeletes,
  context: RoundContext,
): Promise<CountedDeletes> {
  const { executor, state, policy, changeGuard } = context;
  const holds = state.heldChanges.among(keys);
  const exempt = new Set([
    ...state.forgotten.keysAmong(keys),
    ...keys.filter((key) => isStillThere(key, context)),
  ]);
  const suspects = await changeGuard.checkDeletes(keys, context);
  const { unitOf } = trees;
  const brake = { ...policy().deleteGuard, exempt, suspects, unitOf };
  const counting = keys.filter((key) => !exempt.has(key) && !holds.has(key));
  const changes = countChanges(
    counting.map((key) => ({ key })),
    brake,
  );
  const total = brake.recentDeletes + brake.heldBefore + changes;
  if (changes === 0 || total <= deleteLimit(brake.files)) return { brake, changing: new Set() };
  // A renamed file's content counts as lost until its new name is in the baseline.
  await executor.idle(hasSizeOf(counting, state));
  // Held keys may be deleted later, so content under a held key does not count as stored elsewhere.
  const gone = [...new Set([...keys, ...state.heldChanges.deletes()])];
  const kept = state.baseline.keptElsewhere(gone);
  const { removed, changing } = await findGitRemovals([...counting, ...trees.counted()], context);
  trees.regroup(removed);
  const recentDeletes = trees.counted().size;
  const counted = { ...brake, recentDeletes, exempt: new Set([...exempt, ...kept]) };
  return { brake: counted, changing: new Set(counting.filter((key) => changing.has(key))) };
}

/**
 * Returns whether a delete is not counted, because it was counted at its first attempt, or because the folder exists
 * and now has entries.
 */
function isStillThere(key: string, { root, retries }: RoundContext): boolean {
  const path = pathOfKey(key);
  if (retries.isUndeleted(path)) return true;
  return key.endsWith('/') && isThere(root, path, (stats) => stats.isDirectory());
}

/**
 * Returns a filter for actions that may upload one of these files under a new name. Only files of the same size are
 * awaited, because large files may take hours.
 */
function hasSizeOf(keys: readonly string[], { baseline }: StateFile): (action: Action) => boolean {
  const sizes = new Set(keys.flatMap((key) => baseline.get(key)?.sizeBytes ?? []));
  return (action) => sizes.has(entryOf(action)?.sizeBytes ?? -1);
}
