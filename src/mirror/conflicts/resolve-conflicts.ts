/** Lists and resolves conflicts. The user's decision is stored first; a sync round then carries it out. */

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
} from './conflicts.ts';
import { pathOfKey } from '../model/local-path.ts';
import { keyMatcher } from '../local/patterns/pattern-matcher.ts';
import type { ConflictEntry, HeldRow } from '../model/conflict.ts';
import type { StateFile } from '../state/state-file.ts';
import type { Tracker } from '../model/tracker.ts';
import type { LocalEntry } from '../model/types.ts';

export interface ConflictParts {
  readonly state: StateFile;
  readonly tracker: Tracker;
  readonly clock: Clock;
  /** Starts a full round. Resolves when the round is over, or when the job cannot continue. */
  readonly requestRound: () => Promise<void>;
}

const PAGE = 1_000;
const STEPS_SHOWN = 100;
/**
 * Number of consecutive rounds without a resolved conflict after which the call returns. One round is not enough,
 * because it skips keys with a transfer in progress.
 */
const IDLE_ROUNDS = 2;

export function controlConflicts(parts: ConflictParts): ConflictControl {
  const { state } = parts;
  return {
    list: (page) => {
      const { known, next } = listKnown(state, page);
      return { conflicts: known.map(({ conflict }) => conflict), ...defined({ next }) };
    },
    show: (path) => knownAt(state, path).map(({ conflict }) => conflict),
    resolve: (choice) => resolveConflicts(parts, choice),
  };
}

export interface Known {
  readonly key: string;
  readonly conflict: Conflict;
}

/** Lists held conflicts together with conflict log entries, in byte order of their keys. */
export function listKnown(
  { held, conflicts, baseline }: StateFile,
  { after = '\0', limit, resolved = false }: Parameters<ConflictControl['list']>[0],
): { readonly known: readonly Known[]; readonly next?: string } {
  const [key = '', id = ''] = after.split('\0');
  const found = [
    ...held.conflictsAfter(key, limit).map(describeHeld),
    ...conflicts.page({ key, id }, limit, resolved).map((entry) => describeEntry(entry, baseline)),
  ];
  found.sort((a, b) => compareUtf8(a.key, b.key) || compareUtf8(a.conflict.id, b.conflict.id));
  const known = found.slice(0, limit);
  const last = known.at(-1);
  const isMore = found.length >= limit && last !== undefined;
  return { known, ...(isMore && { next: `${last.key}\0${last.conflict.id}` }) };
}

function knownAt({ held, conflicts, baseline }: StateFile, path: string): readonly Known[] {
  const keys = [path, `${path}/`];
  const rows = keys.flatMap((key) => held.get(key) ?? []).filter(({ head }) => head);
  const entries = keys.flatMap((key) => conflicts.of(key));
  return [...rows.map(describeHeld), ...entries.map((entry) => describeEntry(entry, baseline))];
}

function describeHeld({ key, entry, since, head, wish }: HeldRow): Known {
  const { etag = '', versionId, sizeBytes, sha256 } = head ?? {};
  const known = { etag, versionId, sizeBytes, sha256, wish, stands: otherSide(entry) };
  const what = { id: '', path: pathOfKey(key), state: 'held', side: 'bucket', at: since } as const;
  return { key, conflict: defined({ ...what, ...known }) };
}

function describeEntry(
  { key, ...entry }: ConflictEntry,
  baseline: Pick<StateFile['baseline'], 'get'>,
): Known {
  const state = entry.resolvedAt === undefined ? 'open' : 'resolved';
  const stands = otherSide(baseline.get(key));
  return { key, conflict: { ...entry, path: pathOfKey(key), state, ...defined({ stands }) } };
}

function otherSide(entry: LocalEntry | undefined): Conflict['stands'] {
  return entry && { sizeBytes: entry.sizeBytes, modifiedAt: entry.mtimeMs };
}

async function resolveConflicts(
  { state, tracker, clock, requestRound }: ConflictParts,
  { keep, dryRun = false, ...which }: ResolveChoice,
): Promise<ResolveReport> {
  const chosen = chosenBy(which, state);
  const matched = chosen.length;
  const steps = chosen.map(({ conflict }) => ({
    path: conflict.path,
    does: stepOf(conflict, keep),
  }));
  const counts = { dismiss: 0, cover: 0, replace: 0, beside: 0 };
  for (const { does } of steps) counts[does] += 1;
  const plan = { matched, counts, steps: steps.slice(0, STEPS_SHOWN) };
  if (dryRun) return { ...plan, resolved: 0, waiting: [] };
  state.conflicts.together(() => {
    for (const each of chosen) decide(each, keep, state, clock.now());
  });
  let left = chosen.filter((each) => isOpen(each, state));
  for (let idle = 0; left.length > 0 && idle < IDLE_ROUNDS;) {
    await requestRound();
    const rest = left.filter((each) => isOpen(each, state));
    idle = rest.length < left.length ? 0 : idle + 1;
    left = rest;
  }
  const waiting = left.slice(0, STEPS_SHOWN).map(({ conflict: { path } }) => ({
    path,
    why:
      tracker.problemOf(path) ??
      'the job has not processed the decision yet, or both sides changed again',
  }));
  return { ...plan, steps: [], resolved: matched - left.length, waiting };
}

/**
 * Returns the unresolved conflicts that the user selected. If the user gave exact paths, they are found without reading
 * all conflicts.
 */
function chosenBy(
  { patterns, paths }: Pick<ResolveChoice, 'patterns' | 'paths'>,
  state: StateFile,
): readonly Known[] {
  if (!paths) return choose(state, patterns);
  const known = [...new Set(paths)].flatMap((path) => knownAt(state, path));
  return known.filter(({ conflict }) => conflict.state !== 'resolved');
}

function choose(state: StateFile, patterns: readonly string[] | undefined): readonly Known[] {
  const matches = patterns && matcher(patterns);
  const chosen: Known[] = [];
  let after: string | undefined;
  do {
    const { known, next } = listKnown(state, { limit: PAGE, ...defined({ after }) });
    for (const each of known) if (!matches || matches(each.conflict.path)) chosen.push(each);
    after = next;
  } while (after !== undefined);
  return chosen;
}

/**
 * Returns a function that matches a path as a pattern, and also literally in case it contains pattern characters. A
 * leading slash anchors the pattern at the job's folder.
 */
function matcher(patterns: readonly string[]): (path: string) => boolean {
  const exact = new Set(patterns.map((pattern) => pattern.replace(/^\//, '')));
  const matches = keyMatcher(patterns);
  return (path) => exact.has(path) || matches(path);
}

function stepOf({ state, side }: Conflict, keep: Resolution): ResolveStep {
  if (keep === 'both') return 'beside';
  if (state === 'held') return keep === 'local' ? 'cover' : 'replace';
  return keep === sideKept(side) ? 'dismiss' : 'replace';
}

/** Returns the side whose content remained when the other side was superseded. */
function sideKept(replacedContent: Conflict['side']): Resolution {
  return replacedContent === 'bucket' ? 'local' : 'remote';
}

function decide({ key, conflict }: Known, keep: Resolution, state: StateFile, now: number): void {
  if (conflict.id === '') state.held.requestResolution(key, keep);
  else if (stepOf(conflict, keep) === 'dismiss') state.conflicts.resolve(conflict.id, keep, now);
  else state.conflicts.requestResolution(conflict.id, keep);
}

function isOpen({ key, conflict: { id } }: Known, { held, conflicts }: StateFile): boolean {
  if (id === '') return held.get(key)?.head !== undefined;
  return conflicts.of(key).some((entry) => entry.id === id && entry.resolvedAt === undefined);
}
