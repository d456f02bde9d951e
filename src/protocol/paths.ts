/** Request targets: `/`, `/{bucket}`, `/{bucket}/{key}` and their queries, taken literally. */

import { StorageError } from '../object-store/storage-error.ts';
import { percentDecode, percentEncode, percentEncodePath } from './percent.ts';
import type { WireQuery } from './wire.ts';

/** Without a bucket it is the service itself. A key is bytes, never a path: `..` and `//` mean nothing. */
export interface Target {
  readonly bucket?: string;
  readonly key?: string;
}

/** Decodes once. A `/` after the bucket and nothing more is the bucket itself (semantics B.17). */
export function parsePath(path: string): Target {
  if (!path.startsWith('/')) throw new StorageError('InvalidURI', 'read URI: it must start with /');
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

/** Splits `a=1&b&c=`, decoding once; `+` stays a plus, as signatures take it. */
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
