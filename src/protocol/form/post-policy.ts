/**
 * Parses and checks the policy of a POST form. The policy restricts what a client can upload with the signed form
 * (semantics B.11.5). All functions are pure.
 */

import { StorageError } from '../../object-store/storage-error.ts';
import { formatIsoDate, parseIsoDate } from '../dates.ts';

export interface PostPolicy {
  /** The expiration time of the policy in milliseconds since 1970. */
  readonly expiresAt: number;
  readonly conditions: readonly Condition[];
}

/** A condition of the policy. `field` is in lower case. `min` and `max` are in bytes. */
type Condition =
  | { readonly kind: 'eq' | 'starts-with'; readonly field: string; readonly value: string }
  | { readonly kind: 'content-length-range'; readonly min: number; readonly max: number };

/** The form's values, by field name in lower case. */
export type FormFields = ReadonlyMap<string, string>;

/** The allowed file size in bytes. Both limits are inclusive. */
export interface LengthRange {
  readonly min: number;
  readonly max: number;
}

/**
 * Decodes and parses a base64 policy. Throws InvalidPolicyDocument if the text is not base64, is not JSON, or has the
 * wrong structure.
 */
export function parsePostPolicy(base64: string): PostPolicy {
  const document = parseJson(base64);
  if (!isRecord(document)) throw invalid('it must be a JSON object');
  // Property names in the policy document are case-sensitive. Field names in its conditions are not.
  const { expiration, conditions } = document;
  const expiresAt = typeof expiration === 'string' ? parseIsoDate(expiration) : undefined;
  if (expiresAt === undefined) throw invalid('expiration must be an ISO 8601 date');
  if (!Array.isArray(conditions) || conditions.length === 0) {
    throw invalid('conditions must be a list with at least one condition');
  }
  return { expiresAt, conditions: conditions.flatMap(parseCondition) };
}

const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;

function parseJson(base64: string): unknown {
  if (!BASE64.test(base64)) throw invalid('it must be encoded in base64');
  try {
    const bytes = Buffer.from(base64, 'base64');
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes)) as unknown;
  } catch (cause) {
    throw invalid('it must be base64 of JSON in UTF-8', cause);
  }
}

function parseCondition(condition: unknown): readonly Condition[] {
  if (Array.isArray(condition)) return [parseListed(condition)];
  if (!isRecord(condition)) throw invalid('a condition must be an object or a list');
  const members = Object.entries(condition);
  if (members.length === 0) throw invalid('a condition is empty');
  return members.map(([name, value]) => ({
    kind: 'eq',
    field: name.toLowerCase(),
    value: textValue(value),
  }));
}

function parseListed(condition: readonly unknown[]): Condition {
  const [operator, first, second] = condition;
  const kind = typeof operator === 'string' ? operator.toLowerCase() : '';
  if (condition.length !== 3) throw invalid('a condition that is a list must have three elements');
  if (kind === 'content-length-range') {
    const [min, max] = [byteCount(first), byteCount(second)];
    if (min > max)
      throw invalid('the minimum of a content-length-range must not exceed its maximum');
    return { kind, min, max };
  }
  if (kind !== 'eq' && kind !== 'starts-with')
    throw invalid('the operator of a condition must be eq, starts-with or content-length-range');
  if (typeof first !== 'string' || !first.startsWith('$') || first.length === 1) {
    throw invalid(`${kind} must name a field as $name`);
  }
  return { kind, field: first.slice(1).toLowerCase(), value: textValue(second) };
}

function textValue(value: unknown): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  throw invalid('the value of a condition must be a string');
}

/** Parses a limit in bytes. Also accepts a string, because some tools write numbers as strings. */
function byteCount(value: unknown): number {
  const count = typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : value;
  if (typeof count === 'number' && Number.isSafeInteger(count) && count >= 0) return count;
  throw invalid('the limits of a content-length-range must be integers of at least 0');
}

/**
 * Matches form fields that no policy condition has to cover: the policy, the signature, the access key ID of signature
 * version 2, the file, and ignored fields.
 */
const UNCOVERED = /^(?:policy|signature|awsaccesskeyid|file|x-(?:svc|amz)-signature|x-ignore-.*)$/;

/**
 * Checks that the policy has not expired and that it allows each field. Returns the allowed file size. `fields` must
 * contain the values to be stored: the bucket from the URL, and the key after `${filename}` was replaced. Throws
 * AccessDenied.
 */
export function checkPostPolicy(policy: PostPolicy, fields: FormFields, now: number): LengthRange {
  if (now > policy.expiresAt) {
    throw denied(`the policy expired at ${formatIsoDate(policy.expiresAt)}`);
  }
  const covered = new Set<string>();
  let range: LengthRange = { min: 0, max: Number.MAX_SAFE_INTEGER };
  for (const condition of policy.conditions) {
    if (condition.kind === 'content-length-range') {
      const { min, max } = condition;
      range = { min: Math.max(range.min, min), max: Math.min(range.max, max) };
    } else if (holds(condition, fields.get(condition.field))) {
      covered.add(condition.field);
    } else {
      throw denied(`the field ${condition.field} does not satisfy its condition`);
    }
  }
  const extra = [...fields.keys()].find((name) => !covered.has(name) && !UNCOVERED.test(name));
  if (extra !== undefined) throw denied(`the policy has no condition for the field ${extra}`);
  return range;
}

function holds(
  { kind, value }: Exclude<Condition, { kind: 'content-length-range' }>,
  given: string | undefined,
): boolean {
  return kind === 'eq' ? given === value : given?.startsWith(value) === true;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function invalid(reason: string, cause?: unknown): StorageError {
  return new StorageError('InvalidPolicyDocument', `read policy: ${reason}`, { cause });
}

function denied(reason: string): StorageError {
  return new StorageError('AccessDenied', `Invalid according to Policy: ${reason}`);
}
