/**
 * Checks that a listing makes progress. Each page must contain only keys with the prefix and must continue after the
 * previous page. Otherwise a service that repeats its pages would keep the caller in an endless loop. To check this,
 * the continuation token of each page contains the last key so far.
 */

import { compareUtf8 } from '../object-store/rules/listing.ts';
import { defined } from '../base/defined.ts';
import type {
  ListObjectsRequest,
  ListVersionsRequest,
  ObjectPage,
  VersionPage,
} from '../object-store/listing.ts';
import { TransportError } from '../object-store/transport-error.ts';

/**
 * The maximum number of consecutive empty pages. A service may return an empty page if it filtered out all
 * keys.
 */
const MAX_EMPTY_PAGES = 1_000;
const FORM = /^hf:(\d{1,4}):([A-Za-z0-9_-]*):(.+)$/s;

interface Position {
  /** The continuation token of the service. Absent for the first page. */
  readonly token?: string;
  /** The greatest key or common prefix of all pages so far. Empty before the first page. */
  readonly last: string;
  readonly emptyPages: number;
}

export function positionOf({ continuationToken }: ListObjectsRequest): Position {
  const [, emptyPages, last = '', token] = FORM.exec(continuationToken ?? '') ?? [];
  if (token === undefined)
    return { last: '', emptyPages: 0, ...defined({ token: continuationToken }) };
  return { last: Buffer.from(last, 'base64url').toString(), emptyPages: Number(emptyPages), token };
}

/**
 * Checks a page of versions and returns it. Throws TransportError `BadResponse` if a key does not have the prefix, or
 * if the next markers do not advance. If the key marker is unchanged, only an unchanged version ID marker is an error,
 * because services order the versions of a key differently.
 */
export function checkedVersions(
  { bucket, prefix = '', keyMarker = '', versionIdMarker }: ListVersionsRequest,
  page: VersionPage,
): VersionPage {
  refuseForeign(bucket, prefix, [...page.versions.map(({ key }) => key), ...page.commonPrefixes]);
  const { next } = page;
  if (next === undefined) return page;
  const order = compareUtf8(next.keyMarker, keyMarker);
  if (order < 0 || (order === 0 && next.versionIdMarker === versionIdMarker)) throw endless(bucket);
  return page;
}

/**
 * Checks a page of objects and returns it with a token that contains its position. Throws TransportError
 * `BadResponse` if a key does not have the prefix, or if the listing does not advance.
 */
export function checkedPage(
  { bucket, prefix = '' }: ListObjectsRequest,
  before: Position,
  page: ObjectPage,
): ObjectPage {
  const names = [...page.objects.map(({ key }) => key), ...page.commonPrefixes];
  refuseForeign(bucket, prefix, names);
  if (page.nextToken === undefined) return page;
  const last = names.reduce(
    (one, other) => (compareUtf8(one, other) < 0 ? other : one),
    before.last,
  );
  const emptyPages = names.length === 0 ? before.emptyPages + 1 : 0;
  const isRepeated = names.length > 0 && last === before.last;
  if (isRepeated || page.nextToken === before.token || emptyPages > MAX_EMPTY_PAGES)
    throw endless(bucket);
  const at = Buffer.from(last).toString('base64url');
  return { ...page, nextToken: `hf:${emptyPages}:${at}:${page.nextToken}` };
}

function refuseForeign(bucket: string, prefix: string, names: readonly string[]): void {
  const foreign = names.find((name) => !name.startsWith(prefix));
  if (foreign !== undefined)
    throw bad(bucket, `it contains ${JSON.stringify(foreign)}, which is outside ${prefix}`);
}

function endless(bucket: string): TransportError {
  return bad(bucket, 'the listing does not end');
}

function bad(bucket: string, reason: string): TransportError {
  return new TransportError(
    'BadResponse',
    `cannot list bucket ${bucket}: the service's answer is invalid: ${reason}`,
    {
      sent: true,
    },
  );
}
