/** What a round found, planned slice by slice and handed to the executor. */

import type { Clock } from '../../base/clock.ts';
import type { Action } from '../plan/action.ts';
import { keyProblem } from '../objects/object-metadata.ts';
import type { AlarmContext } from '../guard/anomaly-alarm.ts';
import { type Excluder, isExcluded } from '../local/exclude.ts';
import type { TreeMember } from '../local/folder-tree.ts';
import type { RecentReads } from '../local/recent-reads.ts';
import type { Executor } from '../transfer/executor.ts';
import { unchanged } from '../local/file-body.ts';
import { asLocal } from '../local/local-entry.ts';
import { planMirror } from '../plan/plan.ts';
import type { Plan, PlanInput, PlanPolicy, RemoteHead } from '../plan/plan-types.ts';
import type { Retries } from '../transfer/retries.ts';
import type { Deferrals } from '../limits/deferrals.ts';
import { lookLater, readHeadLater } from './recheck-later.ts';
import type { StateFile } from '../state/state.ts';
import type { Tracker } from '../model/activity.ts';
import type { WatchDoubt } from './watch-doubt.ts';
import type { LocalEntry } from '../model/types.ts';

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
  /** Actions planned. */
  readonly actions: number;
  /** Something changed, and is still being sent as it was before. */
  readonly isLate: boolean;
}

/** What a round gathers on its way. */
export interface Gathered {
  /** The whole folder is scanned. */
  readonly isFull: boolean;
  /** Somebody waits for it: no change is deferred. */
  readonly isUrgent: boolean;
  readonly since: number;
  /** Listings that began after this moment will do. */
  readonly after: number;
  readonly remote: Map<string, RemoteHead>;
  /** `remote` has all heads that differ: the bucket was listed. */
  readonly isListed: boolean;
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

/** Not planned: what is under way as it is, waits for its next try, or is held as a conflict. */
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
  const held = remote.has(key) ? undefined : state.held.get(key)?.entry;
  if (held && unchanged(held, entry)) return false;
  return isUrgent || !deferrals.defers(key, entry.path);
}

/** Heads that differ where nothing changed locally: drift, vanished heads, objects of others. */
export async function planRemote(context: RoundContext, gathered: Gathered): Promise<void> {
  const { state, tracker } = context;
  const missing = new Set(gathered.missing);
  const foreign = new Set<string>();
  let slice = new Map<string, LocalEntry>();
  for (const key of gathered.remote.keys()) {
    if (missing.has(key)) continue;
    const entry = state.baseline.get(key);
    if (tracker.underWay(key)) {
      if (entry) readHeadLater(key, entry, context, gathered);
      continue;
    }
    if (entry) slice.set(key, asLocal(entry));
    else foreign.add(key);
    if (slice.size < SLICE_KEYS) continue;
    await planSlice(slice, context, gathered);
    slice = new Map();
  }
  if (gathered.isListed) tracker.foreign.replace(foreign);
  else for (const key of foreign) tracker.foreign.add(key);
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

export function submit(
  actions: readonly Action[],
  { executor }: RoundContext,
  gathered: Gathered,
): void {
  gathered.actions += actions.length;
  executor.submit(actions, gathered.since);
}

export function planInput(
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
    holds: state.holds(keys),
    now: clock.now(),
  };
}
