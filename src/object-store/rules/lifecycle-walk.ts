/**
 * Evaluates lifecycle rules for a sequence of versions: keys in any order, and the versions of each key newest first. The
 * state between two versions is small and consists of plain data. A run can therefore stop and resume at any version, even
 * within a key that has a million versions.
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
  /** Whether a lock prevents the deletion of this version now. */
  readonly locked: boolean;
}

/** The action for one version. */
export interface Verdict<V extends WalkedVersion> {
  readonly version: V;
  readonly action: VersionAction;
  readonly ruleId: string;
  /** Whether a lock prevents the action, so that a later run must perform it. */
  readonly held: boolean;
}

/** The position of a walk within a key. */
export interface WalkState<V extends WalkedVersion> {
  readonly key: string;
  readonly newerModifiedAt: number;
  /** The number of noncurrent versions so far, without delete markers. */
  readonly newer: number;
  /** The latest version, if it is a delete marker. Whether it is the only version is known at the end of the key. */
  readonly marker?: V;
  /** Whether a noncurrent version remains. */
  readonly stays: boolean;
}

export interface WalkRules {
  /** Returns the enabled rules whose prefix matches the key. */
  readonly of: (key: string) => readonly LifecycleRule[];
  readonly now: number;
  /** The versioning state of the bucket, or undefined if it was never set. */
  readonly versioning: Versioning | undefined;
}

export interface Step<V extends WalkedVersion> {
  readonly state: WalkState<V>;
  readonly verdicts: readonly Verdict<V>[];
}

/**
 * Evaluates the next version, and returns the new state and the verdicts. If the version begins another key, they include
 * the verdict on the previous key's delete marker.
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
  // The version gets a delete marker and becomes the newest noncurrent version.
  const newer = verdict.held || expiryRemoves(version, rules) ? 0 : 1;
  return { state: { ...state, newer }, verdicts: [...verdicts, verdict] };
}

/** Returns the remaining verdicts after the last version: at most one, on the last key's delete marker. */
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
  // If the clock was set back between the two writes, the version becomes noncurrent when it was created, not before.
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

/** Returns whether the expiration deletes the version. Otherwise, the version remains and a delete marker is created. */
function expiryRemoves({ isNull }: WalkedVersion, { versioning }: WalkRules): boolean {
  return versioning === undefined || (versioning === 'Suspended' && isNull);
}
