/**
 * Evaluates the preconditions of reads and writes (RFC 9110, section 13). A write evaluates them within its
 * transaction.
 */

import { defined } from '../../base/defined.ts';
import type {
  DeleteConditions,
  ObjectInfo,
  ReadConditions,
  WriteConditions,
} from '../object-store.ts';
import { StorageError } from '../storage-error.ts';

const MS_PER_SECOND = 1000;

/** The values with which preconditions are compared, and further values that a 304 response must contain. */
export type Validators = Pick<ObjectInfo, 'etag' | 'lastModifiedAt'> &
  Partial<Pick<ObjectInfo, 'cacheControl' | 'expires' | 'versionId'>>;

/**
 * Throws `PreconditionFailed` or `NotModified` if a condition does not hold. As RFC 9110 requires, a date is ignored if
 * the request also has the corresponding ETag condition. Dates are compared in whole seconds, because `Last-Modified`
 * has whole seconds.
 */
export function checkReadConditions(
  conditions: ReadConditions | undefined,
  current: Validators,
): void {
  if (conditions === undefined) return;
  const modifiedAt = Math.floor(current.lastModifiedAt / MS_PER_SECOND) * MS_PER_SECOND;
  const { ifMatch, ifNoneMatch, ifModifiedSince, ifUnmodifiedSince } = conditions;
  if (ifMatch !== undefined) {
    if (!names(ifMatch, current.etag)) throw preconditionFailed('If-Match', current.etag);
  } else if (ifUnmodifiedSince !== undefined && modifiedAt > ifUnmodifiedSince) {
    throw preconditionFailed('If-Unmodified-Since', current.etag);
  }
  if (ifNoneMatch !== undefined) {
    if (names(ifNoneMatch, current.etag)) throw notModified('If-None-Match', current);
  } else if (ifModifiedSince !== undefined && modifiedAt <= ifModifiedSince) {
    throw notModified('If-Modified-Since', current);
  }
}

/**
 * Throws `PreconditionFailed` if a condition does not hold. Throws `NoSuchKey` for `ifMatch` if no current version
 * exists. `currentEtag` is undefined if the key does not exist or its current version is a delete marker.
 */
export function checkWriteConditions(
  conditions: WriteConditions | undefined,
  currentEtag: string | undefined,
): void {
  const { ifMatch, ifNoneMatch } = conditions ?? {};
  if (ifNoneMatch !== undefined && currentEtag !== undefined && names([ifNoneMatch], currentEtag)) {
    throw preconditionFailed('If-None-Match', currentEtag);
  }
  if (ifMatch === undefined) return;
  if (currentEtag === undefined) {
    throw nothingToMatch('If-Match');
  }
  if (!names([ifMatch], currentEtag)) throw preconditionFailed('If-Match', currentEtag);
}

type Deletable = Pick<ObjectInfo, 'etag' | 'lastModifiedAt' | 'sizeBytes'>;

/**
 * Throws `PreconditionFailed` if a condition does not hold. Throws `NoSuchKey` if there is a condition but the version
 * does not exist or is a delete marker; `current` is then undefined.
 */
export function checkDeleteConditions(
  conditions: DeleteConditions | undefined,
  current: Deletable | undefined,
): void {
  if (conditions === undefined) return;
  const { lastModifiedAt, sizeBytes } = conditions;
  const expect = (condition: string, holds: (found: Deletable) => boolean) => {
    if (current === undefined) throw nothingToMatch(condition);
    if (!holds(current)) throw preconditionFailed(condition, current.etag);
  };
  checkWriteConditions(conditions, current?.etag);
  if (lastModifiedAt !== undefined) {
    expect('If-Match-Last-Modified-Time', (found) =>
      isSameSecond(found.lastModifiedAt, lastModifiedAt),
    );
  }
  if (sizeBytes !== undefined) expect('If-Match-Size', (found) => found.sizeBytes === sizeBytes);
}

function isSameSecond(a: number, b: number): boolean {
  return Math.floor(a / MS_PER_SECOND) === Math.floor(b / MS_PER_SECOND);
}

function nothingToMatch(condition: string): StorageError {
  return new StorageError(
    'NoSuchKey',
    `match object: the request has ${condition}, but the key does not exist`,
    { details: { Condition: condition } },
  );
}

function names(etags: readonly string[], current: string): boolean {
  return etags.some((etag) => etag === '*' || etag === current);
}

function preconditionFailed(condition: string, etag: string): StorageError {
  return new StorageError(
    'PreconditionFailed',
    `match object: ${condition} does not hold; the current ETag is "${etag}"`,
    { details: { Condition: condition } },
  );
}

/**
 * Returns the error for a read of an unchanged object. The error's details contain the values that a 304 response must
 * repeat (semantics B.14).
 */
function notModified(condition: string, current: Validators): StorageError {
  return new StorageError('NotModified', `match object: it is unchanged (${condition})`, {
    details: defined({
      Condition: condition,
      ETag: current.etag,
      LastModified: new Date(current.lastModifiedAt).toISOString(),
      VersionId: current.versionId,
      CacheControl: current.cacheControl,
      Expires: current.expires,
    }),
  });
}
