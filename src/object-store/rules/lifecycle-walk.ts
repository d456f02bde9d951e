/**
 * Walks the versions of keys for a run of a bucket's lifecycle: keys in any order, the versions of each newest first. The
 * state between two versions is small plain data, so that a run can stop and resume anywhere, even in the middle of a
 * key with a million versions.
 */

import type { LifecycleRule } from '../lifecycle.ts';
import type { Versioning } from '../buckets.ts';
import {
  type JudgedVersion,
  judgeVersion,
  type Place,
  type VersionAction,
} from './lifecycle-judgement.ts';

export interface WalkedVersion extends JudgedVersion {
  /** The null version: what a delete replaces where versioning is suspended. */
  readonly isNull: boolean;
  /** A lock keeps it from being removed now. */
  readonly locked: boolean;
}

/** What is to be done with one of them. */
export interface Verdict<V extends WalkedVersion> {
  readonly version: V;
  readonly action: VersionAction;
  readonly ruleId: string;
  /** The lock comes first: nothing is done, until a later run. */
  readonly held: boolean;
}

/** The position of a walk within a key. */
export interface WalkState<V extends WalkedVersion> {
  readonly key: string;
  readonly newerModifiedAt: number;
  /** Previous versions so far, without delete markers. */
  readonly newer: number;
  /** The latest one, a delete marker: whether it is alone is known at the end of its key. */
  readonly marker?: V;
  /** Something below the latest stays. */
  readonly stays: boolean;
}

export interface WalkRules {
  /** Those that are on and have the key's prefix. */
  readonly of: (key: string) => readonly LifecycleRule[];
  readonly now: number;
  /** Of the bucket; undefined if it never was set. */
  readonly versioning: Versioning | undefined;
}

export interface Step<V extends WalkedVersion> {
  readonly state: WalkState<V>;
  readonly verdicts: readonly Verdict<V>[];
}

/** `version` comes next; with it, the key before may have come to its end. */
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
  const verdict = judge(version, { is: 'latest', alone: false }, rules);
  if (!verdict) return { state, verdicts };
  // Under the delete marker that it gets, it is the newest of the previous ones.
  const newer = verdict.held || expiryRemoves(version, rules) ? 0 : 1;
  return { state: { ...state, newer }, verdicts: [...verdicts, verdict] };
}

/** Nothing comes any more. */
export function walkEnd<V extends WalkedVersion>(
  state: WalkState<V> | undefined,
  rules: WalkRules,
): readonly Verdict<V>[] {
  if (!state?.marker || state.stays) return [];
  const verdict = judge(state.marker, { is: 'latest', alone: true }, rules);
  return verdict ? [verdict] : [];
}

function walkBelow<V extends WalkedVersion>(
  before: WalkState<V>,
  version: V,
  rules: WalkRules,
): Step<V> {
  // Where a clock went back between the two, the version was not there any sooner.
  const since = Math.max(before.newerModifiedAt, version.lastModifiedAt);
  const verdict = judge(version, { is: 'previous', since, newer: before.newer }, rules);
  const state = {
    ...before,
    newerModifiedAt: version.lastModifiedAt,
    newer: before.newer + (version.isDeleteMarker ? 0 : 1),
    stays: before.stays || verdict === undefined || verdict.held,
  };
  return { state, verdicts: verdict ? [verdict] : [] };
}

function judge<V extends WalkedVersion>(
  version: V,
  place: Place,
  rules: WalkRules,
): Verdict<V> | undefined {
  const judgement = judgeVersion(rules.of(version.key), version, place, rules.now);
  if (!judgement) return undefined;
  const removes = judgement.action !== 'expire' || expiryRemoves(version, rules);
  return { version, ...judgement, held: removes && version.locked };
}

/** Anywhere else it gets a delete marker, and stays. */
function expiryRemoves({ isNull }: WalkedVersion, { versioning }: WalkRules): boolean {
  return versioning === undefined || (versioning === 'Suspended' && isNull);
}
