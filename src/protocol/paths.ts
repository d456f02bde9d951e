/** Formats and parses request targets: `/`, `/{bucket}` and `/{bucket}/{key}`, and their queries. */

import { StorageError } from '../object-store/storage-error.ts';
import { percentDecode, percentEncode, percentEncodePath } from './percent.ts';
import type { WireQuery } from './wire.ts';

/** Without a bucket, the target is the service. A key is never a path: `..` and `//` have no meaning. */
export interface Target {
  readonly bucket?: string;
  readonly key?: string;
}

/** Decodes once. A single `/` after the bucket is ignored (semantics B.17). */
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

/** Parses `a=1&b&c=` and decodes once. `+` remains a plus sign, as in signatures. */
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
