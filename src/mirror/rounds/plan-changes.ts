/** Plans the changes from a round in slices, and submits the actions to the executor. */

import type { Action } from '../plan/action.ts';
import { keyProblem } from '../objects/object-metadata.ts';
import { isExcluded } from '../local/exclude.ts';
import { unchanged } from '../model/compare.ts';
import { toLocalEntry } from '../local/local-entry.ts';
import { planMirror } from '../plan/plan.ts';
import type { PlanInput } from '../plan/plan-types.ts';
import { recheckLater, readHeadLater } from './recheck-later.ts';
import type { BaselineEntry, LocalEntry } from '../model/types.ts';
import type { Gathered, RoundContext } from './round-context.ts';

/** Maximum number of keys that are planned together. */
const SLICE_KEYS = 512;

/** Baseline rows that were read for a plan's keys; undefined for a key without a row. */
export type KnownRows = ReadonlyMap<string, BaselineEntry | undefined>;

/** Plans new and changed entries. For keys that are not in `known`, reads the baseline row. */
export async function planTouched(
  {
    touched,
    known,
  }: { readonly touched: ReadonlyMap<string, LocalEntry>; readonly known: KnownRows },
  context: RoundContext,
  gathered: Gathered,
): Promise<void> {
  let slice = new Map<string, LocalEntry>();
  for (const [key, entry] of touched) {
    if (isPlannable(key, entry, context, gathered)) slice.set(key, entry);
    if (slice.size < SLICE_KEYS) continue;
    planSlice({ entries: slice, known }, context, gathered);
    slice = new Map();
    await gathered.capacity();
  }
  if (slice.size > 0) planSlice({ entries: slice, known }, context, gathered);
}

/**
 * Returns whether a changed entry may be planned now. It may not if its key is already being uploaded in this state,
 * waits for a retry, or is held as a conflict.
 */
function isPlannable(
  key: string,
  entry: LocalEntry,
  context: RoundContext,
  gathered: Gathered,
): boolean {
  const { prefix, state, tracker, reads, retries, deferrals } = context;
  const { remote, isUrgent, saved, isFirst } = gathered;
  if (!isFirst && saved?.has(key)) return false;
  const problem = keyProblem(entry, prefix);
  if (problem) {
    tracker.setProblem(problem);
    return false;
  }
  const underWay = tracker.underWay(key);
  if (underWay) {
    const isSame = underWay.entry !== undefined && unchanged(underWay.entry, entry);
    if (!isSame || reads.isUncertain(entry.path)) recheckLater(key, context, gathered);
    return false;
  }
  if (retries.isPending(entry.path, isUrgent)) return false;
  const held = remote.has(key) ? undefined : state.held.get(key)?.entry;
  if (held && unchanged(held, entry)) return false;
  return isUrgent || !deferrals.defers(key, entry.path);
}

/**
 * Plans keys whose current version differs from the baseline although the file did not change. Such keys have drifted
 * or lost their object, or another client created their object.
 */
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
    if (entry) slice.set(key, toLocalEntry(entry));
    else foreign.add(key);
    if (slice.size < SLICE_KEYS) continue;
    planSlice({ entries: slice }, context, gathered);
    slice = new Map();
    await context.executor.waitForCapacity();
  }
  leaveRejected(foreign, context, gathered);
  if (gathered.isListed) tracker.foreign.replace(foreign);
  else for (const key of foreign) tracker.foreign.add(key);
  if (slice.size > 0) planSlice({ entries: slice }, context, gathered);
}

/**
 * Removes the keys of rejected deletes from the keys that belong to other clients. If the bucket was listed, also
 * forgets the rejected deletes whose objects no longer exist.
 */
function leaveRejected(
  foreign: Set<string>,
  { state }: RoundContext,
  { isListed, remote }: Gathered,
): void {
  if (!isListed && foreign.size === 0) return;
  for (const key of state.heldChanges.rejectedDeletes()) {
    foreign.delete(key);
    if (isListed && !remote.has(key)) state.heldChanges.releaseRejectedDelete(key);
  }
}

function planSlice(
  { entries, known }: Omit<Planned, 'keys'>,
  context: RoundContext,
  gathered: Gathered,
): void {
  const keys = [...entries.keys()];
  const plan = planMirror(planInput({ keys, entries, known }, context, gathered));
  // A version from the listing is used only once, because later work on the key reads newer information.
  for (const key of keys) gathered.remote.delete(key);
  context.record(plan);
  submit(plan.actions, context, gathered);
  if (gathered.isFirst) for (const key of keys) gathered.saved?.add(key);
}

export function submit(
  actions: readonly Action[],
  { executor }: RoundContext,
  gathered: Gathered,
): void {
  gathered.actions += actions.length;
  executor.submit(actions, gathered.since, { first: gathered.isFirst === true });
}

interface Planned {
  readonly keys: readonly string[];
  readonly entries: ReadonlyMap<string, LocalEntry>;
  readonly known?: KnownRows | undefined;
}

export function planInput(
  { keys, entries, known }: Planned,
  { state, excluder, clock, policy }: RoundContext,
  { remote, unlisted }: Gathered,
): PlanInput {
  const baseline = new Map(
    keys.flatMap((key) => {
      const row = known?.has(key) ? known.get(key) : state.baseline.get(key);
      return row ? [[key, row] as const] : [];
    }),
  );
  const heads = new Map(
    keys.flatMap((key) => {
      const head = remote.get(key);
      return head === undefined ? [] : [[key, head] as const];
    }),
  );
  // Excluded files keep their objects until the user forgets them with `holdfast job forget`.
  const forgotten = state.forgotten.keysAmong(keys);
  const excludes = (key: string) => !forgotten.has(key) && isExcluded(key, excluder);
  return {
    baseline,
    local: { entries, unlisted, excludes },
    remote: heads,
    policy: policy(),
    sameInode: state.baseline.withInodes(inodesOfNew(entries, baseline)),
    holds: state.heldChanges.among(keys),
    now: clock.now(),
  };
}

function inodesOfNew(
  entries: ReadonlyMap<string, LocalEntry>,
  baseline: ReadonlyMap<string, BaselineEntry>,
): readonly number[] {
  const inodes: number[] = [];
  for (const [key, { kind, inode }] of entries)
    if (kind === 'file' && !baseline.has(key)) inodes.push(inode);
  return inodes;
}
