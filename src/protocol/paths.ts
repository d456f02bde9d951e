/** Formats and parses request paths (`/`, `/{bucket}`, `/{bucket}/{key}`) and query strings. */

import { StorageError } from '../object-store/storage-error.ts';
import { percentDecode, percentEncode, percentEncodePath } from './percent.ts';
import type { WireQuery } from './wire.ts';

/**
 * The bucket or object that a request addresses. Without a bucket, the request addresses the service. A key is not a
 * path, so `..` and `//` in a key have no special meaning.
 */
export interface Target {
  readonly bucket?: string;
  readonly key?: string;
}

/**
 * Parses a request path and percent-decodes it once. Ignores a single `/` after the bucket name (semantics B.17).
 * Throws InvalidURI, or InvalidBucketName if the bucket name is empty.
 */
export function parsePath(path: string): Target {
  if (!path.startsWith('/'))
    throw new StorageError('InvalidURI', 'read URI: the path must start with /');
  const slash = path.indexOf('/', 1);
  const bucket = percentDecode(path.slice(1, slash === -1 ? undefined : slash));
  if (bucket === '') {
    if (path === '/') return {};
    throw new StorageError('InvalidBucketName', 'read URI: the bucket name is empty');
  }
  const key = slash === -1 ? '' : percentDecode(path.slice(slash + 1));
  return key === '' ? { bucket } : { bucket, key };
}

export function formatPath(target: Target): string {
  if (target.bucket === undefined) return '/';
  const bucket = `/${percentEncode(target.bucket)}`;
  return target.key === undefined ? bucket : `${bucket}/${percentEncodePath(target.key)}`;
}

/**
 * Parses a query string such as `a=1&b&c=` and percent-decodes it once. `+` remains a plus sign, as in signatures.
 * Throws InvalidURI.
 */
export function parseQuery(query: string): WireQuery {
  if (query === '') return [];
  return query
    .split('&')
    .filter((pair) => pair !== '')
    .map((pair) => {
      const equals = pair.indexOf('=');
      if (equals === -1) return [percentDecode(pair), ''] as const;
      return [percentDecode(pair.slice(0, equals)), percentDecode(pair.slice(equals + 1))] as const;
    });
}

export function formatQuery(query: WireQuery): string {
  return query
    .map(([name, value]) =>
      value === '' ? percentEncode(name) : `${percentEncode(name)}=${percentEncode(value)}`,
    )
    .join('&');
}
