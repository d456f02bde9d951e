/**
 * Evaluates lifecycle rules for a version, a delete marker or an upload at a given time (semantics B.7). Periods in
 * days end at midnight UTC, so that all lifecycle runs of one day have the same result. Tests can use shorter days,
 * which are also counted from 1970.
 */

import { DAY_MS } from '../../base/durations.ts';
import type { LifecycleFilter, LifecycleRule, ObjectExpiration } from '../lifecycle.ts';
import type { Tag } from '../tags.ts';

/** A lifecycle rule, and the length of its days in milliseconds if it is not 24 hours. */
export interface TimedRule extends LifecycleRule {
  readonly dayMs?: number;
}

/** The properties of a version or delete marker that lifecycle rules depend on. */
export interface EvaluatedVersion {
  readonly key: string;
  readonly isDeleteMarker: boolean;
  readonly sizeBytes: number;
  /** The modification time in milliseconds since 1970. */
  readonly lastModifiedAt: number;
  readonly tags: readonly Tag[];
}

/** The position of a version among the versions of its key. */
export type Place =
  | {
      readonly is: 'latest';
      /** Whether the key has no other version or delete marker. */
      readonly alone: boolean;
    }
  | {
      readonly is: 'previous';
      /** The time at which the version became noncurrent, in milliseconds since 1970. */
      readonly since: number;
      /** The number of newer noncurrent versions. Delete markers do not count. */
      readonly newer: number;
    };

export type VersionAction =
  /** Expires the current version like a delete without a version ID: deletes the version or creates a delete marker. */
  | 'expire'
  /** Permanently deletes a noncurrent version or delete marker. */
  | 'remove-version'
  /** Deletes a delete marker whose key has no other version. */
  | 'remove-marker';

export interface RuleMatch {
  readonly action: VersionAction;
  readonly ruleId: string;
}

/**
 * Returns the action that is due for the version, and the rule that requires it; undefined if no action is due. `rules`
 * are the enabled rules whose prefix matches the key.
 */
export function evaluateVersion(
  rules: readonly TimedRule[],
  version: EvaluatedVersion,
  place: Place,
  now: number,
): RuleMatch | undefined {
  if (place.is === 'previous') return evaluateNoncurrent(rules, version, place, now);
  if (version.isDeleteMarker) {
    return place.alone ? evaluateLoneMarker(rules, version, now) : undefined;
  }
  const expiration = expirationOf(rules, version);
  if (expiration === undefined || now < expiration.expiresAt) return undefined;
  return { action: 'expire', ruleId: expiration.ruleId };
}

/**
 * Returns when the current version of a key expires, and the rule that expires it first. Returns undefined if no rule
 * does.
 */
export function expirationOf(
  rules: readonly TimedRule[],
  version: EvaluatedVersion,
): ObjectExpiration | undefined {
  let first: ObjectExpiration | undefined;
  for (const rule of rules) {
    const { id, filter, expiration } = rule;
    if (!expiration || 'expiredDeleteMarker' in expiration || !fits(filter, version)) continue;
    const expiresAt =
      'date' in expiration ? expiration.date : dueAt(version.lastModifiedAt, expiration.days, rule);
    if (!first || expiresAt < first.expiresAt) first = { expiresAt, ruleId: id };
  }
  return first;
}

/**
 * Returns the ID of the rule that aborts the multipart upload, or undefined if no rule aborts it yet. `rules` are the
 * enabled rules whose prefix matches the key.
 */
export function evaluateUpload(
  rules: readonly TimedRule[],
  initiatedAt: number,
  now: number,
): string | undefined {
  return rules.find((rule) => {
    const { abortUploadsAfterDays: days } = rule;
    return days !== undefined && now >= dueAt(initiatedAt, days, rule);
  })?.id;
}

function evaluateNoncurrent(
  rules: readonly TimedRule[],
  version: EvaluatedVersion,
  { since, newer }: Extract<Place, { is: 'previous' }>,
  now: number,
): RuleMatch | undefined {
  const found = rules.find((rule) => {
    const { filter, noncurrentExpiration } = rule;
    if (!noncurrentExpiration || !fits(filter, version)) return false;
    const { days, keepNewest = 0 } = noncurrentExpiration;
    return newer >= keepNewest && now >= dueAt(since, days, rule);
  });
  return found && { action: 'remove-version', ruleId: found.id };
}

/**
 * Returns the deletion of a delete marker whose key has no other version, or undefined if the deletion is not due. A
 * rule that expires objects after some days also deletes such a marker. Its days are counted from the creation of the
 * marker.
 */
function evaluateLoneMarker(
  rules: readonly TimedRule[],
  marker: EvaluatedVersion,
  now: number,
): RuleMatch | undefined {
  const { lastModifiedAt } = marker;
  const found = rules.find((rule) => {
    const { filter, expiration } = rule;
    if (!expiration || 'date' in expiration || !fits(filter, marker)) return false;
    // Wait for the next midnight, so that a lifecycle run does not delete a marker that the previous run created.
    if ('expiredDeleteMarker' in expiration)
      return now >= midnightAfter(lastModifiedAt, rule.dayMs);
    return now >= dueAt(lastModifiedAt, expiration.days, rule);
  });
  return found && { action: 'remove-marker', ruleId: found.id };
}

/**
 * Returns whether the version matches the filter. For delete markers, the tags of the filter are ignored, because
 * delete markers have no tags.
 */
function fits(filter: LifecycleFilter, { isDeleteMarker, sizeBytes, tags }: EvaluatedVersion) {
  const { sizeGreaterThan = -1, sizeLessThan = Number.POSITIVE_INFINITY } = filter;
  if (sizeBytes <= sizeGreaterThan || sizeBytes >= sizeLessThan) return false;
  if (filter.tags === undefined || isDeleteMarker) return true;
  return filter.tags.every((requested) =>
    tags.some(({ key, value }) => key === requested.key && value === requested.value),
  );
}

/** Returns the first midnight at which `days` days have passed since `from`. */
function dueAt(from: number, days: number, { dayMs = DAY_MS }: TimedRule): number {
  return Math.ceil((from + days * dayMs) / dayMs) * dayMs;
}

export function midnightAfter(at: number, dayMs = DAY_MS): number {
  return midnightBefore(at, dayMs) + dayMs;
}

/** Returns the latest midnight UTC at or before `at`. */
export function midnightBefore(at: number, dayMs = DAY_MS): number {
  return Math.floor(at / dayMs) * dayMs;
}
