/**
 * Determines from a key's versions which version a write superseded. If a service ignores conditions, another client
 * may have written just before this write. The conflict log then records the other client's version. For a delete, and
 * under the conflict policies `ask` and `remote`, the job also removes its own version and plans the key again.
 */

import { defined } from '../../base/defined.ts';
import type { ListedVersion } from '../../object-store/listing.ts';
import { toLocalEntry } from '../local/local-entry.ts';
import { pathOfKey } from '../model/local-path.ts';
import { failureKind } from '../model/failure-kind.ts';
import { endRow } from './put-rows.ts';
import type { PerformContext, Step, Work } from './step-types.ts';
import type { JournalRow } from '../state/journal-table.ts';
import type { Settlement, StateFile } from '../state/state-file.ts';
import { findOwnVersion, type Destination } from '../objects/destination.ts';
import type { Activity } from '../model/tracker.ts';
import type { BaselineEntry } from '../model/types.ts';
import type { ConditionalWrites } from '../capabilities/conditional-writes.ts';

export interface ProofContext {
  readonly destination: Destination;
  readonly state: Pick<StateFile, 'baseline'>;
  readonly guards: ConditionalWrites;
  readonly signal: AbortSignal;
}

/**
 * Adds the superseded version and the write's own version id to a settlement. `marker` is the delete marker that the
 * service returned for a delete; undefined if the response was lost.
 */
export async function proveSettlement(
  settlement: Settlement,
  row: JournalRow,
  context: ProofContext,
  marker?: string,
): Promise<Settlement> {
  if (context.guards.guarding !== 'proof') return settlement;
  if (row.operation === 'delete') return proveDelete(settlement, row, context, marker);
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
  const { destination, signal } = context;
  const { key } = row;
  const versionId =
    baseline.versionId ?? (await findOwnVersion(destination, row, signal))?.versionId;
  if (versionId === undefined) return settlement;
  const below = await versionBelow(destination, { key, versionId }, signal);
  const { replacedContent, ...rest } = settlement;
  const proven = { ...rest, baseline: { ...baseline, versionId } };
  if (below?.kind !== 'version') return proven;
  if (replacedContent && below.etag === replacedContent.etag)
    return { ...proven, replacedContent: { ...replacedContent, versionId: below.versionId } };
  // Versions with equal content are not a conflict, whichever client wrote them.
  if (below.etag === baseline.etag || isOwn(below, row, context)) return proven;
  return { ...proven, replacedContent: foreignVersion(below, row) };
}

async function proveDelete(
  settlement: Settlement,
  row: JournalRow,
  { destination, signal, ...context }: ProofContext,
  marker: string | undefined,
): Promise<Settlement> {
  const { key } = row;
  // Another client may have written a newer version above the delete marker.
  const below =
    marker === undefined
      ? await belowTopMarker(destination, key, signal)
      : await versionBelow(destination, { key, versionId: marker }, signal);
  if (below?.kind !== 'version') return settlement;
  return isOwn(below, row, context)
    ? settlement
    : { ...settlement, replacedContent: foreignVersion(below, row) };
}

/** Returns the version below the current delete marker, whichever client created the marker. */
async function belowTopMarker(
  destination: Destination,
  key: string,
  signal: AbortSignal,
): Promise<ListedVersion | undefined> {
  const [top, below] = await newestOf(destination, key, signal);
  return top?.kind === 'delete-marker' ? below : undefined;
}

/**
 * Returns whether a version is the one in the baseline or the one that the journal row expected, and therefore not
 * another client's.
 */
function isOwn(
  { etag }: ListedVersion,
  { key, expected, supersedes }: JournalRow,
  { state }: Pick<ProofContext, 'state'>,
): boolean {
  if (etag === state.baseline.get(key)?.etag) return true;
  return supersedes === undefined && etag === expected;
}

function foreignVersion(
  { etag, versionId, sizeBytes }: ListedVersion,
  { id, startedAt: at }: JournalRow,
): NonNullable<Settlement['replacedContent']> {
  return { id, side: 'bucket', at, etag, versionId, sizeBytes };
}

/**
 * Checks the outcome of a step that ends a journal row, and decides what to do with the version that the write
 * superseded.
 */
export async function proveStep(
  step: Step,
  row: JournalRow,
  context: PerformContext,
): Promise<Step> {
  const { settlement, marker } = step;
  if (!settlement || context.guards.guarding !== 'proof') return step;
  const proven = await proveSettlement(settlement, row, context, marker);
  const found = proven.replacedContent;
  // The plan already knew this version and intended to supersede it.
  if (!found || found.etag === settlement.replacedContent?.etag)
    return { ...step, settlement: proven };
  const ours = row.operation === 'delete' ? marker : ownVersion(proven);
  if (ours !== undefined && mustUndo(row, context) && (await undoWrite(ours, row, context))) {
    const activity = overwriteNotice(
      row,
      'the job undid its write, and the version of the other client is current again',
    );
    return { is: 'again', settlement: endRow(row), activity, works: [examineAgain(row)] };
  }
  return {
    ...step,
    settlement: proven,
    activity: overwriteNotice(row, 'the version of the other client is kept as an earlier version'),
  };
}

/**
 * Returns the work that plans a key again. It includes a put's file, because the key would otherwise count as deleted.
 */
export function examineAgain({ key, entry, operation }: JournalRow): Work {
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

/**
 * Returns whether a write that superseded another client's version must be undone: always for a delete, and for a put
 * under the conflict policies `ask` and `remote` (D × X and C × X in decide.ts).
 */
function mustUndo({ operation }: JournalRow, { policy }: PerformContext): boolean {
  const { conflict } = policy();
  return operation === 'delete' || conflict === 'ask' || conflict === 'remote';
}

/** Deletes the version that the job wrote. Returns false if a lock retains the version or the job lacks permission. */
async function undoWrite(
  versionId: string,
  { key }: JournalRow,
  { destination: { store, bucket, prefix }, signal }: PerformContext,
): Promise<boolean> {
  try {
    await store.deleteObject({ bucket, key: prefix + key, versionId }, { signal });
    return true;
  } catch (error) {
    if (failureKind(error) !== 'refused') throw error;
    return false;
  }
}

function overwriteNotice({ key, operation }: JournalRow, outcome: string): Activity {
  const what = operation === 'delete' ? 'deleted it' : 'uploaded a new version';
  const message = `another client changed the object while the job ${what}: ${outcome}`;
  return { level: 'warn', action: 'conflict', path: pathOfKey(key), message };
}

/**
 * Returns the next older version after a version or delete marker; undefined if there is none, or if the given version
 * no longer exists.
 */
async function versionBelow(
  { store, bucket, prefix }: Destination,
  { key, versionId }: { readonly key: string; readonly versionId: string },
  signal: AbortSignal,
): Promise<ListedVersion | undefined> {
  const fullKey = prefix + key;
  const after = { keyMarker: fullKey, versionIdMarker: versionId };
  const request = { bucket, prefix: fullKey, ...after, maxKeys: 1 };
  const { versions } = await store.listVersions(request, { signal });
  return versions.find((version) => version.key === fullKey);
}

/** Returns the current version or delete marker, and the version below it. */
async function newestOf(
  { store, bucket, prefix }: Destination,
  key: string,
  signal: AbortSignal,
): Promise<readonly ListedVersion[]> {
  const fullKey = prefix + key;
  const request = { bucket, prefix: fullKey, maxKeys: 2 };
  const { versions } = await store.listVersions(request, { signal });
  return versions.filter((version) => version.key === fullKey);
}
