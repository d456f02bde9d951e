/**
 * One look at all versions below the prefix: those beyond what the job keeps are removed, if they are its own and nothing
 * needs them. It may be broken off at any time and done again: what is beyond is told by the bucket alone.
 */

import PQueue from 'p-queue';

import { defined } from '../base/defined.ts';
import { DAY_MS } from '../base/durations.ts';
import { MAX_BULK_DELETE } from '../object-store/bulk-delete.ts';
import type { ListedVersion } from '../object-store/listing.ts';
import { readAlarm } from '../mirror/guard/anomaly-alarm.ts';
import { allByKey } from '../mirror/objects/key-history.ts';
import {
  datedVersions,
  KEYS_DATED_AT_ONCE,
  type VersionTimes,
} from '../mirror/objects/version-times.ts';
import { askAhead } from '../base/ask-ahead.ts';
import { isReserved, isOwnObject, mayGo } from '../mirror/objects/own-objects.ts';
import { MirrorError } from '../mirror/model/mirror-error.ts';
import { NO_SHA256 } from '../mirror/state/baseline-table.ts';
import type { StateFile } from '../mirror/state/state.ts';
import { BEYOND_KEEP } from '../mirror/state/retained-table.ts';
import { type Place, readVersion } from '../mirror/objects/destination.ts';
import type { BaselineEntry, KeepRule } from '../mirror/model/types.ts';
import { removableVersions } from './removable-versions.ts';

export interface PruningContext {
  readonly place: Place;
  readonly state: StateFile;
  readonly rule: KeepRule;
  /** Absent where the service keeps the dates of versions. */
  readonly times?: VersionTimes | undefined;
  /** The service's time, milliseconds since 1970. */
  readonly now: number;
  /** Nothing is removed. */
  readonly isDryRun: boolean;
  readonly signal: AbortSignal;
}

export interface PruningReport {
  /** That were removed; of a dry run: that would be. */
  readonly versions: number;
  readonly bytes: number;
  /** Delete markers with nothing below them. */
  readonly markers: number;
  /** That would be removed, but for a lock, a legal hold or a refusal. */
  readonly retained: number;
  /** That conflicts, or signs of an attack, still point to; or that a head which somebody deleted is brought back from. */
  readonly needed: number;
  /** Of other tools: never removed. */
  readonly others: number;
  /** Whose dates the service may have changed, and that do not carry their own time: never removed. */
  readonly undated: number;
  /** That the service would not remove now, and why the first of them. */
  readonly failed: number;
  readonly failure?: string;
}

type Verdict = 'remove' | 'retained' | 'needed' | 'others' | 'gone';

interface Judged {
  readonly version: ListedVersion;
  readonly verdict: Verdict;
}

/** A HEAD each. */
const LOOKS_AT_ONCE = 16;
/** Of what is refused for no lock nobody says when that ends. */
const ASK_AGAIN_MS = DAY_MS;

export const NO_TOTALS: PruningReport = {
  versions: 0,
  bytes: 0,
  markers: 0,
  retained: 0,
  needed: 0,
  others: 0,
  undated: 0,
  failed: 0,
};

/** Rejects as the store does, and with MirrorError `KeepHalted` while the brake's alarm is on. */
export async function pruningPass(context: PruningContext): Promise<PruningReport> {
  const { state, rule, now, isDryRun } = context;
  let report = NO_TOTALS;
  const batch: ListedVersion[] = [];
  const work = async () => {
    report = add(report, await removeBatch(batch.splice(0, MAX_BULK_DELETE), context));
  };
  checkAlarm(state);
  for await (const newestFirst of candidates(context)) {
    const { versions, markers, undated } = removableVersions(newestFirst, rule, now);
    report = { ...report, undated: report.undated + undated.length };
    for (const version of [...versions, ...markers]) batch.push(version);
    while (batch.length >= MAX_BULK_DELETE) await work();
  }
  while (batch.length > 0) await work();
  // Whatever of it is still there was held anew.
  if (!isDryRun) state.retained.releaseEnded(BEYOND_KEEP, now);
  return report;
}

/** The dated versions of each key that `keep` is about. The current version alone is kept whenever it was written. */
async function* candidates({ place, times, signal }: PruningContext) {
  const keys = allByKey({ ...place, signal });
  yield* askAhead(keys, KEYS_DATED_AT_ONCE, async (newestFirst) => {
    if (!isKept(newestFirst, place)) return [];
    return newestFirst.length > 1 ? datedVersions(newestFirst, times) : newestFirst;
  });
}

/** Whether `keep` is about a key: of what Holdfast keeps for itself, about what is surely its own. */
function isKept(newestFirst: readonly ListedVersion[], { prefix }: Place): boolean {
  const key = newestFirst[0]?.key.slice(prefix.length) ?? '';
  return !isReserved(key) || (isOwnObject(key) && mayGo(newestFirst, key));
}

export function checkAlarm(state: StateFile): void {
  if (readAlarm(state))
    throw new MirrorError(
      'KeepHalted',
      'remove old versions: there are signs of an attack that encrypts files; nothing is removed before you approve or reject what is held',
    );
}

async function removeBatch(
  versions: readonly ListedVersion[],
  context: PruningContext,
): Promise<PruningReport> {
  const lane = new PQueue({ concurrency: LOOKS_AT_ONCE });
  const judged = await lane.addAll(
    versions.map((version) => async (): Promise<Judged> => {
      context.signal.throwIfAborted();
      return { version, verdict: await judge(version, context) };
    }),
  );
  // The looks took their time: what came up meanwhile counts.
  checkAlarm(context.state);
  const count = (verdict: Verdict) => judged.filter((each) => each.verdict === verdict).length;
  const isDoomed = ({ version, verdict }: Judged) =>
    verdict === 'remove' && !isNeeded(version, context);
  const doomed = judged.filter(isDoomed).map(({ version }) => version);
  const seen = {
    ...NO_TOTALS,
    retained: count('retained'),
    needed: count('needed') + count('remove') - doomed.length,
    others: count('others'),
  };
  if (doomed.length === 0) return seen;
  return add(seen, context.isDryRun ? countRemoved(doomed) : await remove(doomed, context));
}

async function judge(version: ListedVersion, context: PruningContext): Promise<Verdict> {
  const { place, state, now, isDryRun, signal } = context;
  const { kind, versionId } = version;
  if (kind === 'delete-marker') return (await hidesNothing(version, context)) ? 'remove' : 'gone';
  const key = version.key.slice(place.prefix.length);
  if (isNeeded(version, context)) return 'needed';
  const isOwn = isOwnObject(key);
  if (!isOwn && state.othersVersions.has(key, versionId)) return 'others';
  if (state.retained.waits({ key, versionId }, now)) return 'retained';
  const found = await readVersion(place, { key, versionId }, signal);
  if (found === 'absent') return 'gone';
  if (found.isOwn !== true && !isOwn) {
    state.othersVersions.add(key, versionId);
    return 'others';
  }
  const until = found.retention?.retainUntil ?? 0;
  if (until <= now && found.legalHold !== true) return 'remove';
  if (!isDryRun)
    state.retained.hold({
      key,
      versionId,
      until: until > now ? until : now + ASK_AGAIN_MS,
      what: BEYOND_KEEP,
    });
  return 'retained';
}

/** A copy in flight needs its source, too; where that is gone meanwhile, the bytes are sent. */
function isNeeded(
  { key: fullKey, versionId }: ListedVersion,
  { place, state }: PruningContext,
): boolean {
  const key = fullKey.slice(place.prefix.length);
  const isIt = (other: { readonly versionId?: string }) => other.versionId === versionId;
  const known = state.baseline.get(key);
  return (
    (known !== undefined && (isIt(known) || isDamaged(key, known, state))) ||
    (isReserved(key) && state.conflicts.needs(key)) ||
    state.conflicts.of(key).some((entry) => entry.resolvedAt === undefined && isIt(entry)) ||
    state.signs.among([key]).some(isIt)
  );
}

/** While the current version is damaged, an earlier one may be the only sound copy. */
function isDamaged(key: string, { versionId, sha256 }: BaselineEntry, state: StateFile): boolean {
  return sha256 === NO_SHA256 || state.damaged.has(key, versionId);
}

/** Asked anew: what a listing skipped would come back to light. */
async function hidesNothing(
  { key, versionId }: ListedVersion,
  { place, signal }: PruningContext,
): Promise<boolean> {
  const { store, bucket } = place;
  const page = await store.listVersions({ bucket, prefix: key }, { signal });
  const own = page.versions.filter((version) => version.key === key);
  const isWhole = page.next === undefined || page.next.keyMarker !== key;
  const index = own.findIndex((version) => version.versionId === versionId);
  return isWhole && index !== -1 && own.slice(index).every(({ kind }) => kind !== 'version');
}

async function remove(
  doomed: readonly ListedVersion[],
  { place, state, now, signal }: PruningContext,
): Promise<PruningReport> {
  const { store, bucket, prefix } = place;
  const objects = doomed.map(({ key, versionId }) => ({ key, versionId }));
  const { deleted, failed } = await store.deleteObjects({ bucket, objects }, { signal });
  const reported = new Set(deleted.map(nameOf));
  const removed = doomed.filter((version) => reported.has(nameOf(version)));
  for (const { key: fullKey, versionId } of removed) {
    const key = fullKey.slice(prefix.length);
    state.retained.release({ key, versionId });
    state.versionTimes.forget(key, versionId);
  }
  const [refused, others] = [failed.filter(isRefusal), failed.filter((each) => !isRefusal(each))];
  for (const { key, versionId } of refused)
    state.retained.hold({
      key: key.slice(prefix.length),
      ...defined({ versionId }),
      until: now + ASK_AGAIN_MS,
      what: BEYOND_KEEP,
    });
  return {
    ...countRemoved(removed),
    retained: refused.length,
    failed: doomed.length - removed.length - refused.length,
    ...defined({ failure: others[0]?.message }),
  };
}

function isRefusal({ code }: { readonly code: string }): boolean {
  return code === 'AccessDenied';
}

function nameOf({ key, versionId }: { readonly key: string; readonly versionId?: string }): string {
  return `${versionId} ${key}`;
}

function countRemoved(versions: readonly ListedVersion[]): PruningReport {
  const bytes = versions.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
  const markers = versions.filter(({ kind }) => kind === 'delete-marker').length;
  return { ...NO_TOTALS, versions: versions.length - markers, markers, bytes };
}

function add(a: PruningReport, b: PruningReport): PruningReport {
  return {
    versions: a.versions + b.versions,
    bytes: a.bytes + b.bytes,
    markers: a.markers + b.markers,
    retained: a.retained + b.retained,
    needed: a.needed + b.needed,
    others: a.others + b.others,
    undated: a.undated + b.undated,
    failed: a.failed + b.failed,
    ...defined({ failure: a.failure ?? b.failure }),
  };
}
