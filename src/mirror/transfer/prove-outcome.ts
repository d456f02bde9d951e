/**
 * What a write covered, told by the versions of its key: where a service does not hold to conditions, someone else may
 * have written in the moment between. A version of theirs below ours goes to the ledger; where the job's policy is that
 * the user decides first, or where ours is but a marker, ours is taken back, and the key planned anew.
 */

import { defined } from '../../base/defined.ts';
import type { ListedVersion } from '../../object-store/listing.ts';
import { toLocalEntry } from '../local/local-entry.ts';
import { pathOfKey } from '../model/local-path.ts';
import { failureKind } from '../model/failure-kind.ts';
import { ended, type PerformContext, type Step, type Work } from './step.ts';
import type { JournalRow } from '../state/journal-table.ts';
import type { Settlement, StateFile } from '../state/state.ts';
import { findOwnVersion, type Place } from '../objects/destination.ts';
import type { Activity } from '../model/activity.ts';
import type { BaselineEntry } from '../model/types.ts';
import type { ConditionalWrites } from '../capabilities/conditional-writes.ts';

export interface ProofContext {
  readonly place: Place;
  readonly state: Pick<StateFile, 'baseline'>;
  readonly guards: ConditionalWrites;
  readonly signal: AbortSignal;
}

/**
 * A settlement of a row, with what its version turned out to cover, and that version's id. `marker`: the delete marker that
 * the service answered a delete with; undefined where its answer was lost.
 */
export async function proveSettlement(
  settlement: Settlement,
  row: JournalRow,
  context: ProofContext,
  marker?: string,
): Promise<Settlement> {
  if (context.guards.guarding !== 'proof') return settlement;
  if (row.operation === 'delete') return proveGone(settlement, row, context, marker);
  const { baseline } = settlement;
  return typeof baseline === 'object'
    ? provePut(settlement, { row, baseline }, context)
    : settlement;
}

async function provePut(
  settlement: Settlement,
  { row, baseline }: { readonly row: JournalRow; readonly baseline: BaselineEntry },
  context: ProofContext,
): Promise<Settlement> {
  const { place, signal } = context;
  const { key } = row;
  const versionId = baseline.versionId ?? (await findOwnVersion(place, row, signal))?.versionId;
  if (versionId === undefined) return settlement;
  const below = await versionBelow(place, { key, versionId }, signal);
  const { replacedContent, ...rest } = settlement;
  const proven = { ...rest, baseline: { ...baseline, versionId } };
  if (below?.kind !== 'version') return proven;
  if (replacedContent && below.etag === replacedContent.etag)
    return { ...proven, replacedContent: { ...replacedContent, versionId: below.versionId } };
  // Equal bytes are no conflict, whichever client wrote them.
  if (below.etag === baseline.etag || isOwn(below, row, context)) return proven;
  return { ...proven, replacedContent: foreign(below, row) };
}

async function proveGone(
  settlement: Settlement,
  row: JournalRow,
  { place, signal, ...context }: ProofContext,
  marker: string | undefined,
): Promise<Settlement> {
  const { key } = row;
  // Another client may have written on top of the marker since.
  const below =
    marker === undefined
      ? await belowTopMarker(place, key, signal)
      : await versionBelow(place, { key, versionId: marker }, signal);
  if (below?.kind !== 'version') return settlement;
  return isOwn(below, row, context)
    ? settlement
    : { ...settlement, replacedContent: foreign(below, row) };
}

/** What the current delete marker covers, whichever client made the marker. */
async function belowTopMarker(
  place: Place,
  key: string,
  signal: AbortSignal,
): Promise<ListedVersion | undefined> {
  const [top, below] = await newestOf(place, key, signal);
  return top?.kind === 'delete-marker' ? below : undefined;
}

/** The version of the baseline, or the one that the row expected: not another client's. */
function isOwn(
  { etag }: ListedVersion,
  { key, expected, supersedes }: JournalRow,
  { state }: Pick<ProofContext, 'state'>,
): boolean {
  if (etag === state.baseline.get(key)?.etag) return true;
  return supersedes === undefined && etag === expected;
}

function foreign(
  { etag, versionId, sizeBytes }: ListedVersion,
  { id, startedAt: at }: JournalRow,
): NonNullable<Settlement['replacedContent']> {
  return { id, side: 'bucket', at, etag, versionId, sizeBytes };
}

/** A step that ends a row, with what is to be done about what it covered. */
export async function proveStep(
  step: Step,
  row: JournalRow,
  context: PerformContext,
): Promise<Step> {
  const { settlement, marker } = step;
  if (!settlement || context.guards.guarding !== 'proof') return step;
  const proven = await proveSettlement(settlement, row, context, marker);
  const found = proven.replacedContent;
  // What the plan knew of was covered knowingly.
  if (!found || found.etag === settlement.replacedContent?.etag)
    return { ...step, settlement: proven };
  const ours = row.operation === 'delete' ? marker : ownVersion(proven);
  if (ours !== undefined && isUndone(row, context) && (await takeBack(ours, row, context))) {
    const activity = noticed(row, 'ours was taken back, and theirs is the current one again');
    return { is: 'again', settlement: ended(row), activity, works: [lookAgain(row)] };
  }
  return { ...step, settlement: proven, activity: noticed(row, 'what they wrote is kept below') };
}

/** With the file of a put: a key without one would count as deleted. */
export function lookAgain({ key, entry, operation }: JournalRow): Work {
  const isWeighed = operation === 'delete' || undefined;
  const known = defined({ entry: entry && toLocalEntry(entry), isWeighed });
  return {
    action: { kind: 'examine', key, readHead: true, hashFile: false, ...known },
    attempts: 0,
  };
}

function ownVersion({ baseline }: Settlement): string | undefined {
  return typeof baseline === 'object' ? baseline.versionId : undefined;
}

/** D × X keeps the head; so does C × X where the user is to decide first, or the bucket is right. */
function isUndone({ operation }: JournalRow, { policy }: PerformContext): boolean {
  const { conflict } = policy();
  return operation === 'delete' || conflict === 'ask' || conflict === 'remote';
}

/** Returns whether it could be: a lock keeps a version, and not everybody may remove one. */
async function takeBack(
  versionId: string,
  { key }: JournalRow,
  { place: { store, bucket, prefix }, signal }: PerformContext,
): Promise<boolean> {
  try {
    await store.deleteObject({ bucket, key: prefix + key, versionId }, { signal });
    return true;
  } catch (error) {
    if (failureKind(error) !== 'refused') throw error;
    return false;
  }
}

function noticed({ key, operation }: JournalRow, outcome: string): Activity {
  const what = operation === 'delete' ? 'a delete' : 'a new version';
  const message = `someone else wrote there in the moment of ${what}: ${outcome}`;
  return { level: 'warn', action: 'conflict', path: pathOfKey(key), message };
}

/** What lies directly below one version, or marker, of a key; undefined where nothing does, or where that is gone. */
async function versionBelow(
  { store, bucket, prefix }: Place,
  { key, versionId }: { readonly key: string; readonly versionId: string },
  signal: AbortSignal,
): Promise<ListedVersion | undefined> {
  const fullKey = prefix + key;
  const after = { keyMarker: fullKey, versionIdMarker: versionId };
  const request = { bucket, prefix: fullKey, ...after, maxKeys: 1 };
  const { versions } = await store.listVersions(request, { signal });
  return versions.find((version) => version.key === fullKey);
}

/** The current version or marker, and what lies below it. */
async function newestOf(
  { store, bucket, prefix }: Place,
  key: string,
  signal: AbortSignal,
): Promise<readonly ListedVersion[]> {
  const fullKey = prefix + key;
  const request = { bucket, prefix: fullKey, maxKeys: 2 };
  const { versions } = await store.listVersions(request, { signal });
  return versions.filter((version) => version.key === fullKey);
}
