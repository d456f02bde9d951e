/**
 * Evaluates lifecycle rules for a sequence of versions. The keys can be in any order, but the versions of each key must
 * be ordered from newest to oldest. The state that is kept between two versions is small and is plain data. So a
 * lifecycle run can stop and resume at any version, even within a key that has a million versions.
 */

import type { LifecycleRule } from '../lifecycle.ts';
import type { Versioning } from '../buckets.ts';
import {
  type EvaluatedVersion,
  evaluateVersion,
  type Place,
  type VersionAction,
} from './lifecycle-evaluation.ts';

export interface WalkedVersion extends EvaluatedVersion {
  /** Whether this is the null version, which a delete replaces while versioning is suspended. */
  readonly isNull: boolean;
  /** Whether a lock currently prevents the deletion of this version. */
  readonly locked: boolean;
}

/** The lifecycle action for one version. */
export interface Verdict<V extends WalkedVersion> {
  readonly version: V;
  readonly action: VersionAction;
  readonly ruleId: string;
  /** Whether a lock prevents the action. A later lifecycle run must then perform it. */
  readonly held: boolean;
}

/** The state of the evaluation after a version. */
export interface WalkState<V extends WalkedVersion> {
  readonly key: string;
  readonly newerModifiedAt: number;
  /** The number of noncurrent versions of the key so far. Delete markers do not count. */
  readonly newer: number;
  /**
   * The key's current version, if it is a delete marker. Whether the key has other versions is known only at the end of
   * the key.
   */
  readonly marker?: V;
  /** Whether any noncurrent version of the key has remained so far. */
  readonly stays: boolean;
}

export interface WalkRules {
  /** Returns the enabled lifecycle rules whose prefix matches the key. */
  readonly of: (key: string) => readonly LifecycleRule[];
  readonly now: number;
  /** The bucket's versioning state; undefined if versioning was never set. */
  readonly versioning: Versioning | undefined;
}

export interface Step<V extends WalkedVersion> {
  readonly state: WalkState<V>;
  readonly verdicts: readonly Verdict<V>[];
}

/**
 * Evaluates the next version, and returns the new state and the verdicts. If the version is the first of its key, the
 * verdicts include the one on the delete marker of the previous key.
 */
export function walkNext<V extends WalkedVersion>(
  before: WalkState<V> | undefined,
  version: V,
  rules: WalkRules,
): Step<V> {
  if (before?.key === version.key) return walkBelow(before, version, rules);
  const verdicts = walkEnd(before, rules);
  const { key, lastModifiedAt } = version;
  const state = { key, newerModifiedAt: lastModifiedAt, newer: 0, stays: false };
  if (version.isDeleteMarker) return { state: { ...state, marker: version }, verdicts };
  const verdict = evaluate(version, { is: 'latest', alone: false }, rules);
  if (!verdict) return { state, verdicts };
  // Expiring the version adds a delete marker, so that the version becomes the newest noncurrent version.
  const newer = verdict.held || expiryRemoves(version, rules) ? 0 : 1;
  return { state: { ...state, newer }, verdicts: [...verdicts, verdict] };
}

/** Returns the verdicts that remain after the last version: at most one, on the delete marker of the last key. */
export function walkEnd<V extends WalkedVersion>(
  state: WalkState<V> | undefined,
  rules: WalkRules,
): readonly Verdict<V>[] {
  if (!state?.marker || state.stays) return [];
  const verdict = evaluate(state.marker, { is: 'latest', alone: true }, rules);
  return verdict ? [verdict] : [];
}

function walkBelow<V extends WalkedVersion>(
  before: WalkState<V>,
  version: V,
  rules: WalkRules,
): Step<V> {
  // A version became noncurrent when the next version was written. If the clock was set back between the two writes,
  // use the time at which this version was written.
  const since = Math.max(before.newerModifiedAt, version.lastModifiedAt);
  const verdict = evaluate(version, { is: 'previous', since, newer: before.newer }, rules);
  const state = {
    ...before,
    newerModifiedAt: version.lastModifiedAt,
    newer: before.newer + (version.isDeleteMarker ? 0 : 1),
    stays: before.stays || verdict === undefined || verdict.held,
  };
  return { state, verdicts: verdict ? [verdict] : [] };
}

function evaluate<V extends WalkedVersion>(
  version: V,
  place: Place,
  rules: WalkRules,
): Verdict<V> | undefined {
  const match = evaluateVersion(rules.of(version.key), version, place, rules.now);
  if (!match) return undefined;
  const removes = match.action !== 'expire' || expiryRemoves(version, rules);
  return { version, ...match, held: removes && version.locked };
}

/**
 * Returns whether expiring the current version deletes it. Otherwise a delete marker is created and the version
 * remains.
 */
function expiryRemoves({ isNull }: WalkedVersion, { versioning }: WalkRules): boolean {
  return versioning === undefined || (versioning === 'Suspended' && isNull);
}
