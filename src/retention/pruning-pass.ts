/**
 * Runs one pruning pass over all versions below the prefix. The pass removes the job's own versions that the `keep`
 * rule does not retain and that nothing else needs. It depends only on the contents of the bucket, so it can be
 * interrupted and repeated at any time.
 */

import PQueue from 'p-queue';

import { defined } from '../base/defined.ts';
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
import { isReserved, isOwnObject, isRemovable } from '../mirror/objects/own-objects.ts';
import { MirrorError } from '../mirror/model/mirror-error.ts';
import { RETRY } from '../mirror/model/retry-policy.ts';
import { NO_SHA256 } from '../mirror/state/baseline-table.ts';
import type { StateFile } from '../mirror/state/state-file.ts';
import { BEYOND_KEEP } from '../mirror/state/retained-versions.ts';
import { type Destination, readVersion } from '../mirror/objects/destination.ts';
import type { BaselineEntry, KeepRule } from '../mirror/model/types.ts';
import { removableVersions } from './removable-versions.ts';

export interface PruningContext {
  readonly destination: Destination;
  readonly state: StateFile;
  readonly rule: KeepRule;
  /** The upload times that the job recorded. Absent if the service preserves the dates of versions. */
  readonly times?: VersionTimes | undefined;
  /** The service's time in milliseconds since 1970. */
  readonly now: number;
  /** Whether the pass only counts versions and removes nothing. */
  readonly isDryRun: boolean;
  readonly signal: AbortSignal;
}

export interface PruningReport {
  /** The number of removed versions. In a dry run, the number of versions that would be removed. */
  readonly versions: number;
  readonly bytes: number;
  /** The number of removed delete markers. A delete marker is removed if no version is below it. */
  readonly markers: number;
  /** The number of versions that a lock, a legal hold or a refusal of the service retains. */
  readonly retained: number;
  /**
   * The number of versions that open conflicts or anomalies refer to, and versions from which the job restores an
   * object that another client deleted.
   */
  readonly needed: number;
  /** The number of versions that other tools wrote. They are never removed. */
  readonly others: number;
  /**
   * The number of versions without a recorded upload time, on a service that may change dates. They are never removed.
   */
  readonly undated: number;
  /** The number of versions that the service failed to remove. `failure` is the first error. */
  readonly failed: number;
  readonly failure?: string;
}

type Verdict = 'remove' | 'retained' | 'needed' | 'others' | 'gone';

interface EvaluatedVersion {
  readonly version: ListedVersion;
  readonly verdict: Verdict;
}

/** The maximum number of concurrent HEAD requests. */
const REQUESTS_AT_ONCE = 16;

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

/**
 * Runs a pruning pass. Rejects with the store's errors. Rejects with MirrorError `KeepHalted` while changes are held
 * for review because of an anomaly.
 */
export async function pruningPass(context: PruningContext): Promise<PruningReport> {
  const { state, rule, now, isDryRun } = context;
  let report = NO_TOTALS;
  const batch: ListedVersion[] = [];
  const flush = async () => {
    report = add(report, await removeBatch(batch.splice(0, MAX_BULK_DELETE), context));
  };
  checkAlarm(state);
  for await (const newestFirst of candidates(context)) {
    const { versions, markers, undated } = removableVersions(newestFirst, rule, now);
    report = { ...report, undated: report.undated + undated.length };
    for (const version of [...versions, ...markers]) batch.push(version);
    while (batch.length >= MAX_BULK_DELETE) await flush();
  }
  while (batch.length > 0) await flush();
  // The pass has recorded the current end of each lock that still retains a version. Records whose end has passed are
  // therefore obsolete.
  if (!isDryRun) state.retained.releaseEnded(BEYOND_KEEP, now);
  return report;
}

/**
 * The upper limit of what a rule would remove. It may include locked versions, needed versions and versions of other
 * clients.
 */
export interface RulePreview {
  readonly versions: number;
  readonly bytes: number;
}

export interface PruningPreview {
  /** What each rule would remove, in the order of the rules. */
  readonly rules: readonly RulePreview[];
  /**
   * The number of all versions, and the start of the oldest version in milliseconds since 1970. Absent if the bucket
   * contains no versions.
   */
  readonly versions: number;
  readonly bytes: number;
  readonly oldestAt?: number;
}

/**
 * Applies several rules to the versions in the bucket and removes nothing. It sends no request for a single version, so
 * it does not know which versions are locked. Rejects with the store's errors.
 */
export async function previewRules(
  context: Pick<PruningContext, 'destination' | 'now' | 'signal' | 'times'>,
  rules: readonly KeepRule[],
): Promise<PruningPreview> {
  const totals = rules.map(() => ({ versions: 0, bytes: 0 }));
  let [versions, bytes, oldestAt] = [0, 0, Infinity];
  for await (const newestFirst of candidates(context)) {
    const stored = newestFirst.filter(({ kind }) => kind === 'version');
    versions += stored.length;
    for (const { sizeBytes, lastModifiedAt } of stored) {
      bytes += sizeBytes;
      oldestAt = Math.min(oldestAt, lastModifiedAt);
    }
    for (const [index, rule] of rules.entries()) {
      const removable = removableVersions(newestFirst, rule, context.now).versions;
      const total = totals[index];
      if (!total) continue;
      total.versions += removable.length;
      total.bytes += removable.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
    }
  }
  return { rules: totals, versions, bytes, ...(oldestAt < Infinity && { oldestAt }) };
}

/**
 * Yields the versions of each key that pruning applies to, with their dates. A key with a single version needs no date,
 * because the current version is never removed.
 */
async function* candidates({
  destination,
  times,
  signal,
}: Pick<PruningContext, 'destination' | 'signal' | 'times'>) {
  const keys = allByKey({ ...destination, signal });
  yield* askAhead(keys, KEYS_DATED_AT_ONCE, async (newestFirst) => {
    if (!isPrunable(newestFirst, destination)) return [];
    return newestFirst.length > 1 ? datedVersions(newestFirst, times) : newestFirst;
  });
}

/**
 * Returns whether pruning applies to a key. Keys below the reserved prefix are pruned only if they certainly belong to
 * Holdfast.
 */
function isPrunable(newestFirst: readonly ListedVersion[], { prefix }: Destination): boolean {
  const key = newestFirst[0]?.key.slice(prefix.length) ?? '';
  return !isReserved(key) || (isOwnObject(key) && isRemovable(newestFirst, key));
}

export function checkAlarm(state: StateFile): void {
  if (readAlarm(state))
    throw new MirrorError(
      'KeepHalted',
      'cannot remove old versions: a ransomware attack is suspected; approve or reject the held changes first: holdfast job review',
    );
}

async function removeBatch(
  versions: readonly ListedVersion[],
  context: PruningContext,
): Promise<PruningReport> {
  const queue = new PQueue({ concurrency: REQUESTS_AT_ONCE });
  const judgedVersions = await queue.addAll(
    versions.map((version) => async (): Promise<EvaluatedVersion> => {
      context.signal.throwIfAborted();
      return { version, verdict: await judge(version, context) };
    }),
  );
  // An anomaly may have been detected during the requests.
  checkAlarm(context.state);
  const count = (verdict: Verdict) =>
    judgedVersions.filter((each) => each.verdict === verdict).length;
  const isRemovable = ({ version, verdict }: EvaluatedVersion) =>
    verdict === 'remove' && !isNeeded(version, context);
  const removable = judgedVersions.filter(isRemovable).map(({ version }) => version);
  const kept = {
    ...NO_TOTALS,
    retained: count('retained'),
    needed: count('needed') + count('remove') - removable.length,
    others: count('others'),
  };
  if (removable.length === 0) return kept;
  return add(kept, context.isDryRun ? countRemoved(removable) : await remove(removable, context));
}

async function judge(version: ListedVersion, context: PruningContext): Promise<Verdict> {
  const { destination, state, now, isDryRun, signal } = context;
  const { kind, versionId } = version;
  if (kind === 'delete-marker') return (await hidesNothing(version, context)) ? 'remove' : 'gone';
  const key = version.key.slice(destination.prefix.length);
  if (isNeeded(version, context)) return 'needed';
  const isOwn = isOwnObject(key);
  if (!isOwn && state.foreignVersions.has({ key, part: versionId })) return 'others';
  if (state.retained.waits({ key, versionId }, now)) return 'retained';
  const found = await readVersion(destination, { key, versionId }, signal);
  if (found === 'absent') return 'gone';
  if (found.isOwn !== true && !isOwn) {
    state.foreignVersions.put({ key, part: versionId }, true);
    return 'others';
  }
  const until = found.retention?.retainUntil ?? 0;
  if (until <= now && found.legalHold !== true) return 'remove';
  if (!isDryRun)
    state.retained.hold({
      key,
      versionId,
      until: until > now ? until : now + RETRY.refusedRemoval.firstMs,
      what: BEYOND_KEEP,
    });
  return 'retained';
}

/**
 * Returns whether the job still needs a version for its baseline, an open conflict or an anomaly. A version in the
 * baseline may also be the source of a running copy. If the source is removed in the meantime, the job uploads the
 * bytes instead.
 */
function isNeeded(
  { key: fullKey, versionId }: ListedVersion,
  { destination, state }: PruningContext,
): boolean {
  const key = fullKey.slice(destination.prefix.length);
  const isSameVersion = (other: { readonly versionId?: string }) => other.versionId === versionId;
  const known = state.baseline.get(key);
  return (
    (known !== undefined && (isSameVersion(known) || isDamaged(key, known, state))) ||
    (isReserved(key) && state.conflicts.needs(key)) ||
    state.conflicts
      .of(key)
      .some((entry) => entry.resolvedAt === undefined && isSameVersion(entry)) ||
    state.anomalies.among([key]).some(isSameVersion)
  );
}

/** Returns whether the current version is damaged. An older version may then be the only intact copy. */
function isDamaged(key: string, { versionId, sha256 }: BaselineEntry, state: StateFile): boolean {
  return sha256 === NO_SHA256 || state.damaged.has(key, versionId);
}

/**
 * Returns whether no version is below a delete marker. Lists the key again, because removing the marker would expose a
 * version that the first listing skipped.
 */
async function hidesNothing(
  { key, versionId }: ListedVersion,
  { destination, signal }: PruningContext,
): Promise<boolean> {
  const { store, bucket } = destination;
  const page = await store.listVersions({ bucket, prefix: key }, { signal });
  const own = page.versions.filter((version) => version.key === key);
  const isWhole = page.next === undefined || page.next.keyMarker !== key;
  const index = own.findIndex((version) => version.versionId === versionId);
  return isWhole && index !== -1 && own.slice(index).every(({ kind }) => kind !== 'version');
}

async function remove(
  removable: readonly ListedVersion[],
  { destination, state, now, signal }: PruningContext,
): Promise<PruningReport> {
  const { store, bucket, prefix } = destination;
  const objects = removable.map(({ key, versionId }) => ({ key, versionId }));
  const { deleted, failed } = await store.deleteObjects({ bucket, objects }, { signal });
  const reported = new Set(deleted.map(nameOf));
  const removed = removable.filter((version) => reported.has(nameOf(version)));
  for (const { key: fullKey, versionId } of removed) {
    const key = fullKey.slice(prefix.length);
    state.retained.release({ key, versionId });
    state.versionTimes.drop({ key, part: versionId });
  }
  const [refused, others] = [failed.filter(isRefusal), failed.filter((each) => !isRefusal(each))];
  for (const { key, versionId } of refused)
    state.retained.hold({
      key: key.slice(prefix.length),
      ...defined({ versionId }),
      until: now + RETRY.refusedRemoval.firstMs,
      what: BEYOND_KEEP,
    });
  return {
    ...countRemoved(removed),
    retained: refused.length,
    failed: removable.length - removed.length - refused.length,
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
