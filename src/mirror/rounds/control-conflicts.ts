/** What the user sees and says of conflicts: what is decided is noted first, then done by a round. */

import ignore from 'ignore';

import type { Clock } from '../../base/clock.ts';
import { defined } from '../../base/defined.ts';
import { compareUtf8 } from '../../object-store/rules/listing.ts';
import type {
  Conflict,
  ConflictControl,
  Resolution,
  ResolveChoice,
  ResolveReport,
  ResolveStep,
} from '../conflicts.ts';
import { pathOfKey } from '../local/local-path.ts';
import type { ConflictEntry } from '../state/conflict-table.ts';
import type { HeldRow } from '../state/held-table.ts';
import type { StateFile } from '../state/state.ts';
import type { Tracker } from '../tracker.ts';

export interface ConflictParts {
  readonly state: StateFile;
  readonly tracker: Tracker;
  readonly clock: Clock;
  /** Has a full round begin; resolves when it is over, or the job cannot go on. */
  readonly look: () => Promise<void>;
}

const PAGE = 1_000;
const TOLD = 100;
/** Rounds in which nothing was resolved: what was under way in the first one is done by the next. */
const IDLE_ROUNDS = 2;

export function controlConflicts(parts: ConflictParts): ConflictControl {
  const { state } = parts;
  return {
    list: (page) => {
      const { known, next } = listKnown(state, page);
      return { conflicts: known.map(({ conflict }) => conflict), ...defined({ next }) };
    },
    show: (path) => showConflicts(state, path),
    resolve: (choice) => resolveConflicts(parts, choice),
  };
}

export interface Known {
  readonly key: string;
  readonly conflict: Conflict;
}

/** Those that are held, and those of the ledger, in one order. */
export function listKnown(
  { held, conflicts }: StateFile,
  { after = '\0', limit, resolved = false }: Parameters<ConflictControl['list']>[0],
): { readonly known: readonly Known[]; readonly next?: string } {
  const [key = '', id = ''] = after.split('\0');
  const found = [
    ...held.conflictsAfter(key, limit).map(describeHeld),
    ...conflicts.page({ key, id }, limit, resolved).map(describeEntry),
  ];
  found.sort((a, b) => compareUtf8(a.key, b.key) || compareUtf8(a.conflict.id, b.conflict.id));
  const known = found.slice(0, limit);
  const last = known.at(-1);
  const isMore = found.length >= limit && last !== undefined;
  return { known, ...(isMore && { next: `${last.key}\0${last.conflict.id}` }) };
}

function showConflicts({ held, conflicts }: StateFile, path: string): readonly Conflict[] {
  const keys = [path, `${path}/`];
  const rows = keys.flatMap((key) => held.get(key) ?? []).filter(({ head }) => head);
  const entries = keys.flatMap((key) => conflicts.of(key));
  const known = [...rows.map(describeHeld), ...entries.map(describeEntry)];
  return known.map(({ conflict }) => conflict);
}

function describeHeld({ key, since, head, wish }: HeldRow): Known {
  const { etag = '', versionId, sizeBytes, sha256 } = head ?? {};
  const known = { etag, versionId, sizeBytes, sha256, wish };
  const what = { id: '', path: pathOfKey(key), state: 'held', side: 'bucket', at: since } as const;
  return { key, conflict: defined({ ...what, ...known }) };
}

function describeEntry({ key, ...entry }: ConflictEntry): Known {
  const state = entry.resolvedAt === undefined ? 'open' : 'resolved';
  return { key, conflict: { ...entry, path: pathOfKey(key), state } };
}

async function resolveConflicts(
  { state, tracker, clock, look }: ConflictParts,
  { keep, dryRun = false, ...which }: ResolveChoice,
): Promise<ResolveReport> {
  const chosen = choose(state, matcher(which));
  const matched = chosen.length;
  const steps = chosen.map(({ conflict }) => ({
    path: conflict.path,
    does: stepOf(conflict, keep),
  }));
  if (dryRun) return { matched, steps: steps.slice(0, TOLD), resolved: 0, waiting: [] };
  state.conflicts.together(() => {
    for (const each of chosen) decide(each, keep, state, clock.now());
  });
  let left = chosen.filter((each) => isOpen(each, state));
  for (let idle = 0; left.length > 0 && idle < IDLE_ROUNDS;) {
    await look();
    const rest = left.filter((each) => isOpen(each, state));
    idle = rest.length < left.length ? 0 : idle + 1;
    left = rest;
  }
  const waiting = left.slice(0, TOLD).map(({ conflict: { path } }) => ({
    path,
    why: tracker.problemOf(path) ?? 'the job has not come to it yet, or both sides changed again',
  }));
  return { matched, steps: [], resolved: matched - left.length, waiting };
}

function choose(state: StateFile, matches: (path: string) => boolean): readonly Known[] {
  const chosen: Known[] = [];
  let after: string | undefined;
  do {
    const { known, next } = listKnown(state, { limit: PAGE, ...defined({ after }) });
    chosen.push(...known.filter(({ conflict }) => matches(conflict.path)));
    after = next;
  } while (after !== undefined);
  return chosen;
}

/** A path as it is, whatever a pattern would make of its characters; or a pattern. */
function matcher({
  patterns,
  paths,
}: Pick<ResolveChoice, 'patterns' | 'paths'>): (path: string) => boolean {
  if (!patterns && !paths) return () => true;
  const exact = new Set([...(paths ?? []), ...(patterns ?? [])]);
  const rules = patterns && ignore({ ignorecase: false }).add([...patterns]);
  return (path) => exact.has(path) || rules?.ignores(path) === true;
}

function stepOf({ state, side }: Conflict, keep: Resolution): ResolveStep {
  if (keep === 'both') return 'beside';
  if (state === 'held') return keep === 'local' ? 'cover' : 'replace';
  return keep === sideKept(side) ? 'dismiss' : 'replace';
}

/** Whose bytes stand while the other side's gave way. */
function sideKept(gaveWay: Conflict['side']): Resolution {
  return gaveWay === 'bucket' ? 'local' : 'remote';
}

function decide({ key, conflict }: Known, keep: Resolution, state: StateFile, now: number): void {
  if (conflict.id === '') state.held.wish(key, keep);
  else if (stepOf(conflict, keep) === 'dismiss') state.conflicts.resolve(conflict.id, keep, now);
  else state.conflicts.wish(conflict.id, keep);
}

function isOpen({ key, conflict: { id } }: Known, { held, conflicts }: StateFile): boolean {
  if (id === '') return held.get(key)?.head !== undefined;
  return conflicts.of(key).some((entry) => entry.id === id && entry.resolvedAt === undefined);
}
