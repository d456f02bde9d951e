/**
 * What a bucket's lifecycle does with a version, a delete marker or an upload at an instant (semantics B.7). All that is
 * counted in days ends at a midnight UTC, so that a whole day sees the same. In a test mode a day may be shorter; then it is
 * counted from 1970, as days are.
 */

import { DAY_MS } from '../../base/durations.ts';
import type { LifecycleFilter, LifecycleRule, ObjectExpiration } from '../lifecycle.ts';
import type { Tag } from '../tags.ts';

/** A rule with the length of its days, where they are not days of 24 hours. */
export interface TimedRule extends LifecycleRule {
  readonly dayMs?: number;
}

/** The properties of a version or delete marker that rules evaluate. */
export interface JudgedVersion {
  readonly key: string;
  readonly isDeleteMarker: boolean;
  readonly sizeBytes: number;
  /** Milliseconds since 1970. */
  readonly lastModifiedAt: number;
  readonly tags: readonly Tag[];
}

/** Its position among the versions of its key. */
export type Place =
  | {
      readonly is: 'latest';
      /** Nothing but it is left of its key. */
      readonly alone: boolean;
    }
  | {
      readonly is: 'previous';
      /** When it stopped being the latest. */
      readonly since: number;
      /** How many previous versions are newer; delete markers are not counted. */
      readonly newer: number;
    };

export type VersionAction =
  /** The latest version goes, or gets a delete marker on top: as a delete without a version id. */
  | 'expire'
  /** A previous version, or a delete marker below another version, goes for good. */
  | 'remove-version'
  /** A delete marker that is alone goes. */
  | 'remove-marker';

export interface Judgement {
  readonly action: VersionAction;
  readonly ruleId: string;
}

/** `rules` are those that are on and have the key's prefix. Undefined: it stays. */
export function judgeVersion(
  rules: readonly TimedRule[],
  version: JudgedVersion,
  place: Place,
  now: number,
): Judgement | undefined {
  if (place.is === 'previous') return judgePrevious(rules, version, place, now);
  if (version.isDeleteMarker) {
    return place.alone ? judgeLoneMarker(rules, version, now) : undefined;
  }
  const expiration = expirationOf(rules, version);
  if (expiration === undefined || now < expiration.expiresAt) return undefined;
  return { action: 'expire', ruleId: expiration.ruleId };
}

/** Of the latest version of a key: when it expires, by the first rule to do so. */
export function expirationOf(
  rules: readonly TimedRule[],
  version: JudgedVersion,
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

/** `rules` as in `judgeVersion`. The id of the rule by which the upload is dropped. */
export function judgeUpload(
  rules: readonly TimedRule[],
  initiatedAt: number,
  now: number,
): string | undefined {
  return rules.find((rule) => {
    const { abortUploadsAfterDays: days } = rule;
    return days !== undefined && now >= dueAt(initiatedAt, days, rule);
  })?.id;
}

function judgePrevious(
  rules: readonly TimedRule[],
  version: JudgedVersion,
  { since, newer }: Extract<Place, { is: 'previous' }>,
  now: number,
): Judgement | undefined {
  const found = rules.find((rule) => {
    const { filter, noncurrentExpiration } = rule;
    if (!noncurrentExpiration || !fits(filter, version)) return false;
    const { days, keepNewest = 0 } = noncurrentExpiration;
    return newer >= keepNewest && now >= dueAt(since, days, rule);
  });
  return found && { action: 'remove-version', ruleId: found.id };
}

/** Also days after which objects expire remove it, counted from its own creation. */
function judgeLoneMarker(
  rules: readonly TimedRule[],
  marker: JudgedVersion,
  now: number,
): Judgement | undefined {
  const { lastModifiedAt } = marker;
  const found = rules.find((rule) => {
    const { filter, expiration } = rule;
    if (!expiration || 'date' in expiration || !fits(filter, marker)) return false;
    // Not on its first day: a run would remove the marker that the one before it has made.
    if ('expiredDeleteMarker' in expiration)
      return now >= midnightAfter(lastModifiedAt, rule.dayMs);
    return now >= dueAt(lastModifiedAt, expiration.days, rule);
  });
  return found && { action: 'remove-marker', ruleId: found.id };
}

/** A delete marker has no tags, and is not kept for want of them. */
function fits(filter: LifecycleFilter, { isDeleteMarker, sizeBytes, tags }: JudgedVersion) {
  const { sizeGreaterThan = -1, sizeLessThan = Number.POSITIVE_INFINITY } = filter;
  if (sizeBytes <= sizeGreaterThan || sizeBytes >= sizeLessThan) return false;
  if (filter.tags === undefined || isDeleteMarker) return true;
  return filter.tags.every((asked) =>
    tags.some(({ key, value }) => key === asked.key && value === asked.value),
  );
}

/** The first midnight at which so many days of 24 hours have passed. */
function dueAt(from: number, days: number, { dayMs = DAY_MS }: TimedRule): number {
  return Math.ceil((from + days * dayMs) / dayMs) * dayMs;
}

export function midnightAfter(at: number, dayMs = DAY_MS): number {
  return midnightBefore(at, dayMs) + dayMs;
}

/** Or at that very instant. */
export function midnightBefore(at: number, dayMs = DAY_MS): number {
  return Math.floor(at / dayMs) * dayMs;
}
