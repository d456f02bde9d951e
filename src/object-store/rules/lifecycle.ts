/** Validates lifecycle rules (specification, "Lifecycle rule"; semantics B.7). */

import { randomUUID } from 'node:crypto';

import { DAY_MS } from '../../base/durations.ts';
import type { LifecycleFilter, LifecycleRule, NewLifecycleRule } from '../lifecycle.ts';
import { StorageError, type StorageErrorCode } from '../storage-error.ts';
import { checkObjectTags } from './tags.ts';

const MAX_RULES = 1000;
const MAX_ID_CHARACTERS = 255;
const MAX_PREFIX_BYTES = 1024;
const MAX_KEPT_NONCURRENT = 100;

/**
 * The maximum number of days. It keeps the year of each expiration below 10000, because clients can read only four
 * digits.
 */
const MAX_DAYS = 1_000_000;
const MAX_DATE = Date.UTC(9999, 11, 31);

/**
 * Throws `MalformedXML` for an empty list of rules or for too many rules, `InvalidArgument` for a value outside its
 * limits, and `InvalidRequest` for an invalid combination. Also throws the errors of `checkObjectTags`.
 */
export function checkLifecycle(rules: readonly NewLifecycleRule[]): void {
  if (rules.length === 0) throw refused('MalformedXML', 'at least one rule is required');
  if (rules.length > MAX_RULES) {
    throw refused('MalformedXML', `there are ${rules.length} rules; the limit is ${MAX_RULES}`);
  }
  const ids = new Set<string>();
  for (const rule of rules) {
    const id = rule.id ?? '';
    if (ids.has(id)) {
      throw badArgument('ID', id, 'Rule ID must be unique. Found same ID for more than one rule');
    }
    if (id !== '') ids.add(id);
    checkRule(rule);
  }
}

/** Returns the rules. A rule without an ID gets a generated one. */
export function nameRules(rules: readonly NewLifecycleRule[]): readonly LifecycleRule[] {
  return rules.map((rule) => ({ ...rule, id: rule.id || randomUUID() }));
}

function checkRule(rule: NewLifecycleRule): void {
  checkId(rule.id ?? '');
  checkFilter(rule.filter);
  checkActions(rule);
  checkTogether(rule);
}

function checkId(id: string): void {
  if (Array.from(id).length > MAX_ID_CHARACTERS) {
    const shown = id.slice(0, MAX_ID_CHARACTERS).toWellFormed();
    const reason = `ID length should not exceed allowed limit of ${MAX_ID_CHARACTERS}`;
    throw badArgument('ID', shown, reason);
  }
  if (!id.isWellFormed())
    throw badArgument('ID', id.toWellFormed(), 'ID is not well-formed Unicode');
}

function checkFilter({ prefix = '', tags, sizeGreaterThan, sizeLessThan }: LifecycleFilter): void {
  if (Buffer.byteLength(prefix) > MAX_PREFIX_BYTES) {
    throw refused('InvalidRequest', `The maximum size of a prefix is ${MAX_PREFIX_BYTES}.`);
  }
  if (!prefix.isWellFormed()) {
    throw badArgument('Prefix', prefix.toWellFormed(), 'Prefix is not well-formed Unicode');
  }
  checkObjectTags(tags);
  checkSize('ObjectSizeGreaterThan', sizeGreaterThan);
  checkSize('ObjectSizeLessThan', sizeLessThan);
  // Both size limits are exclusive. If they differ by less than 2, no object size is between them.
  const [above, below] = [sizeGreaterThan ?? -1, sizeLessThan ?? Number.POSITIVE_INFINITY];
  if (below - above < 2) {
    throw refused(
      'InvalidRequest',
      "'ObjectSizeLessThan' must exceed 'ObjectSizeGreaterThan' by at least 2",
    );
  }
}

function checkSize(name: string, sizeBytes: number | undefined): void {
  if (sizeBytes === undefined || (Number.isSafeInteger(sizeBytes) && sizeBytes >= 0)) return;
  throw badArgument(name, String(sizeBytes), `'${name}' must be an integer of at least 0`);
}

function checkActions(rule: NewLifecycleRule): void {
  const { expiration, noncurrentExpiration, abortUploadsAfterDays } = rule;
  if (!expiration && !noncurrentExpiration && abortUploadsAfterDays === undefined) {
    throw refused('InvalidRequest', 'At least one action needs to be specified in a rule');
  }
  if (expiration && 'days' in expiration) checkDays('Days', 'Expiration', expiration.days);
  if (expiration && 'date' in expiration) checkDate(expiration.date);
  if (noncurrentExpiration) {
    const { days, keepNewest } = noncurrentExpiration;
    checkDays('NoncurrentDays', 'NoncurrentVersionExpiration', days);
    if (keepNewest !== undefined) checkKept(keepNewest);
  }
  if (abortUploadsAfterDays !== undefined) {
    checkDays('DaysAfterInitiation', 'AbortIncompleteMultipartUpload', abortUploadsAfterDays);
  }
}

function checkDays(name: string, action: string, days: number): void {
  if (Number.isInteger(days) && days >= 1 && days <= MAX_DAYS) return;
  const reason = `'${name}' for ${action} action must be a positive integer up to ${MAX_DAYS}`;
  throw badArgument(name, String(days), reason);
}

function checkDate(date: number): void {
  if (date % DAY_MS === 0 && date >= 0 && date <= MAX_DATE) return;
  throw badArgument('Date', String(date), "'Date' must be at midnight GMT, in a year up to 9999");
}

function checkKept(count: number): void {
  if (Number.isInteger(count) && count >= 1 && count <= MAX_KEPT_NONCURRENT) return;
  const reason = `'NewerNoncurrentVersions' must be from 1 to ${MAX_KEPT_NONCURRENT}`;
  throw badArgument('NewerNoncurrentVersions', String(count), reason);
}

/**
 * Throws `InvalidRequest` if an action does not support the rule's filter. If the filter were ignored, the action would
 * delete more than intended.
 */
function checkTogether({ filter, expiration, abortUploadsAfterDays }: NewLifecycleRule): void {
  const hasTags = filter.tags !== undefined && filter.tags.length > 0;
  const hasSize = filter.sizeGreaterThan !== undefined || filter.sizeLessThan !== undefined;
  const notWith = (action: string, what: string) =>
    refused('InvalidRequest', `${action} cannot be specified with ${what}.`);
  if (expiration && 'expiredDeleteMarker' in expiration && hasTags) {
    throw notWith('ExpiredObjectDeleteMarker', 'Tags');
  }
  if (abortUploadsAfterDays === undefined) return;
  if (hasTags) throw notWith('AbortIncompleteMultipartUpload', 'Tags');
  if (hasSize) throw notWith('AbortIncompleteMultipartUpload', 'Object Size');
}

function refused(code: StorageErrorCode, reason: string): StorageError {
  return new StorageError(code, `set lifecycle: ${reason}`);
}

function badArgument(name: string, value: string, reason: string): StorageError {
  return new StorageError('InvalidArgument', `set lifecycle: ${reason}`, {
    details: { ArgumentName: name, ArgumentValue: value },
  });
}
