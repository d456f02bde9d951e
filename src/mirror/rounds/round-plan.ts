/** What a round found, planned slice by slice and handed to the executor; deletes last, and together. */

import type { Clock } from '../../base/clock.ts';
import { type Action, entryOf } from '../plan/action.ts';
import { keyProblem } from '../local/attributes.ts';
import type { AlarmContext } from '../brake/alarm.ts';
import { noteHeldDeletes } from '../brake/held-deletes.ts';
import { type TreeDeletes, treeDeletes } from '../brake/tree-deletes.ts';
import { weighGone } from '../brake/weigh-gone.ts';
import { countChanges, deleteLimit, DELETE_WINDOW_MS, isDelete } from '../plan/brakes.ts';
import type { Excluder } from '../local/exclude.ts';
import type { TreeMember } from '../local/folder-tree.ts';
import type { RecentReads } from '../local/recent-reads.ts';
import type { Executor } from '../perform/execute.ts';
import { unchanged } from '../local/file-body.ts';
import { asLocal } from '../local/local-entry.ts';
import { pathOfKey } from '../local/local-path.ts';
import { isUnseen, planMirror } from '../plan/plan.ts';
import type {
  DeleteBrake,
  Halt,
  Plan,
  PlanInput,
  PlanPolicy,
  RemoteHead,
} from '../plan/plan-types.ts';
import type { Retries } from '../perform/retries.ts';
import { isThereAgain } from '../local/is-there.ts';
import type { Deferrals } from './deferrals.ts';
import { lookLater, lookLaterAtGone } from './look-later.ts';
import type { StateFile } from '../state/state.ts';
import type { Tracker } from '../tracker.ts';
import type { WatchDoubt } from './watch-doubt.ts';
import type { LocalEntry } from '../types.ts';

export interface RoundContext extends AlarmContext {
  readonly root: string;
  readonly prefix: string;
  readonly state: StateFile;
  readonly excluder: Excluder;
  readonly clock: Clock;
  readonly tracker: Tracker;
  readonly retries: Retries;
  readonly reads: RecentReads;
  readonly deferrals: Deferrals;
  readonly executor: Executor;
  readonly signal: AbortSignal;
  /** Lists folders, and watches them before. */
  readonly tree: TreeMember;
  readonly doubt: WatchDoubt;
  /** Has a path looked at again. */
  readonly hint: (path: string) => void;
  readonly policy: () => PlanPolicy;
  readonly record: (plan: Plan) => void;
  /** Throws when the root is not the folder that was mirrored: what is missing then is no delete. */
  readonly checkRoot: () => void;
}

export interface RoundOutcome {
  /** Deletes are held that were not before. */
  readonly holds: boolean;
  /** Actions planned. */
  readonly actions: number;
  /** Something changed, and is still being sent as it was before. */
  readonly isLate: boolean;
}

/** What a round gathers on its way. */
export interface Gathered {
  /** Everything that is missing is at hand: deletes that were held are weighed anew. */
  readonly isFull: boolean;
  /** Somebody waits for it: no change is deferred. */
  readonly isUrgent: boolean;
  readonly since: number;
  /** Listings that began after this moment will do. */
  readonly after: number;
  readonly remote: Map<string, RemoteHead>;
  readonly missing: string[];
  readonly unlisted: Set<string>;
  readonly scanned: Set<string>;
  actions: number;
  isLate: boolean;
}

/** Keys planned at a time where many are at hand. */
const SLICE_KEYS = 512;

export async function planTouched(
  touched: ReadonlyMap<string, LocalEntry>,
  context: RoundContext,
  gathered: Gathered,
): Promise<void> {
  let slice = new Map<string, LocalEntry>();
  for (const [key, entry] of touched) {
    if (isPlannable(key, entry, context, gathered)) slice.set(key, entry);
    if (slice.size < SLICE_KEYS) continue;
    await planSlice(slice, context, gathered);
    slice = new Map();
  }
  if (slice.size > 0) await planSlice(slice, context, gathered);
}

/** Not planned: what is under way as it is, waits for its next try, or is held as it is. */
function isPlannable(
  key: string,
  entry: LocalEntry,
  context: RoundContext,
  gathered: Gathered,
): boolean {
  const { prefix, state, tracker, reads, retries, deferrals } = context;
  const { remote, isUrgent } = gathered;
  const problem = keyProblem(entry, prefix);
  if (problem) {
    tracker.setProblem(problem);
    return false;
  }
  const underWay = tracker.underWay(key);
  if (underWay) {
    const isSame = underWay.entry !== undefined && unchanged(underWay.entry, entry);
    if (!isSame || reads.isUnsure(entry.path)) lookLater(key, context, gathered);
    return false;
  }
  if (retries.isWaiting(entry.path, isUrgent)) return false;
  const waiting = remote.has(key) ? undefined : state.held.get(key)?.entry;
  const held = state.heldOverwrites.entry(key) ?? waiting;
  if (held && unchanged(held, entry)) return false;
  return isUrgent || !deferrals.defers(key, entry.path);
}

/** Heads that differ where nothing changed locally: drift, vanished heads, objects of others. */
export async function planRemote(context: RoundContext, gathered: Gathered): Promise<void> {
  const { state, tracker } = context;
  const missing = new Set(gathered.missing);
  let foreign = 0;
  let slice = new Map<string, LocalEntry>();
  for (const key of gathered.remote.keys()) {
    if (missing.has(key) || tracker.underWay(key)) continue;
    const entry = state.baseline.get(key);
    if (entry) slice.set(key, asLocal(entry));
    else foreign++;
    if (slice.size < SLICE_KEYS) continue;
    await planSlice(slice, context, gathered);
    slice = new Map();
  }
  tracker.setForeign(foreign);
  if (slice.size > 0) await planSlice(slice, context, gathered);
}

async function planSlice(
  entries: ReadonlyMap<string, LocalEntry>,
  context: RoundContext,
  gathered: Gathered,
): Promise<void> {
  const { executor, record } = context;
  const keys = [...entries.keys()];
  const plan = planMirror(planInput({ keys, entries }, context, gathered));
  // What a remote scan told of a key is used once: from here on the key's own work knows better.
  for (const key of keys) gathered.remote.delete(key);
  record(plan);
  submit(plan.actions, context, gathered);
  await executor.room();
}

function submit(actions: readonly Action[], { executor }: RoundContext, gathered: Gathered): void {
  gathered.actions += actions.length;
  executor.submit(actions, gathered.since);
}

/** Deletes: planned when everything new is on its way, so that a moved file is never nowhere. */
export async function planMissing(
  context: RoundContext,
  gathered: Gathered,
): Promise<RoundOutcome> {
  lookLaterAtGone(context, gathered);
  const { retries, state } = context;
  const { heldOverwrites } = state;
  const isHidden = (key: string) => isUnseen(key, gathered.unlisted);
  const isGone = (key: string) => isHidden(key) || !isSeenNow(key, context);
  const missing = gathered.missing.filter(
    (key) => !isBusyMissing(key, context, gathered) && isGone(key) && !heldOverwrites.keeps(key),
  );
  if (gathered.isFull) state.heldDeletes.keepOnly(missing);
  const isEarly = (key: string) => retries.isDeleteWaiting(pathOfKey(key), gathered.isUrgent);
  const keys = missing.filter((key) => !isHidden(key) && !isEarly(key));
  const heldBefore = heldBeforeOf(context, gathered);
  const halt = keys.length > 0 ? await planDeletes(keys, context, gathered) : undefined;
  context.executor.flush();
  const { actions, isLate } = gathered;
  return { actions, isLate, holds: halt !== undefined && heldBefore === 0 };
}

async function planDeletes(
  keys: readonly string[],
  context: RoundContext,
  gathered: Gathered,
): Promise<Halt | undefined> {
  const { state, clock, tracker, record } = context;
  context.checkRoot();
  const trees = treeDeletes(state, clock.now());
  const brake = await weighDeletes(keys, trees, context, gathered);
  state.together(() => {
    for (const key of keys) state.heldOverwrites.release(key);
  });
  const input = planInput({ keys, entries: new Map() }, context, gathered);
  const plan = planMirror({ ...input, policy: { ...input.policy, brake } });
  record(plan);
  const isLoss = (action: Action) => isDelete(action) && !brake.exempt.has(action.key);
  const losses = plan.actions.filter(isLoss);
  const deletes = countChanges(losses, brake);
  const at = clock.now();
  // Before these are counted, and while none waits: what is held already keeps its own.
  if (plan.halt && !state.heldDeletes.isAnyWaiting())
    noteHeldDeletes(state, {
      deletes: brake.recentDeletes + deletes,
      files: plan.halt.isMass ? brake.files : undefined,
      now: at,
    });
  if (deletes > 0) state.countDeletes(deletes, { at, forgetBefore: at - DELETE_WINDOW_MS });
  trees.note(losses.map(({ key }) => key));
  state.heldDeletes.holdAmong(keys, plan.halt?.held.map(({ key }) => key) ?? []);
  tracker.changed();
  submit(plan.actions, context, gathered);
  return plan.halt;
}

/** A full round weighs all anew. */
function heldBeforeOf({ state }: RoundContext, { isFull }: Gathered): number {
  return isFull ? 0 : state.heldChanges.counts().deletes;
}

function isBusyMissing(key: string, context: RoundContext, gathered: Gathered): boolean {
  const underWay = context.tracker.underWay(key);
  if (underWay?.entry) lookLater(key, context, gathered);
  return underWay !== undefined;
}

/** Then its folder is scanned again. What is left out is there, too, and is no delete. */
function isSeenNow(key: string, { root, excluder, hint }: RoundContext): boolean {
  if (!isThereAgain(root, key) || isExcluded(key, excluder)) return false;
  hint(pathOfKey(key));
  return true;
}

/** Looking for renamed content reads the whole baseline: only where the brake would act. */
async function weighDeletes(
  keys: readonly string[],
  { unitOf }: TreeDeletes,
  context: RoundContext,
  gathered: Gathered,
): Promise<DeleteBrake> {
  const { executor, retries, state, policy } = context;
  const heldBefore = heldBeforeOf(context, gathered);
  const { files, recentDeletes } = policy().brake;
  const exempt = new Set([
    ...state.heldDeletes.approvedAmong(keys),
    ...state.forgotten.among(keys),
    // Weighed when they were first tried.
    ...keys.filter((key) => retries.isUndeleted(pathOfKey(key))),
  ]);
  const suspects = await weighGone(keys, context);
  const brake = { files, recentDeletes, heldBefore, exempt, suspects, unitOf };
  // While others are held, what stands elsewhere may be held there: a full round tells.
  const counting = keys.filter((key) => !exempt.has(key)).map((key) => ({ key }));
  const mayPass = recentDeletes + countChanges(counting, brake) <= deleteLimit(files);
  if (heldBefore > 0 || mayPass) return brake;
  // Until the new names of renamed files are in the baseline, their content counts as lost.
  await executor.idle(hasSizeOf(keys, state));
  return { ...brake, exempt: new Set([...exempt, ...state.baseline.keptElsewhere(keys)]) };
}

/** What may be one of these files under a new name; a large file of another size may take hours. */
function hasSizeOf(keys: readonly string[], { baseline }: StateFile): (action: Action) => boolean {
  const sizes = new Set(keys.flatMap((key) => baseline.get(key)?.sizeBytes ?? []));
  return (action) => sizes.has(entryOf(action)?.sizeBytes ?? -1);
}

function planInput(
  {
    keys,
    entries,
  }: { readonly keys: readonly string[]; readonly entries: ReadonlyMap<string, LocalEntry> },
  { state, excluder, clock, policy }: RoundContext,
  { remote, unlisted }: Gathered,
): PlanInput {
  const baseline = new Map(
    keys.flatMap((key) => {
      const row = state.baseline.get(key);
      return row ? [[key, row] as const] : [];
    }),
  );
  const heads = new Map(
    keys.flatMap((key) => {
      const head = remote.get(key);
      return head === undefined ? [] : [[key, head] as const];
    }),
  );
  // What is left out stays, until the user says that it is to go.
  const forgotten = state.forgotten.among(keys);
  const excludes = (key: string) => !forgotten.has(key) && isExcluded(key, excluder);
  return {
    baseline,
    local: { entries, unlisted, excludes },
    remote: heads,
    policy: policy(),
    now: clock.now(),
  };
}

/** The patterns are asked from the top: nothing comes back below a folder that is left out. */
export function isExcluded(key: string, excluder: Excluder): boolean {
  for (let slash = key.indexOf('/'); slash >= 0; slash = key.indexOf('/', slash + 1))
    if (excluder.excludes(key.slice(0, slash), true)) return true;
  return !key.endsWith('/') && excluder.excludes(key, false);
}
